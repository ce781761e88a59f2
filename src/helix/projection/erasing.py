"""What of the journal must go with erased memories. Pure.

Whatever was concluded from something erased goes with it: a summary may hold its words. It is
concluded anew from what is left when Helix next sleeps.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace

from helix.model import changes as kinds
from helix.model.changes import Change, ChangeSet, JournalEntry
from helix.model.edge import Edge
from helix.model.memory import Memory
from helix.model.provenance import FIRST_HAND
from helix.rules.mentions import mentioned
from helix.rules.relief import relieved, without_reasons
from helix.rules.written import written_of

Changes = tuple[Change, ...]


def scrubbed(
    entries: Iterable[JournalEntry], memory_ids: Iterable[str], positions: Iterable[int]
) -> tuple[set[str], dict[int, ChangeSet]]:
    """Return all memories that go, and by number the entries as they stand without them."""
    kept = list(entries)
    gone, erased = set(memory_ids), set(positions)
    # What was concluded from a conclusion goes as well, however long the chain.
    while True:
        before = len(gone)
        for entry in kept:
            for change in (*entry.change_set.changes, *entry.change_set.undo):
                gone |= _rests_on(change, gone, erased)
        if len(gone) == before:
            break
    rewritten = {}
    for entry in kept:
        changed = _without(entry.change_set, gone, relieving=True)
        if changed != entry.change_set:
            rewritten[entry.number] = changed
    return gone, rewritten


def without(entries: Iterable[JournalEntry], memory_ids: Iterable[str]) -> dict[int, ChangeSet]:
    """Return, by number, the entries that name these memories as they stand without them.

    What was concluded from them stays: this is for what leaves by age.
    """
    gone = set(memory_ids)
    found = {entry.number: _without(entry.change_set, gone, relieving=False) for entry in entries}
    return {
        entry.number: found[entry.number]
        for entry in entries
        if found[entry.number] != entry.change_set
    }


def unborn(change_set: ChangeSet, reborn: Container[str]) -> ChangeSet:
    """Return a change set that leaves alone what is believed of memories said anew since."""
    changes, undo = (
        tuple(each for each in which if _about(each) not in reborn)
        for which in (change_set.changes, change_set.undo)
    )
    return replace(change_set, changes=changes, undo=undo)


def _rests_on(change: Change, gone: set[str], erased: set[int]) -> set[str]:
    match change:
        case kinds.PutMemory(memory):
            # What a record said itself is another matter: there, a lost witness is only that.
            if all(each.source.extractor in FIRST_HAND for each in memory.belief.provenance):
                return set()
            witnesses = {each.position for each in memory.belief.provenance}
            rests = witnesses & erased or mentioned(written_of(memory), gone)
            return {memory.id} if rests else set()
        case kinds.PutEdge(edge) if edge.relation in GROUNDING and edge.to_id in gone:
            return {edge.from_id}
        case _:
            return set()


GROUNDING = frozenset({"derived_from", "summarises"})
"""Edges that lead from a conclusion to what grounds it."""


def _without(change_set: ChangeSet, gone: set[str], *, relieving: bool) -> ChangeSet:
    changes = tuple(each for each in change_set.changes if not _names(each, gone))
    undo = tuple(each for each in change_set.undo if not _names(each, gone))
    if relieving:
        changes, undo = _as_if_never(changes, undo, gone)
    if changes == change_set.changes and undo == change_set.undo:
        return change_set
    # The reason may quote what it speaks of.
    return replace(change_set, changes=changes, undo=undo, reason="(erased in part)")


def _as_if_never(changes: Changes, undo: Changes, gone: set[str]) -> tuple[Changes, Changes]:
    """Return the changes without what was held against others in the name of what is gone."""
    new = tuple(_relieved(each, gone) for each in changes)
    old = tuple(_relieved(each, gone) for each in undo)
    # Where nothing but that was concluded, nothing was concluded.
    idle = _idle(new, old) - _idle(changes, undo)
    return (
        tuple(each for each in new if _about(each) not in idle),
        tuple(each for each in old if _about(each) not in idle),
    )


def _relieved(change: Change, gone: set[str]) -> Change:
    match change:
        case kinds.PutMemory(memory):
            belief = relieved(memory.belief, gone)
            return kinds.PutMemory(replace(memory, belief=belief))
        case kinds.Suspect(leaves=leaves, enters=enters):
            return replace(
                change,
                leaves=without_reasons(leaves, gone),
                enters=without_reasons(enters, gone),
            )
        case _:
            return change


def _idle(changes: Iterable[Change], undo: Iterable[Change]) -> set[str]:
    """Return of which memories nothing else is believed than before: only the doubt was new."""
    before, after = (
        {each.memory.id: each.memory for each in which if isinstance(each, kinds.PutMemory)}
        for which in (undo, changes)
    )
    both = before.keys() & after.keys()
    return {each for each in both if _timeless(before[each]) == _timeless(after[each])}


def _timeless(memory: Memory) -> Memory:
    return replace(memory, belief=replace(memory.belief, believed_from=memory.recorded_at))


def _about(change: Change) -> str:
    return change.memory.id if isinstance(change, kinds.PutMemory) else ""


def _names(change: Change, gone: set[str]) -> bool:
    match change:
        case kinds.PutMemory(memory):
            return memory.id in gone or memory.belief.superseded_by in gone
        case kinds.PutEdge(edge):
            return _touches(edge, gone)
        case kinds.PutSession(session):
            return session.last_episode in gone
        case _:
            return getattr(change, "memory_id", "") in gone


def _touches(edge: Edge, gone: set[str]) -> bool:
    return edge.from_id in gone or edge.to_id in gone
