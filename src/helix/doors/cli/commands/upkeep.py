"""`helix verify` and `helix rebuild`: is the record whole, does the rest follow."""

from __future__ import annotations

import click

from helix.doors import documents, reports
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.progress import watched
from helix.doors.error_mapping import EXIT_CODES
from helix.model.errors import IntegrityBroken

BROKEN = EXIT_CODES[IntegrityBroken.family]


@command("verify", examples=["helix verify", "helix verify --json"])
@click.pass_context
def verify_command(ctx: click.Context, door: Door) -> Answer:
    """Check every seal of the ledger, and name the first record that does not match.

    Exit status: 0 if it is sound, 6 if it is not.
    """
    from helix.ledger.verifying import Broken

    with door.memory() as memory:
        with watched("Verifying", memory.upkeep.status().records) as progress:
            found = memory.upkeep.verify(progress)
        scope = memory.scope
    if isinstance(found, Broken):
        door.say(reports.broken(scope, found), documents.broken(scope, found))
        ctx.exit(BROKEN)
    return door.say(reports.sound(scope, found), documents.sound(scope, found))


@command("rebuild", examples=["helix rebuild --check", "helix rebuild"])
@click.option("--check", is_flag=True, help="Only compare; change nothing.")
@click.pass_context
def rebuild_command(ctx: click.Context, door: Door, *, check: bool) -> Answer:
    """Fold the ledger again, compare, and put the new projection in place if it differs.

    Exit status: 0, or 6 if --check finds a difference.
    """
    with door.memory() as memory:
        with watched("Folding", memory.upkeep.status().records) as progress:
            done = memory.upkeep.rebuild(check_only=check, progress=progress)
        scope = memory.scope
    document = door.say(reports.rebuilt(scope, done), documents.rebuilt(scope, done))
    if done.differences and not done.repaired:
        ctx.exit(BROKEN)
    return document
