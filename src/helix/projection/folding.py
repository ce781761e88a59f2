"""Folding: one act in its place becomes changes. Pure but for what it may look up (`Known`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from helix.model import act as acts
from helix.model.act import Act
from helix.model.changes import Change, DropMemory, PutEdge, PutMemory, PutTomb
from helix.model.edge import CONTRADICTS, SUPERSEDES, Edge
from helix.model.memory import Belief, Memory, Status
from helix.model.provenance import Provenance, Source
from helix.model.record import Record
from helix.model.types import Shape
from helix.ports.projection import Known
from helix.projection import episodes, undoing
from helix.rules.agreement import confirmed, contradicted
from helix.rules.influence import adds_weight, may_supersede
from helix.rules.naming import edge_id, fingerprint
from helix.rules.validity import closed_by

Changes = tuple[Change, ...]


def fold(record: Record, act: Act | None, known: Known) -> Changes:
    """Return what one record changes; nothing if its payload was erased."""
    if act is None:
        return ()
    return _FOLDS[type(act)](record, act, known)


def asserted(record: Record, act: acts.Asserted) -> Memory:
    """Return the memory that an assertion brings about."""
    since = act.valid_from or record.recorded_at
    belief = Belief(
        status=episodes.standing(act.suspicion),
        valid_from=since,
        valid_to=act.valid_to,
        confidence=act.confidence,
        since=record.position,
        stems_from=record.position,
        believed_from=record.recorded_at,
        provenance=(Provenance(act.source, record.position),),
        suspicion=act.suspicion,
    )
    return Memory(
        id=act.memory_id,
        type=act.type,
        shape=Shape(act.shape),
        content=act.content,
        realm=record.realm,
        position=record.position,
        recorded_at=record.recorded_at,
        fingerprint=fingerprint(act.type, act.content),
        importance_base=act.importance_base,
        importance_hint=act.importance_hint,
        belief=belief,
        expires_at=act.expires_at,
        event_time=act.event_time,
        attributes=act.attributes,
    )


def changed(memory: Memory, record: Record, belief: Belief) -> PutMemory:
    """Return the memory with something else believed about it since this record."""
    return PutMemory(replace(memory, belief=_since(belief, record)))


def drawn(record: Record, link: tuple[str, str, str], source: Source, weight: float) -> PutEdge:
    """Return the edge that a record draws: from, relation, to."""
    from_id, relation, to_id = link
    return PutEdge(
        Edge(
            id=edge_id(record.position, 1),
            from_id=from_id,
            to_id=to_id,
            relation=relation,
            realm=record.realm,
            provenance=Provenance(source, record.position),
            created_at=record.recorded_at,
            weight=weight,
        )
    )


def _asserted(record: Record, act: acts.Asserted, known: Known) -> Changes:
    return (PutMemory(asserted(record, act)),)


def _corrected(record: Record, act: acts.Corrected, known: Known) -> Changes:
    new = asserted(record, act.by)
    changes: list[Change] = [PutMemory(new)]
    old = known.held(record.realm.tenant, act.corrects)
    if old is not None and not may_supersede(old.belief, act.by):
        # Whoever is weaker may disagree, and both are doubted; the stronger word still stands.
        if new.status is Status.ACTIVE:
            doubted = replace(old.belief, confidence=contradicted(old.belief.confidence))
            changes.append(changed(old, record, doubted))
            changes.append(drawn(record, (new.id, CONTRADICTS, old.id), act.by.source, 1.0))
    elif old is not None:
        closed = closed_by(old.belief, new.belief.valid_from, new.id)
        changes.append(changed(old, record, closed))
        changes.append(drawn(record, (new.id, SUPERSEDES, old.id), act.by.source, 1.0))
    return tuple(changes)


def _confirmed(record: Record, act: acts.Confirmed, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    belief = memory.belief
    counts = adds_weight(act.source, belief)
    surer = replace(
        belief,
        # A source that vouches for its own word again makes nothing surer.
        confidence=confirmed(belief.confidence, act.source.origin) if counts else belief.confidence,
        confirmations=belief.confirmations + counts,
        provenance=(*belief.provenance, Provenance(act.source, record.position)),
    )
    return (changed(memory, record, surer),)


def _related(record: Record, act: acts.Related, known: Known) -> Changes:
    return (drawn(record, (act.from_id, act.relation, act.to_id), act.source, act.weight),)


def _forgotten(record: Record, act: acts.Forgotten, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    return (changed(memory, record, replace(memory.belief, status=Status.FORGOTTEN)),)


def _restored(record: Record, act: acts.Restored, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    return (changed(memory, record, replace(memory.belief, status=Status.ACTIVE)),)


def _approved(record: Record, act: acts.Approved, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    belief = memory.belief
    vouched = replace(
        belief,
        status=Status.ACTIVE if belief.status is Status.QUARANTINED else belief.status,
        suspicion=None,
        confidence=confirmed(belief.confidence, act.source.origin),
        provenance=(*belief.provenance, Provenance(act.source, record.position)),
    )
    return (changed(memory, record, vouched),)


def _rejected(record: Record, act: acts.Rejected, known: Known) -> Changes:
    tomb: Changes = (PutTomb(record.realm, act.tomb),) if act.tomb else ()
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return tomb
    return (changed(memory, record, replace(memory.belief, status=Status.REJECTED)), *tomb)


def _pinned(record: Record, act: acts.Pinned, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    return (changed(memory, record, replace(memory.belief, pinned=act.pinned)),)


def _erased(record: Record, act: acts.Erased, known: Known) -> Changes:
    tomb: Changes = (PutTomb(record.realm, act.tomb),) if act.tomb else ()
    memory = known.born_at(record.realm.tenant, act.position)
    return (DropMemory(memory.realm, memory.id), *tomb) if memory else tomb


def _since(belief: Belief, record: Record) -> Belief:
    return replace(
        belief,
        since=record.position,
        stems_from=record.position,
        believed_from=record.recorded_at,
    )


_FOLDS: dict[type[Act], Callable[..., Changes]] = {
    acts.Captured: episodes.captured,
    acts.SessionStarted: episodes.session_started,
    acts.SessionEnded: episodes.session_ended,
    acts.Asserted: _asserted,
    acts.Corrected: _corrected,
    acts.Confirmed: _confirmed,
    acts.Related: _related,
    acts.Forgotten: _forgotten,
    acts.Restored: _restored,
    acts.Pinned: _pinned,
    acts.Approved: _approved,
    acts.Rejected: _rejected,
    acts.RolledBack: undoing.rolled_back,
    acts.Erased: _erased,
}
