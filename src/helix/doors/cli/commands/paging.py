"""`helix list` and `helix log`: what is held, what was recorded; newest first, by pages."""

from __future__ import annotations

import click

from helix.doors import documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.numbers import FROM_ONE, PageEnd
from helix.doors.page_ends import page_end
from helix.model.memory import Status

MOST = 10_000


@command(
    "list",
    examples=[
        "helix list",
        "helix list --type decision --type convention",
        "helix list --status forgotten --limit 100",
    ],
)
@click.option("--type", "types", multiple=True, metavar="TYPE", help="Only this type; repeat.")
@click.option(
    "--status",
    "statuses",
    multiple=True,
    type=click.Choice([each.value for each in Status]),
    help="Only what stands like this; repeat. Without it: what answers now.",
)
@click.option("--limit", type=click.IntRange(1, MOST), default=50, metavar="N", show_default=True)
@click.option("--before", type=PageEnd(), metavar="POSITION|ID", help="Older than this.")
def list_command(
    door: Door,
    types: tuple[str, ...],
    statuses: tuple[str, ...],
    limit: int,
    before: int | str | None,
) -> Answer:
    """List what is held, newest first. The number is the position in the ledger."""
    with door.memory() as memory:
        for name in types:
            memory.context.schema[name]  # a type nobody registered is an error, not an empty list
        found = memory.list(types=types, statuses=statuses or None, limit=limit, before=before)
        scope = memory.scope
    on = page_end(found[-1]) if len(found) == limit else None
    text = rendering.listing(scope, found) + _older(on)
    return door.say(text, documents.listing(scope, found, on))


@command("log", examples=["helix log", "helix log --limit 100 --before 4200"])
@click.option("--limit", type=click.IntRange(1, MOST), default=20, metavar="N", show_default=True)
@click.option("--before", type=FROM_ONE, metavar="POSITION", help="Older than this.")
def log_command(door: Door, limit: int, before: int | None) -> Answer:
    """Show what was recorded, newest first: position, when, what, by whom.

    `helix rollback POSITION` undoes an act.
    """
    with door.memory() as memory:
        entries = memory.history.log(limit=limit, before=before)
        scope = memory.scope
    on = entries[-1].position if len(entries) == limit else None
    return door.say(rendering.log(scope, entries) + _older(on), documents.log(scope, entries, on))


def _older(on: int | str | None) -> str:
    return "" if on is None else rendering.faint(f"\nOlder: --before {on}")
