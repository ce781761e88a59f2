"""`helix review`: what waits for a person, and deciding it."""

from __future__ import annotations

import click

from helix.doors import documents, dreams, rendering
from helix.doors.cli.door import Answer, Door, command, shared_options
from helix.doors.cli.reading import repaired


@click.group("review", invoke_without_command=True)
@shared_options(hidden=True)
@click.pass_context
def review_command(ctx: click.Context) -> Answer | None:
    """List what waits for a person: contradictions, and what has come into doubt.

    \b
    Examples:
      helix review
      helix review resolve link_3f2a first
      helix review resolve link_3f2a both --since 2026-03-01
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    if ctx.invoked_subcommand is not None:
        return None
    door = ctx.ensure_object(Door)
    with door.memory() as memory:
        items = memory.review.items()
        scope = memory.scope
    return door.say(dreams.review(scope, items), dreams.review_document(scope, items))


@command("resolve", examples=["helix review resolve link_3f2a second"])
@click.argument("item", metavar="ITEM")
@click.argument("verdict", type=click.Choice(["first", "second", "both", "neither"]))
@click.option("--since", metavar="DATE", help="With `both`: when the second one began to hold.")
@click.option("--reason", default="", help="Why; it is kept in the log.")
def resolve_command(door: Door, item: str, verdict: str, since: str | None, reason: str) -> Answer:
    """Decide a contradiction: which one is right, both in turn, or neither."""
    with door.memory() as memory:
        kept = memory.review.resolve(item, verdict, since=since, reason=repaired(reason))
        scope = memory.scope
    standing = rendering.standing(kept.memory, scope)
    text = f"Decided (act {kept.position}): {rendering.name(kept.memory.id)}  {standing}"
    return door.say(text, documents.outcome(scope, kept))


review_command.add_command(resolve_command)
