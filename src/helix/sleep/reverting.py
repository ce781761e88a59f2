"""Taking a run back: every memory returns to what stood before it, and it is not drawn again."""

from __future__ import annotations

from collections.abc import Iterable
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
    returned: set[str] = set()
    numbered = [(each.name, number) for each in run.passes for number in each.entries]
    for name, number in reversed(numbered):
        entry = unit.journal.entry(tenant, number)
        if entry is None:
            continue
        standing = _Standing(unit.projection, tenant, entry.change_set, frozenset(returned))
        changes, kept = _possible(entry.change_set, standing, now)
        unit.projection.apply(tenant, changes, Stamp(now, None))
        change_set = ChangeSet(
            run.realm, f"run {run.number} reverted: {name}", "person", run.read_to,
            tuple(changes), reverts=entry.number,
        )  # fmt: skip
        unit.journal.record(tenant, change_set, now, unit.projection.checkpoint(tenant))
        returned |= {each.memory.id for each in _memories(changes)}
        undone += len(changes)
        left += kept
    return undone, left


class _Standing:
    """What stands now of what a change set made."""

    def __init__(
        self, projection: Projection, tenant: str, done: ChangeSet, returned: frozenset[str]
    ) -> None:
        """Take the memories that this reverting has returned already, from later passes."""
        self._projection, self._tenant = projection, tenant
        self._made = {each.memory.id: each.memory.belief for each in _memories(done.changes)}
        self._returned = returned

    def held(self, memory_id: str) -> Memory | None:
        """Return a memory as it stands."""
        return self._projection.held(self._tenant, memory_id)

    def moved_on(self, memory: Memory) -> bool:
        """Return whether something else is believed about a memory than the change set said."""
        made, now = self._made[memory.id], memory.belief
        if memory.id in self._returned:  # held since now, which is our own doing
            now = replace(now, believed_from=made.believed_from)
        return now != made


def _possible(
    done: ChangeSet, standing: _Standing, now: datetime
) -> tuple[list[Change], list[Passed]]:
    """Return the changes that lead back, and what has gone on since."""
    changes: list[Change] = []
    left: list[Passed] = []
    kept: set[str] = set()
    gone = _gone(done, standing)
    for change in done.undo:
        memory_id = _memory_id(change)
        if memory_id:
            held = standing.held(memory_id)
            if held is None:
                continue
            moved_on = standing.moved_on(held)
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


def _gone(done: ChangeSet, standing: _Standing) -> set[str]:
    """Return the ids of the memories that go with a change set: nobody has built on them."""
    dropped = [each.memory_id for each in done.undo if isinstance(each, DropMemory)]
    held = [standing.held(each) for each in dropped]
    return {each.id for each in held if each is not None and not standing.moved_on(each)}


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
