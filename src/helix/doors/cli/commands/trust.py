"""`helix trust`: let a source of imports count, once, for now and later."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.reading import repaired
from helix.doors.neutral import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from helix.app.trusting import Trust


@command(
    "trust",
    examples=["helix trust", "helix trust ~/mem0-export.json", "helix trust notes/ --undo"],
)
@click.argument("source", required=False)
@click.option("--undo", is_flag=True, help="Take trust back: what rests on it waits again.")
def trust_command(door: Door, source: str | None, *, undo: bool) -> Answer:
    """List the sources of imports here, trust one, or take trust back with --undo.

    What `helix import` takes from outside this project and your agents' own folders waits in
    `helix review`. Trusting its SOURCE, a file or a folder, lets all of it count, and what is
    imported from there later; what reads like an order to an agent is still looked at one by
    one. An agent cannot trust a source.
    """
    if undo and source is None:
        raise click.UsageError("--undo needs a SOURCE")
    with door.memory() as memory:
        scope = memory.scope
        known = memory.trusting.sources()
        if source is None:
            return door.say(_listed(scope, known), {"scope": scope, "sources": _plain(known)})
        name = _name(repaired(source), known)
        done = memory.trusting.distrust(name) if undo else memory.trusting.trust(name)
    verb, does = ("no longer trusted", "wait") if undo else ("trusted", "count")
    if done.memories == 1:
        count, does = "1 memory", f"{does}s"
    else:
        count = f"{done.memories:,} memories"
    said = (
        f"{one_line(name)} is {verb} in {one_line(scope)}: {count} from it {does} now"
        f" (act {done.position})."
    )
    return door.say(
        said,
        {"scope": scope, "source": name, "trusted": done.trusted, "memories": done.memories,
         "position": done.position},
    )  # fmt: skip


def _name(given: str, known: Sequence[Trust]) -> str:
    # A source is named as the review names it; a path is taken for where it leads.
    if any(each.name == given for each in known):
        return given
    # In `os.path`: pathlib fails on a user nobody knows, and on links that go in a circle.
    return os.path.realpath(os.path.expanduser(given))  # noqa: PTH111


def _listed(scope: str, known: Sequence[Trust]) -> str:
    if not known:
        return f"No source outside the project was imported into {one_line(scope)}."
    head = f"Sources of imports into {one_line(scope)}:"
    return "\n".join([head, *map(_line, known)])


def _line(each: Trust) -> str:
    return (
        f"{'trusted  ' if each.trusted else 'not yet  '}{each.waiting:>6,} waiting  "
        f"{one_line(each.name)}"
    )


def _plain(known: Sequence[Trust]) -> list[dict[str, object]]:
    return [
        {"source": each.name, "trusted": each.trusted, "waiting": each.waiting} for each in known
    ]
