"""`helix resolve`: decide between two memories that contradict each other."""

from __future__ import annotations

import click

from helix.doors import documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.reading import repaired

VERDICTS = ["first", "second", "both", "compatible", "neither"]


@command(
    "resolve",
    examples=[
        "helix review",
        "helix resolve link_3f2a second",
        "helix resolve link_3f2a both --since 2026-03-01",
        "helix resolve link_3f2a compatible",
    ],
)
@click.argument("item", metavar="ITEM")
@click.argument("verdict", type=click.Choice(VERDICTS))
@click.option("--since", metavar="DATE", help="With `both`: when the second one began to hold.")
@click.option("--reason", default="", help="Why; it is kept in the log.")
def resolve_command(door: Door, item: str, verdict: str, since: str | None, reason: str) -> Answer:
    """Decide a contradiction that `helix review` shows: one, the other, both in turn, neither.

    With `both` the first one ends where the second begins. `compatible` ends nothing: the two
    do not contradict each other, and are not asked about again.
    """
    with door.memory() as memory:
        kept = memory.review.resolve(item, verdict, since=since, reason=repaired(reason))
        scope = memory.scope
    standing = rendering.standing(kept.memory, scope)
    text = f"Decided in {scope} (act {kept.position}): {rendering.name(kept.memory.id)}  {standing}"
    return door.say(text, documents.outcome(scope, kept))
