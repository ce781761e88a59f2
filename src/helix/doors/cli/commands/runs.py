"""`helix runs`: what sleep concluded, run by run; look closer, take back, retry."""

from __future__ import annotations

import click

from helix.doors import dreams
from helix.doors.cli.door import Answer, Door, command, group
from helix.doors.cli.numbers import FROM_ONE

MOST = 1_000


@group("runs", examples=["helix runs", "helix runs --limit 5 --json", "helix runs --owed"])
@click.option("--limit", type=click.IntRange(1, MOST), default=20, metavar="N", show_default=True)
@click.option("--owed", is_flag=True, help="Show the work that waits or failed instead.")
def runs_command(door: Door, *, limit: int, owed: bool) -> Answer:
    """List runs of sleep over this scope, newest first."""
    with door.memory() as memory:
        scope = memory.scope
        if owed:
            waiting = memory.sleeping.owed()
            return door.say(dreams.owed(scope, waiting), dreams.owed_document(scope, waiting))
        found = memory.sleeping.runs(limit)
    document: Answer = {"scope": scope, "runs": [dreams.plain(each) for each in found]}
    return door.say(dreams.runs(scope, found), document)


@command("show", examples=["helix runs show 3"])
@click.argument("number", type=FROM_ONE, metavar="N")
def show_command(door: Door, number: int) -> Answer:
    """Show what a run read, proposed, applied and left alone, and every change it made."""
    with door.memory() as memory:
        shown = memory.sleeping.run(number)
        scope = memory.scope
    return door.say(dreams.shown(scope, shown), dreams.shown_document(scope, shown))


@command("revert", examples=["helix runs revert 3"])
@click.argument("number", type=FROM_ONE, metavar="N")
def revert_command(door: Door, number: int) -> Answer:
    """Take back what a run concluded. It is not concluded again."""
    with door.memory() as memory:
        reverted = memory.sleeping.revert(number)
        scope = memory.scope
    left = [{"memory": each.what, "why": each.why} for each in reverted.left]
    document: Answer = {"scope": scope, "run": number, "undone": reverted.undone, "left": left}
    return door.say(dreams.reverted(scope, reverted), document)


@command("retry", examples=["helix runs --owed", "helix runs retry 12"])
@click.argument("job", type=FROM_ONE, metavar="JOB")
def retry_command(door: Door, job: int) -> Answer:
    """Owe work again that failed too often. `helix sleep` takes it up."""
    with door.memory() as memory:
        revived = memory.sleeping.retry(job)
        scope = memory.scope
    return door.say(f"Work {job} is owed again in {scope}.", {"scope": scope, "job": revived.id})


for each in (show_command, revert_command, retry_command):
    runs_command.add_command(each)
