"""`helix sweep`: promote what is ready, let step back what has faded, and take it back."""

from __future__ import annotations

import click

from helix.doors import lives
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.numbers import FROM_ONE
from helix.doors.cli.progress import watched


@command(
    "sweep",
    examples=[
        "helix sweep --dry-run",
        "helix sweep archive --all",
        "helix sweep --history",
        "helix sweep --revert 3",
    ],
)
@click.argument("kinds", nargs=-1, metavar="[KIND]...")
@click.option("--dry-run", is_flag=True, help="Change nothing; count everything and say why.")
@click.option("--all", "everything", is_flag=True, help="Go on until nothing is left to do.")
@click.option("--cap", type=FROM_ONE, metavar="N", help="Most changes in one conclusion.")
@click.option("--vectors", is_flag=True, help="Instead: keep faded memories' vectors coarsely.")
@click.option("--history", is_flag=True, help="Show what was concluded, newest first.")
@click.option("--revert", type=FROM_ONE, metavar="NUMBER", help="Take a conclusion back.")
def sweep_command(
    door: Door,
    kinds: tuple[str, ...],
    *,
    dry_run: bool,
    everything: bool,
    cap: int | None,
    vectors: bool,
    history: bool,
    revert: int | None,
) -> Answer:
    """Run sweeps: promotion, expiry, edges, cold, archive; all of them unless named.

    Nothing is deleted. What a sweep did is one conclusion, and can be taken back.
    """
    _one_of(dry_run=dry_run, history=history, revert=revert is not None)
    _one_of(vectors=vectors, history=history, revert=revert is not None)
    with door.memory() as memory:
        scope = memory.scope
        if history:
            told = memory.life.conclusions()
            return door.say(lives.conclusions(scope, told), lives.conclusions_document(scope, told))
        if revert is not None:
            back = memory.life.revert(revert)
            return door.say(lives.reverted(scope, back), lives.reverted_document(scope, back))
        if vectors:
            with watched("Keeping coarsely", 0) as progress:
                kept = memory.life.compress(dry_run=dry_run, progress=progress)
            return door.say(lives.compressed(scope, kept), lives.compressed_document(scope, kept))
        with watched("Sweeping", 0) as progress:
            found = memory.life.sweep(
                kinds, dry_run=dry_run, everything=everything, cap=cap, progress=progress
            )
    return door.say(lives.swept(scope, found), lives.swept_document(scope, found))


def _one_of(**given: bool) -> None:
    if sum(given.values()) > 1:
        names = ", ".join(f"--{each.replace('_', '-')}" for each in given)
        raise click.UsageError(f"give one of {names}")
