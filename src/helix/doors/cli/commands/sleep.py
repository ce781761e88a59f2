"""`helix sleep` and `helix flush`: let Helix conclude now."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from helix.doors import dreams
from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.numbers import Measured
from helix.doors.error_mapping import EXIT_CODES, NO
from helix.model.errors import StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from helix.app.facade import Helix
    from helix.sleep.queue import Failed, Slept


@command("sleep", examples=["helix sleep", "helix sleep --dry-run", "helix sleep --owed"])
@click.option("--dry-run", is_flag=True, help="Show what would be concluded; write nothing.")
@click.option("--minutes", type=Measured(0, 525_600), metavar="N", help="Stop after about so long.")
@click.option("--everywhere", is_flag=True, help="Take up owed work of every scope as well.")
@click.option("--owed", is_flag=True, help="Only take up owed work, of every scope; for timers.")
@click.option("--enrich", is_flag=True, help="Embed what waits as well, in the time that is left.")
@click.pass_context
def sleep_command(
    ctx: click.Context,
    door: Door,
    *,
    dry_run: bool,
    minutes: float | None,
    everywhere: bool,
    owed: bool,
    enrich: bool,
) -> Answer:
    """Let Helix conclude from what was captured: rules, procedures, contradictions.

    Every conclusion cites its episodes and can be taken back: `helix runs revert N`. A run
    that was cut short goes on where it stopped.

    Exit status: 1 if another process is asleep here.
    """
    from datetime import timedelta
    from time import monotonic

    started = monotonic()
    budget = None if minutes is None else timedelta(minutes=minutes)
    with door.memory() as memory:
        if door.held is None:
            memory.sleeping.step_aside()
        if dry_run:
            dreamt = memory.sleeping.dream(_watch(memory))
            return door.say(
                dreams.dreamt(memory.scope, dreamt), dreams.dreamt_document(memory.scope, dreamt)
            )
        if owed:
            drained = memory.sleeping.drain(budget=budget)
        else:
            done = memory.sleeping.sleep(budget=budget, watch=_watch(memory))
            also = memory.sleeping.drain(budget=budget) if everywhere else []
        if enrich:
            left = None if minutes is None else 60 * minutes - (monotonic() - started)
            memory.upkeep.tend(left)
        scope = memory.scope
    if owed:
        return _drained(door, drained)
    return _said(ctx, door, scope, done, len(also))


@command("flush", examples=["helix flush", "helix flush --json"])
@click.pass_context
def flush_command(ctx: click.Context, door: Door) -> Answer:
    """Consolidate what was captured so far, without waiting for a trigger."""
    with door.memory() as memory:
        done = memory.sleeping.flush(_watch(memory))
        scope = memory.scope
    return _said(ctx, door, scope, done)


def _drained(door: Door, done: Sequence[Slept | Failed]) -> Answer:
    from helix.sleep.queue import Slept

    runs = [each.run for each in done if isinstance(each, Slept)]
    failed = len(done) - len(runs)
    text = f"Slept over {len(runs)} scopes." if done else "Nothing is owed."
    text += f" {failed} failed; `helix runs --owed` says why." if failed else ""
    slept = [{"scope": each.realm.scope, "run": dreams.plain(each)} for each in runs]
    return door.say(text, {"slept": slept, "failed": failed})


def _said(ctx: click.Context, door: Door, scope: str, done: object, also: int = 0) -> Answer:
    from helix.sleep.queue import Busy, Failed, Slept

    match done:
        case Slept(run):
            more = f"\nAlso slept over {also} other scopes." if also else ""
            text = dreams.run(scope, run) + more
            return door.say(text, {"scope": scope, "state": "slept", "run": dreams.plain(run)})
        case Busy(job):
            by = job.leased_by
            document: Answer = {"scope": scope, "state": "busy", "by": by}
            door.say(f"Another process ({by}) is asleep over {scope}; nothing was done.", document)
            return ctx.exit(NO)
        case Failed(job, error):
            state = "dead" if job.dead else "retried later"
            document = {"scope": scope, "state": "failed", "error": error, "job": job.id}
            door.say(f"Sleep over {scope} failed and is {state}: {error}", document)
            return ctx.exit(EXIT_CODES[StoreUnavailable.family])
        case _:
            raise AssertionError(done)


def _watch(memory: Helix):  # type: ignore[no-untyped-def]
    """Return what draws a line per pass, where somebody is watching."""
    if not sys.stderr.isatty():
        return lambda _: None
    passes = {each.name: each.does for each in memory.sleeping.passes}
    return lambda name: click.echo(f"  {name:<10} {passes[name]}", err=True)
