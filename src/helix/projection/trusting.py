"""Folding trust in a source: what waited for it counts, or what counted on it waits."""

from __future__ import annotations

from dataclasses import replace

from helix.model import act as acts
from helix.model.changes import Change, PutTrust
from helix.model.memory import Belief, Memory, Status
from helix.model.record import Record
from helix.ports.projection import Known
from helix.projection.believing import changed
from helix.rules.foreign import held_back, passed
from helix.rules.validity import present_of


def trusted(record: Record, act: acts.Trusted, known: Known) -> tuple[Change, ...]:
    """Return the decision, and the memories to which it makes a difference."""
    changes: list[Change] = [PutTrust(record.realm, act.name, record.position, act.trusted)]
    for position in act.positions:
        memory = known.born_at(record.realm.tenant, position)
        # A source speaks for what it brought into one realm, not for what stands elsewhere.
        if memory is None or memory.realm != record.realm:
            continue
        if act.trusted:
            belief = _counting(memory, passed(memory.belief, act.name), record, known)
        else:
            belief = held_back(memory.belief, act.name)
        if belief != memory.belief:
            changes.append(changed(memory, record, belief))
    return tuple(changes)


def _counting(memory: Memory, belief: Belief, record: Record, known: Known) -> Belief:
    """Return what is believed of a memory once its source is trusted."""
    if belief.status is Status.ACTIVE and _lay_in_the_archive(memory, known):
        return replace(belief, status=Status.ARCHIVED)
    # What somebody has said in the same words meanwhile is held already.
    at = present_of(memory, record.recorded_at)
    said = memory.fingerprint and known.alike(memory.realm, memory.fingerprint, at)
    return memory.belief if said else belief


def _lay_in_the_archive(memory: Memory, known: Known) -> bool:
    """Return whether an act held a memory back that lay in the archive.

    Followed back by what each belief stems from: an act that a rollback undid is passed over.
    """
    earlier = known.earlier(memory.realm.tenant, memory.id)
    ended_by = {each.ended_by: each.belief for each in earlier if each.ended_by is not None}
    belief: Belief | None = memory.belief
    while belief is not None and belief.status is Status.QUARANTINED:
        belief = ended_by.get(belief.stems_from)
    return belief is not None and belief.status is Status.ARCHIVED
