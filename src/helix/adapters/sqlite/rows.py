"""Memories, beliefs and edges as rows, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec

from helix.adapters.sqlite.faults import FOLD_AGAIN, UNREADABLE, damaged
from helix.adapters.sqlite.places import Places
from helix.model.edge import Edge
from helix.model.memory import Belief, Circumstances, EventTime, Memory, Status
from helix.model.moment import from_micros, to_micros
from helix.model.provenance import Origin, Provenance, Source
from helix.model.suspicion import Suspicion
from helix.model.types import Shape

Row = tuple[Any, ...]

_STATUSES = {each.value: each for each in Status}
_SHAPES = {each.value: each for each in Shape}

encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder().decode

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
EDGE_ROWS = "edges e JOIN memories a ON a.key = e.start JOIN memories b ON b.key = e.finish"
"""Where `EDGE_COLUMNS` are read from."""


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
        written(belief),
        _written_detail(memory),
        memory.content,
    )


def memory_of(row: Row, places: Places) -> Memory:
    """Return the memory in a row of `MEMORY_COLUMNS` and a belief; damage if there is none."""
    try:
        return _memory_of(row, places)
    except UNREADABLE as error:
        raise damaged(f"memory {row[2]!r}", FOLD_AGAIN) from error


def _memory_of(row: Row, places: Places) -> Memory:
    (_, place, memory_id, type_name, shape, content, position, recorded_at, fingerprint,
     base, hint, expires_at, detail_bytes, belief) = row[:14]  # fmt: skip
    if not type(memory_id) is type(type_name) is type(content) is str:
        raise TypeError
    event_time, circumstances, attributes = _detail_of(detail_bytes)
    return Memory(
        id=memory_id,
        type=type_name,
        shape=_SHAPES[shape],
        content=content,
        realm=places.realm(place),
        position=position,
        recorded_at=from_micros(recorded_at),
        fingerprint=fingerprint,
        importance_base=base,
        importance_hint=hint,
        belief=belief_of(belief),
        expires_at=None if expires_at is None else from_micros(expires_at),
        event_time=event_time,
        circumstances=circumstances,
        attributes=attributes,
    )


def written(belief: Belief) -> bytes:
    """Return a belief as it is kept: values in order, without names, since every row has one."""
    doubt = belief.suspicion
    return encode((
        belief.status.value,
        to_micros(belief.valid_from),
        belief.valid_to and to_micros(belief.valid_to),
        belief.confidence,
        belief.since,
        belief.stems_from,
        to_micros(belief.believed_from),
        belief.pinned,
        belief.confirmations,
        belief.superseded_by,
        [(*_source_row(each.source), each.position) for each in belief.provenance],
        *(_doubted(belief) if doubt or belief.doubts else ()),
    ))  # fmt: skip


def _doubted(belief: Belief) -> tuple[object, object]:
    doubt = belief.suspicion
    row: tuple[object, ...] | None = None
    if doubt:
        row = (doubt.score, doubt.reasons, doubt.held)
        if doubt.waits_for:
            row = (*row, doubt.waits_for)
    return row, belief.doubts


def belief_of(body: bytes) -> Belief:
    """Return the belief that was written; damage if there is none."""
    try:
        return _belief_of(body)
    except UNREADABLE as error:
        raise damaged("what is believed about a memory", FOLD_AGAIN) from error


def _belief_of(body: bytes) -> Belief:
    (status, valid_from, valid_to, confidence, since, stems_from, believed_from, pinned,
     confirmations, superseded_by, witnesses, *more) = _decode(body)  # fmt: skip
    return Belief(
        status=_STATUSES[status],
        valid_from=from_micros(valid_from),
        valid_to=None if valid_to is None else from_micros(valid_to),
        confidence=confidence,
        since=since,
        stems_from=stems_from,
        believed_from=from_micros(believed_from),
        pinned=pinned,
        confirmations=confirmations,
        superseded_by=superseded_by,
        provenance=tuple(Provenance(_source(each[:4]), each[4]) for each in witnesses),
        suspicion=_suspicion(more[0]) if more and more[0] else None,
        doubts=tuple(more[1]) if len(more) > 1 else (),
    )


def _suspicion(row: Row) -> Suspicion:
    score, reasons, held, *more = row
    return Suspicion(float(score), tuple(reasons), held=held, waits_for=more[0] if more else "")


def source_written(source: Source) -> bytes:
    """Return a source as it is kept."""
    return encode(_source_row(source))


def edge_of(row: Row, places: Places) -> Edge:
    """Return the edge in a row of `EDGE_COLUMNS`; damage if there is none."""
    try:
        return _edge_of(row, places)
    except UNREADABLE as error:
        raise damaged(f"edge {row[1]!r}", FOLD_AGAIN) from error


def _edge_of(row: Row, places: Places) -> Edge:
    (place, edge_id, from_id, to_id, relation, weight, created_at, position,
     ended_at, ended_by, source) = row  # fmt: skip
    return Edge(
        id=edge_id,
        from_id=from_id,
        to_id=to_id,
        relation=relation,
        realm=places.realm(place),
        provenance=Provenance(_source(_decode(source)), position),
        created_at=from_micros(created_at),
        weight=weight,
        ended_at=None if ended_at is None else from_micros(ended_at),
        ended_by=ended_by,
    )


def _source_row(source: Source) -> tuple[str, str, str, str]:
    return source.agent, source.origin.value, source.ref, source.extractor


def _source(row: Sequence[str]) -> Source:
    return _shared_source(*row)


@lru_cache(maxsize=1024)
def _shared_source(agent: str, origin: str, ref: str, extractor: str) -> Source:
    # The same few sources vouch for thousands of memories.
    return Source(agent, Origin(origin), ref, extractor)


def _written_detail(memory: Memory) -> bytes:
    at, around = memory.event_time, memory.circumstances
    return encode((
        at and (_micros(at.start), _micros(at.end), at.text, at.timezone),
        around and (
            around.event_id, around.session, around.agent, around.tool, around.exit_status,
            around.files, around.parent_event_id,
        ),
        memory.attributes,
    ))  # fmt: skip


def _detail_of(body: bytes) -> tuple[EventTime | None, Circumstances | None, Mapping[str, object]]:
    at, around, attributes = _decode(body)
    event_time = at and EventTime(_moment(at[0]), _moment(at[1]), at[2], at[3])
    circumstances = None
    if around:
        event_id, session, agent, tool, exit_status, files, parent = around
        circumstances = Circumstances(
            event_id, session, agent, tool, exit_status, tuple(files), parent
        )
    return event_time, circumstances, attributes


def session_of(detail: bytes) -> str:
    """Return the session in a row's detail; empty for what has none."""
    around = _decode(detail)[1]
    return around[1] if around else ""


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else to_micros(moment)


def _moment(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)
