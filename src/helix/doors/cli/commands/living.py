"""`helix used`, `promote`, `demote`: what happens in a memory's life."""

from __future__ import annotations

import click

from helix.doors import documents, rendering
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.reading import repaired


@command("used", examples=["helix used mem_repo_uses_pnpm", "helix used ep_flaky_test_3a -q 1"])
@click.argument("memory_id", metavar="ID")
@click.option(
    "-q", "--quality", type=click.IntRange(0, 5), default=4, show_default=True,
    help="0 it misled, 3 it helped, 5 just what was needed.",
)  # fmt: skip
def used_command(door: Door, memory_id: str, *, quality: int) -> Answer:
    """Say that a memory was worked with, and how well it served.

    From 3 on it lasts longer, and one in the archive answers again. Being shown by recall
    is not a use.
    """
    with door.memory() as memory:
        kept = memory.life.used(memory_id, quality)
        scope = memory.scope
    return door.say(rendering.outcome(scope, kept, "Used"), documents.outcome(scope, kept))


@command(
    "promote",
    examples=['helix promote ep_cache_off_2f "The cache is off in production" --type decision'],
)
@click.argument("memory_id", metavar="ID")
@click.argument("words", nargs=-1, metavar="[TEXT]...")
@click.option("--type", "kind", default="fact", show_default=True, help="What it is held as.")
def promote_command(door: Door, memory_id: str, words: tuple[str, ...], *, kind: str) -> Answer:
    """Hold what an episode tells, in its words or in yours. The episode stays."""
    with door.memory() as memory:
        kept = memory.life.promote(memory_id, repaired(" ".join(words)), kind)
        scope = memory.scope
    return door.say(rendering.outcome(scope, kept, "Promoted to"), documents.outcome(scope, kept))


@command("demote", examples=['helix demote mem_old_detail --reason "too detailed"'])
@click.argument("memory_id", metavar="ID")
@click.option("--reason", default="", help="Why; it is kept in the log.")
def demote_command(door: Door, memory_id: str, *, reason: str) -> Answer:
    """Send a memory to the archive. `recall --deep` finds it; using it brings it back."""
    with door.memory() as memory:
        kept = memory.life.demote(memory_id, repaired(reason))
        scope = memory.scope
    return door.say(rendering.outcome(scope, kept, "Archived"), documents.outcome(scope, kept))
