"""Memories, beliefs and edges as rows, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from helix.adapters.sqlite.places import Places
from helix.model.edge import Edge
from helix.model.memory import Belief, Circumstances, EventTime, Memory
from helix.model.moment import from_micros, to_micros
from helix.model.provenance import Provenance, Source
from helix.model.types import Shape

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Detail:
    """What is shown but never filtered by."""

    event_time: EventTime | None = None
    circumstances: Circumstances | None = None
    attributes: Mapping[str, object] = field(default_factory=dict)


encode = msgspec.json.Encoder(order="deterministic").encode
_decode_belief = msgspec.json.Decoder(Belief).decode
_decode_detail = msgspec.json.Decoder(Detail).decode
_decode_source = msgspec.json.Decoder(Source).decode

MEMORY_COLUMNS = (
    "m.key, m.place, m.id, m.type, m.shape, m.content, m.position, m.recorded_at, m.fingerprint,"
    " m.importance_base, m.importance_hint, m.expires_at, m.detail"
)
"""What `memory_of` reads, followed by the belief that is meant."""

INSERT_MEMORY = (
    "INSERT INTO memories (tenant, place, status, valid_from, valid_to, expires_at, recorded_at,"
    " type, position, id, shape, fingerprint, parent_event_id, importance_base, importance_hint,"
    " belief, detail, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (tenant, id) DO NOTHING"
)
EDGE_COLUMNS = (
    "e.place, e.id, a.id, b.id, e.relation, e.weight, e.created_at, e.position,"
    " e.ended_at, e.ended_by, e.source"
)


def memory_row(memory: Memory, tenant: int, place: int) -> Row:
    """Return the bindings of `INSERT_MEMORY`."""
    belief = memory.belief
    around = memory.circumstances
    return (
        tenant,
        place,
        belief.status.value,
        to_micros(belief.valid_from),
        belief.valid_to and to_micros(belief.valid_to),
        memory.expires_at and to_micros(memory.expires_at),
        to_micros(memory.recorded_at),
        memory.type,
        memory.position,
        memory.id,
        memory.shape.value,
        memory.fingerprint,
        around.parent_event_id if around else "",
        memory.importance_base,
        memory.importance_hint,
        encode(belief),
        encode(Detail(memory.event_time, around, memory.attributes)),
        memory.content,
    )


def memory_of(row: Row, places: Places) -> Memory:
    """Return the memory in a row of `MEMORY_COLUMNS` and a belief."""
    (_, place, memory_id, type_name, shape, content, position, recorded_at, fingerprint,
     base, hint, expires_at, detail_bytes, belief) = row[:14]  # fmt: skip
    detail = _decode_detail(detail_bytes)
    return Memory(
        id=memory_id,
        type=type_name,
        shape=Shape(shape),
        content=content,
        realm=places.realm(place),
        position=position,
        recorded_at=from_micros(recorded_at),
        fingerprint=fingerprint,
        importance_base=base,
        importance_hint=hint,
        belief=_decode_belief(belief),
        expires_at=None if expires_at is None else from_micros(expires_at),
        event_time=detail.event_time,
        circumstances=detail.circumstances,
        attributes=detail.attributes,
    )


def belief_of(body: bytes) -> Belief:
    """Return the belief that was encoded."""
    return _decode_belief(body)


def edge_of(row: Row, places: Places) -> Edge:
    """Return the edge in a row of `EDGE_COLUMNS`."""
    (place, edge_id, from_id, to_id, relation, weight, created_at, position,
     ended_at, ended_by, source) = row  # fmt: skip
    return Edge(
        id=edge_id,
        from_id=from_id,
        to_id=to_id,
        relation=relation,
        realm=places.realm(place),
        provenance=Provenance(_decode_source(source), position),
        created_at=from_micros(created_at),
        weight=weight,
        ended_at=None if ended_at is None else from_micros(ended_at),
        ended_by=ended_by,
    )
