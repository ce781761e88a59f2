"""`helix retain`: how long the ledger keeps what happened."""

from __future__ import annotations

from pathlib import Path

import click

from helix.doors import keepings
from helix.doors.cli.commands.erasing import asked
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.numbers import Measured
from helix.doors.cli.progress import watched
from helix.doors.erasures import RESIDUE
from helix.rules.counting import how_many

FILE = click.Path(dir_okay=False, path_type=Path)


@command(
    "retain",
    examples=[
        "helix retain --dry-run --keep-days 365",
        "helix retain --export old-episodes.jsonl",
        "helix retain --check old-episodes.jsonl",
        "helix retain --restore old-episodes.jsonl",
    ],
)
@click.option("--keep-days", type=Measured(30, 36_500), metavar="N",
              help="Instead of `keep_days` below [ledger] in the settings.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Only say what would go; the default.")
@click.option("--export", type=FILE, metavar="FILE", help="Write it to a new file, then purge it.")
@click.option("--check", type=FILE, metavar="FILE", help="Hold an export against the ledger.")
@click.option("--restore", type=FILE, metavar="FILE", help="Bring the episodes of an export back.")
@click.option("--yes", is_flag=True, help="Do not ask before purging.")
def retain_command(
    door: Door, *, keep_days: float | None, dry_run: bool, export: Path | None,
    check: Path | None, restore: Path | None, yes: bool,
) -> Answer:  # fmt: skip
    """Let go of what happened long ago and has stepped back, with a checked export first.

    Off unless you say how long records are kept. What is archived, forgotten or turned away and
    older than that goes; what still answers, is pinned or is the ground of something held stays,
    and so does everything anybody holds to be so. The file is written, read back from the disk
    and compared with the ledger before anything is destroyed. Exit status: 0, or 6 if it was
    purged and bytes of it may be left, because somebody else had the store's files in use.
    """
    if sum(each is not None for each in (export, check, restore)) + dry_run > 1:
        raise click.UsageError("--dry-run, --export, --check and --restore exclude each other")
    with door.memory() as memory:
        scope = memory.scope
        if check is not None:
            return door.say(*keepings.checked(scope, check, memory.retaining.check(check)))
        if restore is not None:
            number = memory.retaining.check(restore).records
            with watched("Restoring", number) as progress:
                back = memory.retaining.restore(restore, progress)
            return door.say(*keepings.brought_back(scope, restore, back))
        due = memory.retaining.look(keep_days)
        if export is None or not due.positions:
            return door.say(*keepings.due(scope, due))
        asked(f"Purge {how_many(len(due.positions), 'record')} once they are exported?", yes=yes)
        with watched("Exporting", len(due.positions)) as progress:
            done = memory.retaining.purge(export, keep_days, progress)
        if done is None:
            return door.say(*keepings.due(scope, memory.retaining.look(keep_days)))
        answer = door.say(*keepings.purged(scope, done))
    if not done.scoured:
        raise click.exceptions.Exit(RESIDUE)
    return answer
