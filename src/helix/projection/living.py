"""Folding what happens in a memory's life: it is used, promoted, demoted."""

from __future__ import annotations

from dataclasses import replace

from helix.model import act as acts
from helix.model.changes import Change, PutMemory, PutUse
from helix.model.edge import DERIVED_FROM
from helix.model.life import GOOD, Use
from helix.model.memory import Belief, Memory, Status
from helix.model.provenance import Origin
from helix.model.record import Record
from helix.ports.projection import Known
from helix.projection.believing import asserted, changed, drawn
from helix.rules.agreement import MISLEADING, doubted
from helix.rules.naming import same_words
from helix.rules.validity import has_expired, present_of

Changes = tuple[Change, ...]


def used(record: Record, act: acts.Used, known: Known) -> Changes:
    """Return the use, and what it changes: a misled user doubts, a helped one brings back."""
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    use = Use(record.recorded_at, act.quality, act.source.origin, record.position)
    changes: list[Change] = [PutUse(memory.realm, memory.id, use)]
    belief = _after(memory, record, act, known)
    if belief != memory.belief:
        changes.append(changed(memory, record, belief))
    return tuple(changes)


def promoted(record: Record, act: acts.Promoted, known: Known) -> Changes:
    """Return what is held from now on, and the edge to the episode it rests on."""
    new = asserted(record, act.by)
    changes: list[Change] = [PutMemory(new)]
    ground = known.held(record.realm.tenant, act.promotes)
    if ground is not None:
        if _witnessed(ground, act.by):
            witnesses = (*new.belief.provenance, *ground.belief.provenance)
            changes = [PutMemory(replace(new, belief=replace(new.belief, provenance=witnesses)))]
        changes.append(drawn(record, (new.id, DERIVED_FROM, ground.id), act.by.source, 1.0))
    return tuple(changes)


def _witnessed(ground: Memory, by: acts.Asserted) -> bool:
    """Return whether the witnesses of an episode are witnesses of what was made of it."""
    # In an agent's own words it would be the agent's word with the user's name to it.
    return by.source.origin is Origin.USER_ASSERTED or same_words(ground.content, by.content)


def demoted(record: Record, act: acts.Demoted, known: Known) -> Changes:
    """Return the memory in the archive."""
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    return (changed(memory, record, replace(memory.belief, status=Status.ARCHIVED)),)


def _after(memory: Memory, record: Record, act: acts.Used, known: Known) -> Belief:
    belief, now = memory.belief, record.recorded_at
    if act.quality <= MISLEADING:
        return replace(belief, confidence=doubted(belief.confidence, act.source.origin))
    # What has expired would not answer again, and the next sweep would archive it again.
    brings_back = act.quality >= GOOD and not has_expired(memory, now)
    if brings_back and belief.status is Status.ARCHIVED:
        # Unless the same was said again meanwhile: then that one is held already.
        at = present_of(memory, now)
        alike = memory.fingerprint and known.alike(memory.realm, memory.fingerprint, at)
        if not alike:
            return replace(belief, status=Status.ACTIVE)
    return belief
