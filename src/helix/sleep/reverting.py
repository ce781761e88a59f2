"""Taking a run back: every memory returns to what stood before it, and it is not drawn again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from helix.model.changes import Change, ChangeSet, DropMemory, PutMemory, Suspect
from helix.model.errors import Conflict, NotFound
from helix.model.memory import Belief, Memory, Status
from helix.model.night import Passed
from helix.model.run import Run, RunState
from helix.model.scope import Realm
from helix.ports.clock import Clock
from helix.ports.projection import Projection, Stamp
from helix.ports.store import Store, Unit
from helix.sleep.workflow import moment


@dataclass(frozen=True, slots=True)
class Reverted:
    """A run that was taken back: how much of it, and what had gone on since and was left."""

    run: Run
    undone: int
    left: tuple[Passed, ...]


def revert(store: Store, clock: Clock, realm: Realm, number: int) -> Reverted:
    """Take back what a run concluded, in one transaction.

    What a person or a later run has built on since stays as it is, and is named. Raises
    `NotFound` for a run of another realm, `Conflict` for one that was reverted before or is
    still running.
    """
    with store.writing() as unit:
        run = unit.runs.run(realm.tenant, number)
        if run is None or run.realm != realm:
            raise NotFound(
                f"there is no run {number} in {realm.scope}",
                code="unknown_run",
                remedy="`helix runs` shows them",
            )
        if run.state is not RunState.FINISHED:
            raise Conflict(
                f"run {number} is {run.state.value}",
                code="run_not_revertible",
                remedy="`helix runs` shows which can be reverted",
            )
        now, _ = moment(unit, clock, realm.tenant)
        undone, left = _undo(unit, run, now)
        reverted = replace(run, state=RunState.REVERTED)
        unit.runs.save(reverted)
        return Reverted(reverted, undone, tuple(left))


def _undo(unit: Unit, run: Run, now: datetime) -> tuple[int, list[Passed]]:
    tenant = run.realm.tenant
    undone, left = 0, []
    numbered = [(each.name, number) for each in run.passes for number in each.entries]
    for name, number in reversed(numbered):
        entry = unit.journal.entry(tenant, number)
        if entry is None:
            continue
        changes, kept = _possible(entry.change_set, unit.projection, tenant, now)
        unit.projection.apply(tenant, changes, Stamp(now, None))
        change_set = ChangeSet(
            run.realm, f"run {run.number} reverted: {name}", "person", run.read_to,
            tuple(changes), reverts=entry.number,
        )  # fmt: skip
        unit.journal.record(tenant, change_set, now, unit.projection.checkpoint(tenant))
        undone += len(changes)
        left += kept
    return undone, left


def _possible(
    done: ChangeSet, projection: Projection, tenant: str, now: datetime
) -> tuple[list[Change], list[Passed]]:
    """Return the changes that lead back, and what has gone on since."""
    made = {each.memory.id: each.memory for each in _memories(done.changes)}
    changes: list[Change] = []
    left: list[Passed] = []
    kept: set[str] = set()
    gone = _gone(done, made, projection, tenant)
    for change in done.undo:
        memory_id = _memory_id(change)
        if memory_id:
            held = projection.held(tenant, memory_id)
            if held is None:
                continue
            moved_on = held.belief != made[memory_id].belief
            if moved_on and isinstance(change, PutMemory) and _gave_way_to(held, gone):
                changes.append(_standing_again(held, change.memory.belief, now))
                continue
            if moved_on and memory_id not in kept:
                kept.add(memory_id)
                left.append(Passed(memory_id, "something else is believed about it since"))
            if memory_id in kept:
                continue
        changes.append(_held_anew(change, now))
    return changes, left


def _gone(
    done: ChangeSet, made: Mapping[str, Memory], projection: Projection, tenant: str
) -> set[str]:
    """Return the ids of the memories that go with a change set: nobody has built on them."""
    dropped = [each.memory_id for each in done.undo if isinstance(each, DropMemory)]
    held = ((each, projection.held(tenant, each)) for each in dropped)
    return {each for each, now in held if now is not None and now.belief == made[each].belief}


def _gave_way_to(memory: Memory, gone: set[str]) -> bool:
    return memory.status is Status.SUPERSEDED and memory.belief.superseded_by in gone


def _standing_again(held: Memory, before: Belief, now: datetime) -> PutMemory:
    # Its successor goes, so it stands as before, whatever was decided about it since: a memory
    # that gave way to nothing would be lost. What was decided stays.
    belief = replace(
        held.belief,
        status=before.status,
        valid_to=before.valid_to,
        superseded_by=before.superseded_by,
        believed_from=now,
    )
    return PutMemory(replace(held, belief=belief))


def _held_anew(change: Change, now: datetime) -> Change:
    # What was believed before is believed again from here; that it was not in between, was so.
    if isinstance(change, Suspect):
        return replace(change, believed_from=now)
    if not isinstance(change, PutMemory):
        return change
    belief = replace(change.memory.belief, believed_from=now)
    return PutMemory(replace(change.memory, belief=belief))


def _memories(changes: Iterable[Change]) -> list[PutMemory]:
    return [each for each in changes if isinstance(each, PutMemory)]


def _memory_id(change: Change) -> str:
    match change:
        case PutMemory(memory):
            return memory.id
        case DropMemory(_, memory_id):
            return memory_id
        case _:
            return ""
