"""The nouns of Helix as plain values: what JSON can say about a memory, an act, an edge.

Moments are ISO 8601 with a Z, and importance is on the scale of 1 to 10 that people see.
Nothing that was never said is invented: an empty name is null. Embeddings are not told.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from helix.model.moment import text_of

if TYPE_CHECKING:
    from helix.app.telling import LogEntry
    from helix.model.edge import Edge
    from helix.model.memory import Belief, Circumstances, EventTime, Memory
    from helix.model.note import Note
    from helix.model.provenance import Provenance
    from helix.model.question import Question
    from helix.model.suspicion import Suspicion

Document = dict[str, object]

POINTS = 10
"""Importance 1.0 is ten points."""


def memory(held: Memory) -> Document:
    """Return everything about a memory."""
    hint = held.importance_hint
    return {
        "id": held.id,
        "type": held.type,
        "shape": held.shape.value,
        "content": held.content,
        "scope": held.realm.scope,
        "owner": held.realm.owner,
        "tenant": held.realm.tenant,
        **_standing(held.belief),
        "expires_at": _moment(held.expires_at),
        "recorded_at": text_of(held.recorded_at),
        "position": held.position,
        "importance": points(held.importance),
        "importance_base": points(held.importance_base),
        "importance_hint": None if hint is None else points(hint),
        "fingerprint": held.fingerprint or None,
        "event_time": _event_time(held.event_time),
        "circumstances": _circumstances(held.circumstances),
        "attributes": dict(held.attributes),
        "provenance": [_witness(each) for each in held.belief.provenance],
    }


def note(held: Note) -> Document:
    """Return a note on the scratchpad."""
    hint = held.importance_hint
    return {
        "id": held.id,
        "content": held.content,
        "scope": held.realm.scope,
        "owner": held.realm.owner,
        "tenant": held.realm.tenant,
        "session": held.session or None,
        "agent": held.source.agent or None,
        "origin": held.source.origin.value,
        "noted_at": text_of(held.noted_at),
        "reads": held.reads,
        "dropped_at": _moment(held.dropped_at),
        "importance_hint": None if hint is None else points(hint),
        "event_id": held.event_id,
    }


def belief(held: Belief) -> Document:
    """Return one belief about a memory, with the acts it came from."""
    return {**_standing(held), "since": held.since, "stems_from": held.stems_from}


def entry(act: LogEntry) -> Document:
    """Return one line of the log."""
    return {
        "position": act.position,
        "recorded_at": text_of(act.recorded_at),
        "kind": act.kind,
        "scope": act.scope,
        "agent": act.agent or None,
        "origin": act.origin or None,
        "event_id": act.event_id,
        "says": act.says,
        "memory_ids": list(act.memory_ids),
    }


def edge(drawn: Edge) -> Document:
    """Return an edge."""
    return {
        "id": drawn.id,
        "from": drawn.from_id,
        "relation": drawn.relation,
        "to": drawn.to_id,
        "weight": drawn.weight,
        "scope": drawn.realm.scope,
        "created_at": text_of(drawn.created_at),
        "ended_at": _moment(drawn.ended_at),
        "position": drawn.provenance.position,
    }


def question(asked: Question) -> Document:
    """Return what was asked, and from which view."""
    as_of = asked.as_of
    return {
        "text": asked.text,
        "view": asked.view.value,
        "true_on": _moment(as_of.true_on) if as_of else None,
        "believed_on": _moment(as_of.believed_on) if as_of else None,
        "types": list(asked.types),
        "limit": asked.limit,
        "budget": asked.budget,
    }


def points(importance: float) -> float:
    """Return an importance on the scale of 1 to 10."""
    return round(importance * POINTS, 2)


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else text_of(moment)


def _standing(held: Belief) -> Document:
    return {
        "status": held.status.value,
        "valid_from": text_of(held.valid_from),
        "valid_to": _moment(held.valid_to),
        "confidence": held.confidence,
        "confirmations": held.confirmations,
        "pinned": held.pinned,
        "superseded_by": held.superseded_by or None,
        "doubts": list(held.doubts),
        "believed_from": text_of(held.believed_from),
        "suspicion": _suspicion(held.suspicion),
    }


def _suspicion(doubt: Suspicion | None) -> Document | None:
    if doubt is None:
        return None
    return {
        "score": doubt.score,
        "reasons": list(doubt.reasons),
        "held": doubt.held,
        "waits_for": doubt.waits_for or None,
    }


def _witness(each: Provenance) -> Document:
    source = each.source
    return {
        "agent": source.agent,
        "origin": source.origin.value,
        "ref": source.ref or None,
        "extractor": source.extractor,
        "position": each.position,
    }


def _event_time(happens: EventTime | None) -> Document | None:
    if happens is None:
        return None
    return {
        "start": _moment(happens.start),
        "end": _moment(happens.end),
        "text": happens.text or None,
        "timezone": happens.timezone or None,
    }


def _circumstances(around: Circumstances | None) -> Document | None:
    if around is None:
        return None
    return {
        "event_id": around.event_id,
        "session": around.session or None,
        "agent": around.agent or None,
        "tool": around.tool or None,
        "exit_status": around.exit_status,
        "files": list(around.files),
        "parent_event_id": around.parent_event_id or None,
    }
