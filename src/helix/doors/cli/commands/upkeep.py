"""`helix verify` and `helix rebuild`: is the record whole, does the rest follow."""

from __future__ import annotations

import click

from helix.doors import documents, reports
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.progress import watched
from helix.doors.error_mapping import EXIT_CODES
from helix.model.errors import IntegrityBroken
from helix.rules.counting import how_many

MOST_RUNS = 100_000
BROKEN = EXIT_CODES[IntegrityBroken.family]


@command("verify", examples=["helix verify", "helix verify --json"])
@click.pass_context
def verify_command(ctx: click.Context, door: Door) -> Answer:
    """Check every seal of ledger and journal, and name the first that does not match.

    What memories say is compared with what was recorded. What is believed about them, their
    links and the index of words are compared by `helix rebuild --check`, which takes longer.

    Exit status: 0 if it is sound, 6 if it is not.
    """
    from helix.ledger.verifying import Broken

    with door.memory() as memory:
        with watched("Verifying", memory.upkeep.length()) as progress:
            found = memory.upkeep.verify(progress)
        scope = memory.scope
    if isinstance(found, Broken):
        door.say(reports.broken(scope, found), documents.broken(scope, found))
        ctx.exit(BROKEN)
    text = reports.sound(scope, found, memories=True)
    return door.say(text, documents.sound(scope, found))


@command("rebuild", examples=["helix rebuild --check", "helix rebuild", "helix rebuild --rederive"])
@click.option("--check", is_flag=True, help="Only compare; change nothing.")
@click.option("--rederive", is_flag=True, help="Drop what was concluded and conclude it anew.")
@click.pass_context
def rebuild_command(ctx: click.Context, door: Door, *, check: bool, rederive: bool) -> Answer:
    """Fold the ledger again, compare, and put the new projection in place if it differs.

    With --rederive, every run of sleep is slept again over the same records: this is how
    better rules are adopted. Ids follow from content, so what is concluded again keeps its
    pins and its history.

    Exit status: 0, or 6 if --check finds a difference.
    """
    if rederive and check:
        raise click.UsageError("--check changes nothing, and --rederive would")
    if rederive:
        return _rederived(door)
    with door.memory() as memory:
        with watched("Folding", memory.upkeep.status().records) as progress:
            done = memory.upkeep.rebuild(check_only=check, progress=progress)
        scope = memory.scope
    document = door.say(reports.rebuilt(scope, done), documents.rebuilt(scope, done))
    if done.differences and not done.repaired:
        ctx.exit(BROKEN)
    return document


def _rederived(door: Door) -> Answer:
    with door.memory() as memory:
        with watched("Sleeping again", len(memory.sleeping.runs(MOST_RUNS))) as progress:
            done = memory.sleeping.rederive(progress)
        scope = memory.scope
    text = (
        f"Slept {how_many(done.runs, 'run')} again: {how_many(done.now, 'conclusion')},"
        f" {done.before} before."
    )
    document: Answer = {"scope": scope, "runs": done.runs, "before": done.before, "now": done.now}
    return door.say(text, document)
