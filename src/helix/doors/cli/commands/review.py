"""`helix review`: what waits for a person, and deciding it."""

from __future__ import annotations

import click

from helix.doors import documents, dreams, rendering
from helix.doors.cli.door import Answer, Door, command, group
from helix.doors.cli.reading import repaired


@group("review", examples=["helix review", "helix review --json"])
def review_command(door: Door) -> Answer:
    """List what waits for a person: contradictions, and what has come into doubt."""
    with door.memory() as memory:
        items = memory.review.items()
        scope = memory.scope
    return door.say(dreams.review(scope, items), dreams.review_document(scope, items))


@command(
    "resolve",
    examples=[
        "helix review resolve link_3f2a second",
        "helix review resolve link_3f2a both --since 2026-03-01",
    ],
)
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
