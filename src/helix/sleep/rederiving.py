"""Concluding anew: the journal is dropped, and every run is slept again where it was slept.

This is how a better rule is adopted, and how a projection that lost its conclusions gets
them back. It happens on a private copy, run by run in their order, each seeing no more than
it saw then; the result is put in place in one transaction, unless what it replaces has
changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from helix.ledger.workflow import purged_positions, tell
from helix.model.act import Erased
from helix.model.changes import JournalEntry, PutMemory, PutTomb
from helix.model.errors import Conflict
from helix.model.run import Run, RunState
from helix.ports.projection import Stamp
from helix.ports.store import Store, Unit
from helix.projection.workflow import catch_up, refold
from helix.sleep.meanwhile import changed, check_unchanged, every_run, seen
from helix.sleep.reverting import revert
from helix.sleep.workflow import ErasedMeanwhile, Sleeper, sleep

MOST_RUNS = 1_000_000


@dataclass(frozen=True, slots=True)
class Rederived:
    """How many runs were slept again, and what they concluded before and now."""

    runs: int
    before: int
    now: int


class _Then:
    """A clock that stands where it is put."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment


def rederive(
    sleeper: Sleeper, tenant: str, progress: Callable[[int], None] = lambda _: None
) -> Rederived:
    """Conclude anew from the ledger, and put the new journal and projection in place.

    Entries that no run made (sweeps, and what was imported) are kept where they stood. Raises
    `Conflict`, and changes nothing, if somebody concluded, took back or destroyed something
    while it lasted; what was captured meanwhile is kept. Raises it as well where conclusions
    would be lost because their ground was purged by age.
    """
    sleeper = replace(sleeper, rest=lambda _: None)  # nobody else uses the copy
    with sleeper.store.snapshot() as copy:
        with copy.writing() as unit:
            before = seen(unit, tenant)
            _check_grounds(unit, tenant)
            old = _runs(unit, tenant)
            others = _entries_of_no_run(unit, tenant, old)
            graves = _graves(unit, tenant)
            unit.projection.clear(tenant)
            unit.journal.clear(tenant)
            unit.runs.clear(tenant)
        for run in old:
            _fold_to(copy, tenant, run, others)
            _entomb(copy, tenant, graves)
            _again(replace(sleeper, store=copy), run)
            progress(1)
        _fold_to(copy, tenant, None, others)
        with copy.reading() as unit:
            runs = _runs(unit, tenant)
            entries = list(unit.journal.entries(tenant, 0, MOST_RUNS))
    with sleeper.store.writing() as unit:
        check_unchanged(unit, tenant, before)
        _put_in_place(unit, tenant, runs, entries)
    applied, now = (sum(each.applied for each in slept) for slept in (old, runs))
    return Rederived(len(old), applied, now)


def _check_grounds(unit: Unit, tenant: str) -> None:
    purged = purged_positions(unit.ledger, tenant)
    if not purged:
        return
    resting = {
        change.memory.id
        for entry in unit.journal.entries(tenant, 0, MOST_RUNS)
        for change in entry.change_set.changes
        if isinstance(change, PutMemory)
        and purged & {each.position for each in change.memory.belief.provenance}
    }
    if resting:
        raise Conflict(
            f"{len(resting)} conclusions rest on records that were purged by age",
            code="ground_purged",
            remedy="they cannot be drawn anew; `helix rebuild` folds everything as it is",
        )


def _again(sleeper: Sleeper, run: Run) -> None:
    clock = _Then(run.started_at)
    again = replace(sleeper, clock=clock)
    try:
        slept = sleep(again, run.realm, run.reason)
    except ErasedMeanwhile as error:  # a model was to be asked, and the copy is out of date
        raise changed("something was erased") from error
    if run.state is RunState.REVERTED:
        # A person took it back; that is not concluded anew.
        revert(again.store, clock, run.realm, slept.number)


def _fold_to(copy: Store, tenant: str, run: Run | None, others: list[JournalEntry]) -> None:
    """Bring the copy to where a run began, or to the end of everything."""
    with copy.writing() as unit:
        while others and (run is None or _came_before(others[0], run)):
            entry = others.pop(0)
            _fold(unit, tenant, entry.after)
            _replay(unit, tenant, entry)
        _fold(unit, tenant, None if run is None else run.read_to)


def _graves(unit: Unit, tenant: str) -> list[PutTomb]:
    """Return the tombs of all conclusions that were erased."""
    return [
        PutTomb(told.record.realm, told.act.tomb)
        for told in tell(unit.ledger, tenant)
        if isinstance(told.act, Erased) and told.act.position == 0 and told.act.tomb
    ]


def _entomb(copy: Store, tenant: str, graves: Sequence[PutTomb]) -> None:
    # They were erased after the run that is slept again, so no tomb is folded yet; and what
    # it would conclude could not be told from what nobody erased.
    if graves:
        with copy.writing() as unit:
            stamp = Stamp(unit.ledger.head(tenant).recorded_at, None)
            unit.projection.apply(tenant, graves, stamp)


def _came_before(entry: JournalEntry, run: Run) -> bool:
    """Return whether a run saw what an entry did.

    A sweep that follows a run has read as far as it did, and may put away the very episodes
    that the run concluded from.
    """
    if entry.after > run.read_to:
        return False
    of_run = [number for report in run.reports for number in report.entries]
    return entry.number < min(of_run) if of_run else entry.recorded_at < run.started_at


def _fold(unit: Unit, tenant: str, position: int | None) -> None:
    folded = unit.projection.checkpoint(tenant)
    if position is None or position > folded:
        catch_up(unit, tenant, None if position is None else position - folded)


def _replay(unit: Unit, tenant: str, entry: JournalEntry) -> None:
    unit.projection.apply(tenant, entry.change_set.changes, Stamp(entry.recorded_at, None))
    unit.journal.record(tenant, entry.change_set, entry.recorded_at, entry.after)


def _put_in_place(
    unit: Unit, tenant: str, runs: Sequence[Run], entries: Sequence[JournalEntry]
) -> None:
    unit.journal.clear(tenant)
    unit.runs.clear(tenant)
    for entry in entries:
        unit.journal.record(tenant, entry.change_set, entry.recorded_at, entry.after)
    for run in runs:
        unit.runs.begin(run)
    unit.projection.clear(tenant)
    refold(unit, tenant)


def _runs(unit: Unit, tenant: str) -> list[Run]:
    return [each for each in every_run(unit, tenant) if each.state is not RunState.RUNNING]


def _entries_of_no_run(unit: Unit, tenant: str, runs: Sequence[Run]) -> list[JournalEntry]:
    slept = {number for run in runs for report in run.passes for number in report.entries}
    return [
        entry
        for entry in unit.journal.entries(tenant, 0, MOST_RUNS)
        if entry.number not in slept and entry.change_set.reverts not in slept
    ]
