"""What several folds share: a memory from a statement, another belief, an edge."""

from __future__ import annotations

from dataclasses import replace

from helix.model import act as acts
from helix.model.changes import PutEdge, PutMemory
from helix.model.edge import Edge
from helix.model.memory import Belief, Memory
from helix.model.provenance import Provenance, Source
from helix.model.record import Record
from helix.model.types import Shape
from helix.rules.foreign import standing
from helix.rules.naming import edge_id, fingerprint


def asserted(record: Record, act: acts.Asserted) -> Memory:
    """Return the memory that an assertion brings about."""
    since = act.valid_from or record.recorded_at
    belief = Belief(
        status=standing(act.suspicion),
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


def _since(belief: Belief, record: Record) -> Belief:
    return replace(
        belief,
        since=record.position,
        stems_from=record.position,
        believed_from=record.recorded_at,
    )
