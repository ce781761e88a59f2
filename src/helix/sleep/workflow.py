"""Sleeping over one realm: read the night, run the passes, apply, report.

Beside `queue` and `reverting`, the only module here that touches a port.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from time import perf_counter
from typing import Any

from helix.consolidation.gates import gated
from helix.ledger.workflow import purged_positions
from helix.model.changes import Change, ChangeSet, DropEdge, DropMemory, PutMemory, Rate, Suspect
from helix.model.life import Use
from helix.model.memory import Memory, Status
from helix.model.moment import next_moment
from helix.model.night import Conclusion, Findings, Night, Passed
from helix.model.question import Standpoint, View
from helix.model.run import PassReport, Run, RunState
from helix.model.scope import Realm
from helix.model.types import EPISODE
from helix.ports.clock import Clock
from helix.ports.projection import Stamp
from helix.ports.store import Store, Unit
from helix.reflection.ties import FEWEST_TOGETHER
from helix.rules.concluding import rating_of, suspecting_of
from helix.rules.tombs import tombs
from helix.sleep.applying import MOST_CHANGES, Applicable, applicable, in_parts
from helix.sleep.passes import DREAM_CYCLE, Pass
from helix.sleep.resting import Rests

HEURISTIC = "heuristic:3"
"""Who concludes while no language model is configured; the number rises with the rules."""

MOST_TOLD = 50
"""Skipped things a report names; the rest is counted."""

MOST_USED = 5_000
"""Memories whose uses a night may hold."""

MOST_READ = 1_000_000
"""Memories of one kind that a night may hold."""

TAKEN_BACK = (Status.FORGOTTEN, Status.QUARANTINED, Status.REJECTED)
"""Where an episode stands that nothing may be concluded from any more."""

Exists = Callable[[str, str], bool | None]
"""Says whether a thing of some kind is in a working tree; None if it cannot be known."""

Watch = Callable[[str], None]
"""Told the name of each pass when it is through; raising stops the run at that boundary."""


class PassFailed(Exception):
    """A pass could not do all of its work: a part is owed again, the rest is in `findings`."""

    def __init__(self, why: str, findings: Findings) -> None:
        super().__init__(why)
        self.findings = findings


class LeaseLost(Exception):
    """Another process took the work over; this one stops where it is, and nothing is lost."""


class ErasedMeanwhile(Exception):
    """Something was erased after the night was read: what came of it must not be written."""


@dataclass(frozen=True, slots=True)
class Sleeper:
    """What a run works with."""

    store: Store
    clock: Clock
    passes: Sequence[Pass] = DREAM_CYCLE
    concluded_by: str = HEURISTIC
    tree: Callable[[Realm], Exists | None] = lambda _: None
    """Gives the working tree of a realm's project, where it is known."""
    budget: timedelta | None = None
    watch: Watch = lambda _: None
    compute: Callable[[Callable[[], Any]], Any] = lambda work: work()
    """Runs what reads and computes, and writes nothing; perhaps elsewhere, at low priority."""
    at_once: int = MOST_CHANGES
    """Changes that are applied in one transaction."""
    rest: Callable[[float], None] = lambda _: None
    """Waits so many seconds between two transactions, to leave the store to others."""


@dataclass(frozen=True, slots=True)
class Dreamt:
    """What a dry run would have done: the run with its reports, and the changes of each pass."""

    run: Run
    changes: tuple[tuple[str, ChangeSet], ...]


def sleep(sleeper: Sleeper, realm: Realm, reason: str) -> Run:
    """Run the dream cycle over a realm, or go on with the run that was cut short there.

    A run reads what is folded when it begins; what is captured meanwhile waits for the next.

    A pass is applied in short transactions, each together with its entry in the journal and
    what the run has come to: killed at any moment, the run goes on at the pass where it
    stopped. With a budget, it stops between two passes once the time is up, and stays
    unfinished.

    Raises `ErasedMeanwhile` where something is erased after it was read: what was concluded
    from it could hold the very words. Called again, the run goes on from what is left.
    """
    started = sleeper.clock.now()
    run = _begun(sleeper, realm, reason)
    read = partial(_night, sleeper, run)
    night, applied = _as_it_began(sleeper, run, sleeper.compute(read))
    rests = Rests(_head(sleeper, realm))
    for each in _remaining(sleeper, run):
        proposed: _Proposed = sleeper.compute(partial(_proposed, sleeper, each, night))
        run, night = _applied(sleeper, run, after(night, applied), proposed, rests)
        applied = ()
        sleeper.watch(each.name)
        if sleeper.budget is not None and sleeper.clock.now() - started >= sleeper.budget:
            if len(run.passes) < len(sleeper.passes):
                return run
            break
    return _finished(sleeper, run, night)


def dream(sleeper: Sleeper, realm: Realm, reason: str = "dry run") -> Dreamt:
    """Sleep on a private copy that vanishes afterwards, and return what would be concluded."""
    with sleeper.store.snapshot() as copy:
        # Nobody else uses the copy, so nobody is left room.
        alone = replace(sleeper, store=copy, budget=None, rest=lambda _: None)
        run = sleep(alone, realm, reason)
        with copy.reading() as unit:
            return Dreamt(run, tuple(entries_of(unit, run)))


def check_nothing_erased(unit: Unit, night: Night) -> None:
    """Raise `ErasedMeanwhile` if something went after a night was read. Ask before writing."""
    if unit.ledger.destroyed_since(night.realm.tenant, night.head):
        raise ErasedMeanwhile


def entries_of(unit: Unit, run: Run) -> Iterator[tuple[str, ChangeSet]]:
    """Yield what each pass of a run changed, with the name of the pass."""
    for report in run.reports:
        for number in report.entries:
            entry = unit.journal.entry(run.realm.tenant, number)
            if entry is not None:
                yield report.name, entry.change_set


def after(night: Night, changes: Sequence[Change]) -> Night:
    """Return the night with changes carried out, as the next pass sees it."""
    held = dict(night.held)
    rated: dict[str, float] = {}
    suspected: dict[str, Suspect] = {}
    for change in changes:
        if isinstance(change, PutMemory):
            held[change.memory.id] = change.memory
        elif isinstance(change, DropMemory):
            held.pop(change.memory_id, None)
        elif isinstance(change, Rate):
            rated[change.memory_id] = change.enters
        elif isinstance(change, Suspect):
            suspected[change.memory_id] = change
    if not rated and not suspected:
        return replace(night, held=held)

    def seen(memory: Memory) -> Memory:
        if memory.id in rated:
            memory = replace(memory, importance_base=rated[memory.id])
        if memory.id in suspected:
            now = suspected[memory.id]
            since = now.believed_from or memory.belief.believed_from
            belief = replace(memory.belief, suspicion=now.enters, believed_from=since)
            memory = replace(memory, belief=belief)
        return memory

    held |= {each: seen(held[each]) for each in suspected if each in held}
    return replace(night, held=held, episodes=tuple(map(seen, night.episodes)))


@dataclass(frozen=True, slots=True)
class _Proposed:
    step: Pass
    findings: Findings
    kept: Sequence[Conclusion]
    refused: Sequence[Passed]
    seconds: float
    failed: str


def _begun(sleeper: Sleeper, realm: Realm, reason: str) -> Run:
    with sleeper.store.writing() as unit:
        unfinished = unit.runs.unfinished(realm)
        return unfinished or unit.runs.begin(_new_run(sleeper, unit, realm, reason))


def _new_run(sleeper: Sleeper, unit: Unit, realm: Realm, reason: str) -> Run:
    started, read_to = moment(unit, sleeper.clock, realm.tenant)
    return Run(realm, reason, sleeper.concluded_by, read_to, started)


def moment(unit: Unit, clock: Clock, tenant: str) -> tuple[datetime, int]:
    """Return the moment of a conclusion and how far is folded.

    It is later than everything folded, and no earlier than what was concluded before.
    """
    folded = unit.projection.checkpoint(tenant)
    last = unit.ledger.at(tenant, folded)
    now = clock.now() if last is None else max(clock.now(), next_moment(last.recorded_at))
    return max(now, unit.journal.latest(tenant) or now), folded


def _head(sleeper: Sleeper, realm: Realm) -> int:
    """Return how far the ledger has come."""
    with sleeper.store.reading() as unit:
        return unit.ledger.head(realm.tenant).position


def _as_it_began(sleeper: Sleeper, run: Run, night: Night) -> tuple[Night, tuple[Change, ...]]:
    """Return the night as the pass at hand began, and what of that pass is applied already.

    A pass that was cut short is run again on what it saw the first time: on its own first
    half, it might conclude something else.
    """
    if run.begun is None:
        return night, ()
    with sleeper.store.reading() as unit:
        sets = [each for name, each in entries_of(unit, run) if name == run.begun.name]
    for change_set in reversed(sets):
        night = after(night, change_set.undo)
    return night, tuple(change for each in sets for change in each.changes)


def _remaining(sleeper: Sleeper, run: Run) -> list[Pass]:
    done = {report.name for report in run.passes}
    return [each for each in sleeper.passes if each.name not in done]


def _proposed(sleeper: Sleeper, step: Pass, night: Night) -> _Proposed:
    started = sleeper.clock.now()
    failed = ""
    try:
        findings = step.run(night)
    except PassFailed as error:
        findings, failed = error.findings, str(error)
    seconds = (sleeper.clock.now() - started).total_seconds()
    kept, refused = gated(findings, night, step.gates)
    return _Proposed(step, findings, kept, refused, seconds, failed)


def _applied(
    sleeper: Sleeper, run: Run, night: Night, proposed: _Proposed, rests: Rests
) -> tuple[Run, Night]:
    """Apply a pass part by part, and return the run and the night as they are then."""
    *parts, last = in_parts(proposed.kept, sleeper.at_once)
    for part in parts:
        started = perf_counter()
        run, night = _applied_part(sleeper, run, night, proposed, part)
        ended = perf_counter()
        sleeper.rest(rests.after(ended - started, _head(sleeper, run.realm), ended))
    return _applied_part(sleeper, run, night, proposed, last, through=True)


def _applied_part(
    sleeper: Sleeper,
    run: Run,
    night: Night,
    proposed: _Proposed,
    part: Sequence[Conclusion],
    *,
    through: bool = False,
) -> tuple[Run, Night]:
    realm = run.realm
    with sleeper.store.writing() as unit:
        _check_mine(unit, run, night)
        found = applicable(part, night, unit.projection, _turned_away(unit, realm.tenant))
        if not found.changes and not through:
            return run, night
        report = _with(run.begun or PassReport(proposed.step.name, 0, 0, 0, 0), found)
        if found.changes:
            now, after_position = moment(unit, sleeper.clock, realm.tenant)
            unit.projection.apply(realm.tenant, found.changes, Stamp(now, None))
            change_set = ChangeSet(
                realm, f"run {run.number}: {proposed.step.name}", run.concluded_by, run.read_to,
                found.changes, found.undo,
            )  # fmt: skip
            entry = unit.journal.record(realm.tenant, change_set, now, after_position)
            report = replace(report, journal=entry.number, earlier=report.entries)
        if through:
            passes = (*run.passes, _completed(report, proposed))
            run = replace(run, passes=passes, begun=None)
        else:
            run = replace(run, begun=report)
        unit.runs.save(run)
        # Nothing was erased up to here: the next look need not begin before it.
        night = replace(night, head=unit.ledger.head(realm.tenant).position)
    return run, after(night, found.changes)


def _check_mine(unit: Unit, run: Run, night: Night) -> None:
    """Raise unless the run stands as it is known here, and all that was read may be written."""
    check_nothing_erased(unit, night)
    standing = unit.runs.run(run.realm.tenant, run.number)
    if standing is None or standing.reports != run.reports:
        raise LeaseLost(f"another process has gone on with run {run.number}")


def _with(report: PassReport, found: Applicable) -> PassReport:
    """Return a report with what one more part came to."""
    decisions = Counter(report.decisions)
    decisions.update(each.decision.value for each in found.conclusions)
    return replace(
        report,
        applied=report.applied + len(found.conclusions),
        skipped=report.skipped + len(found.passed),
        decisions=dict(decisions),
        passed=(*report.passed, *found.passed)[:MOST_TOLD],
    )


def _completed(report: PassReport, proposed: _Proposed) -> PassReport:
    """Return the report of a pass that is through, with what it read and left alone."""
    left = [*proposed.findings.passed, *proposed.refused]
    return replace(
        report,
        read=proposed.findings.read,
        proposed=len(proposed.findings.conclusions),
        skipped=report.skipped + len(left),
        passed=(*left, *report.passed)[:MOST_TOLD],
        seconds=round(proposed.seconds, 3),
        failed=proposed.failed,
    )


def _finished(sleeper: Sleeper, run: Run, night: Night) -> Run:
    done = replace(
        run, state=RunState.FINISHED, finished_at=max(run.started_at, sleeper.clock.now())
    )
    with sleeper.store.writing() as unit:
        # Its reports may name what was left alone.
        _check_mine(unit, run, night)
        unit.runs.save(done)
    return done


def _night(sleeper: Sleeper, run: Run) -> Night:
    realm = run.realm
    with sleeper.store.reading() as unit:
        episodes = _all(unit, run, [EPISODE], [Status.ACTIVE])
        back = _all(unit, run, [EPISODE], TAKEN_BACK)
        kinds = {kind for _, kind, _, _ in unit.projection.counts(realm)} - {EPISODE}
        known = _all(unit, run, sorted(kinds), list(Status)) if kinds else []
        return Night(
            realm=realm,
            now=run.started_at,
            read_to=run.read_to,
            episodes=tuple(each for each in episodes if each.position <= run.read_to),
            held={each.id: each for each in known},
            erased=frozenset(_erased(unit, realm, known)),
            stepped_back=frozenset(each.position for each in back),
            refused=frozenset(_refused(unit, realm)),
            uses=dict(_uses(unit, run)),
            exists=sleeper.tree(realm),
            head=unit.ledger.head(realm.tenant).position,
        )


def _all(unit: Unit, run: Run, kinds: Sequence[str], statuses: Sequence[Status]) -> list[Memory]:
    """Return the memories of exactly this realm, oldest first."""
    standpoint = Standpoint(View.HISTORY, run.started_at)
    found = unit.projection.listing(
        run.realm, standpoint, types=kinds, limit=MOST_READ, statuses=statuses
    )
    return [each for each in reversed(found) if each.realm == run.realm]


def _uses(unit: Unit, run: Run) -> Iterator[tuple[str, tuple[Use, ...]]]:
    """Yield the uses of what was used several times, as far as the run reads."""
    for life in unit.lives.often_used(run.realm, FEWEST_TOGETHER, MOST_USED):
        yield life.memory_id, tuple(each for each in life.uses if each.position <= run.read_to)


def _erased(unit: Unit, realm: Realm, known: Sequence[Memory]) -> Iterator[int]:
    """Yield the cited positions whose record was erased.

    What left by age was not: a summary is made to stand for it, and an export holds it.
    """
    cited = {each.position for memory in known for each in memory.belief.provenance}
    purged = purged_positions(unit.ledger, realm.tenant)
    for position in sorted(cited - {0} - purged):
        record = unit.ledger.at(realm.tenant, position)
        if record is not None and record.payload is None:
            yield position


def _refused(unit: Unit, realm: Realm) -> Iterator[str]:
    """Yield the ids of what a person took back by reverting a run."""
    for run in unit.runs.reverted(realm):
        for _, change_set in entries_of(unit, run):
            for change in change_set.undo:
                if isinstance(change, DropMemory):
                    yield change.memory_id
                elif isinstance(change, DropEdge):
                    yield change.edge_id
                elif isinstance(change, Rate):
                    yield rating_of(change.memory_id)
                elif isinstance(change, Suspect):
                    yield suspecting_of(change.memory_id)


def _turned_away(unit: Unit, tenant: str) -> Callable[[str], bool]:
    """Return how to ask whether words lie in a tomb; one look if there are no tombs."""
    first = unit.ledger.at(tenant, 1) if unit.projection.has_tombs(tenant) else None
    if first is None:
        return lambda _: False
    seal = first.seal
    return lambda text: any(unit.projection.entombed(tenant, each) for each in tombs(seal, text))
