"""What of the journal must go with erased memories. Pure.

Whatever was concluded from something erased goes with it: a summary may hold its words. It is
concluded anew from what is left when Helix next sleeps.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from helix.model import changes as kinds
from helix.model.changes import Change, ChangeSet, JournalEntry
from helix.model.edge import Edge


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
        changed = _without(entry.change_set, gone)
        if changed != entry.change_set:
            rewritten[entry.number] = changed
    return gone, rewritten


def without(entries: Iterable[JournalEntry], memory_ids: Iterable[str]) -> dict[int, ChangeSet]:
    """Return, by number, the entries that name these memories as they stand without them.

    What was concluded from them stays: this is for what leaves by age.
    """
    gone = set(memory_ids)
    found = {entry.number: _without(entry.change_set, gone) for entry in entries}
    return {
        entry.number: found[entry.number]
        for entry in entries
        if found[entry.number] != entry.change_set
    }


def _rests_on(change: Change, gone: set[str], erased: set[int]) -> set[str]:
    match change:
        case kinds.PutMemory(memory):
            # What a record said itself is another matter: there, a lost witness is only that.
            concluded = any(each.source.extractor != DIRECT for each in memory.belief.provenance)
            witnesses = {each.position for each in memory.belief.provenance}
            return {memory.id} if concluded and witnesses & erased else set()
        case kinds.PutEdge(edge) if edge.relation in GROUNDING and edge.to_id in gone:
            return {edge.from_id}
        case _:
            return set()


DIRECT = "direct"
GROUNDING = frozenset({"derived_from", "summarises"})
"""Edges that lead from a conclusion to what grounds it."""


def _without(change_set: ChangeSet, gone: set[str]) -> ChangeSet:
    changes = _left_of(change_set.changes, gone)
    undo = _left_of(change_set.undo, gone)
    if (changes, undo) == (change_set.changes, change_set.undo):
        return change_set
    # The reason may quote what it speaks of.
    return replace(change_set, changes=changes, undo=undo, reason="(erased in part)")


def _left_of(changes: Iterable[Change], gone: set[str]) -> tuple[Change, ...]:
    return tuple(_undoubted(each, gone) for each in changes if not _names(each, gone))


def _undoubted(change: Change, gone: set[str]) -> Change:
    """Return a change without the doubts that name what goes: an id is made of words."""
    if not isinstance(change, kinds.PutMemory):
        return change
    belief = change.memory.belief
    left = tuple(each for each in belief.doubts if gone.isdisjoint(each.split()))
    if left == belief.doubts:
        return change
    return kinds.PutMemory(replace(change.memory, belief=replace(belief, doubts=left)))


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
