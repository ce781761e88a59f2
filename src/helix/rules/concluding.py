"""Writing a conclusion down: the memory, its witnesses, its edges; pure, and always the same.

Ids follow from content, and everything else from the grounds and the night, so that the
same ledger gives the same conclusions, however often it is slept on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from helix.model.changes import PutEdge, PutMemory
from helix.model.edge import DERIVED_FROM, SUPERSEDES, Edge
from helix.model.memory import Belief, EventTime, Memory, Status
from helix.model.night import Conclusion, Decision, Night
from helix.model.provenance import Origin, Provenance, Source
from helix.model.types import CODING_TYPES, Shape
from helix.rules.agreement import confirmed, first_confidence
from helix.rules.concluded import EXTRACTOR
from helix.rules.importance import rate
from helix.rules.naming import concluded_id, fingerprint, link_id
from helix.rules.validity import closed_by

MOST_WITNESSES = 64
"""Episodes a conclusion cites; more would make no reader surer."""

SUREST = 0.95
"""No conclusion without a person's word is surer than this."""

_SHAPES = {kind.name: kind.shape for kind in CODING_TYPES}


def rating_of(memory_id: str) -> str:
    """Return what a rating of a memory is called among conclusions."""
    return f"rating:{memory_id}"


def suspecting_of(memory_id: str) -> str:
    """Return what a suspicion of a memory is called among conclusions."""
    return f"suspicion:{memory_id}"


def concluded_by(memory: Memory, pass_name: str) -> bool:
    """Return whether a certain pass concluded a memory."""
    return memory.belief.provenance[0].source.extractor == f"{EXTRACTOR}:{pass_name}"


def witnesses(grounds: Iterable[Memory], pass_name: str) -> tuple[Provenance, ...]:
    """Return who vouches for a conclusion: the sources of its grounds, where they spoke.

    What rests on a conclusion rests on the episodes below it, so every chain ends in records.
    """
    found: dict[int, Provenance] = {}
    for ground in grounds:
        for each in ground.belief.provenance:
            source = Source(
                each.source.agent, each.source.origin, ground.id, f"{EXTRACTOR}:{pass_name}"
            )
            found.setdefault(each.position, Provenance(source, each.position))
    return tuple(found[position] for position in sorted(found)[:MOST_WITNESSES])


def weakest_origin(grounds: Iterable[Memory]) -> Origin:
    """Return the origin of a conclusion: only as good as the weakest of its grounds."""
    origins = {each.source.origin for ground in grounds for each in ground.belief.provenance}
    return Origin.USER_ASSERTED if origins == {Origin.USER_ASSERTED} else Origin.AGENT_INGESTED


def confidence_of(grounds: Sequence[Memory]) -> float:
    """Return how sure a conclusion is: one word to begin with, each further witness adds."""
    origin = weakest_origin(grounds)
    sure = first_confidence(origin)
    for _ in grounds[1:]:
        sure = confirmed(sure, Origin.AGENT_INGESTED)
    return round(min(SUREST, sure), 6)


def new_memory(
    night: Night,
    pass_name: str,
    kind: str,
    content: str,
    grounds: Sequence[Memory],
    *,
    attributes: Mapping[str, object] | None = None,
    valid_from: datetime | None = None,
    event_time: EventTime | None = None,
    confidence: float | None = None,
) -> Memory:
    """Return the memory of a conclusion; it has held since the first of its grounds."""
    known = confidence_of(grounds) if confidence is None else confidence
    since = valid_from or min(each.belief.valid_from for each in grounds)
    return Memory(
        id=concluded_id(night.realm, kind, content),
        type=kind,
        shape=_SHAPES.get(kind, Shape.SEMANTIC),
        content=content,
        realm=night.realm,
        position=0,
        recorded_at=night.now,
        fingerprint=fingerprint(kind, content),
        importance_base=rate(kind, content),
        belief=Belief(
            status=Status.ACTIVE,
            valid_from=min(since, night.now),
            valid_to=None,
            confidence=known,
            since=0,
            stems_from=0,
            believed_from=night.now,
            confirmations=len(grounds) - 1,
            provenance=witnesses(grounds, pass_name),
        ),
        event_time=event_time,
        attributes=attributes or {},
    )


def link(
    night: Night, start: Memory, relation: str, end: Memory, *, by: str, weight: float = 1.0
) -> PutEdge:
    """Return an edge that Helix concludes."""
    origin = weakest_origin((start, end))
    return PutEdge(
        Edge(
            id=link_id(start.id, relation, end.id),
            from_id=start.id,
            to_id=end.id,
            relation=relation,
            realm=night.realm,
            provenance=Provenance(Source("helix", origin, extractor=f"{EXTRACTOR}:{by}"), 0),
            created_at=night.now,
            weight=weight,
        )
    )


def added(
    night: Night, memory: Memory, grounds: Sequence[Memory], pass_name: str, why: str
) -> Conclusion:
    """Return the conclusion that something new is so, with an edge to each of its grounds."""
    edges = [
        link(night, memory, DERIVED_FROM, ground, by=pass_name)
        for ground in grounds[:MOST_WITNESSES]
    ]
    ids = tuple(ground.id for ground in grounds)
    return Conclusion(Decision.ADD, memory.id, why, ids, (PutMemory(memory), *edges))


def strengthened(
    night: Night, held: Memory, grounds: Sequence[Memory], pass_name: str, why: str
) -> Conclusion | None:
    """Return the conclusion that something held has further witnesses; None if it has not."""
    known = {each.position for each in held.belief.provenance}
    room = MOST_WITNESSES - len(known)
    fresh = [ground for ground in grounds if not _positions(ground) <= known][: max(room, 0)]
    if not fresh:
        return None
    belief = held.belief
    sure = belief.confidence
    for ground in fresh:
        sure = max(sure, min(SUREST, confirmed(sure, ground.belief.provenance[0].source.origin)))
    surer = replace(
        belief,
        confidence=round(sure, 6),
        confirmations=belief.confirmations + len(fresh),
        believed_from=night.now,
        provenance=(*belief.provenance, *witnesses(fresh, pass_name)),
    )
    edges = [link(night, held, DERIVED_FROM, ground, by=pass_name) for ground in fresh]
    return Conclusion(
        Decision.UPDATE,
        "",
        why,
        tuple(ground.id for ground in fresh),
        (PutMemory(replace(held, belief=surer)), *edges),
    )


def superseding(
    night: Night, old: Memory, new: Memory, pass_name: str
) -> tuple[PutMemory, PutEdge]:
    """Return the changes that close what is held where its successor begins."""
    closed = closed_by(old.belief, new.belief.valid_from, new.id)
    closed = replace(closed, believed_from=night.now)
    return PutMemory(replace(old, belief=closed)), link(night, new, SUPERSEDES, old, by=pass_name)


def doubted(night: Night, held: Memory, doubt: str, *, share_kept: float) -> PutMemory:
    """Return a memory of which less is believed, and why."""
    belief = held.belief
    less = replace(
        belief,
        confidence=round(belief.confidence * share_kept, 6),
        believed_from=night.now,
        doubts=(*belief.doubts, doubt),
    )
    return PutMemory(replace(held, belief=less))


def _positions(memory: Memory) -> set[int]:
    return {each.position for each in memory.belief.provenance}
