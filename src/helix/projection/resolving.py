"""Folding a decision between two memories that cannot both hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from helix.model import act as acts
from helix.model.changes import Change, PutEdge, PutMemory
from helix.model.edge import CONTRADICTS, Edge
from helix.model.memory import Belief, Memory, Status
from helix.model.provenance import Origin, Provenance
from helix.model.record import Record
from helix.ports.projection import Known
from helix.projection.replacing import ended_behind
from helix.rules.agreement import confirmed, relieved
from helix.rules.doubts import reconciled, rivals, without_rival
from helix.rules.naming import link_id
from helix.rules.validity import closed_by

FIRST, SECOND, BOTH, NEITHER = "first", "second", "both", "neither"
COMPATIBLE = "compatible"


def resolved(record: Record, act: acts.Resolved, known: Known) -> tuple[Change, ...]:
    """Return the two memories as decided, and the edge between them ended."""
    tenant = record.realm.tenant
    first, second = known.held(tenant, act.first), known.held(tenant, act.second)
    if first is None or second is None:
        return ()
    one, other = _VERDICTS.get(act.verdict, _undecided)(first, second, record, act)
    changes: list[Change] = [
        PutMemory(replace(memory, belief=_since(without_rival(belief, rival.id), record)))
        for memory, belief, rival in ((first, one, second), (second, other, first))
        if memory.belief != belief
    ]
    for loser, winner in ((one, other), (other, one)):
        ids = (first.id, second.id)
        if loser.superseded_by in ids and loser.status is Status.SUPERSEDED:
            changes += ended_behind(record, ids, winner.valid_from, known)
    for edge in _between(first, second, known):
        ended = replace(edge, ended_at=record.recorded_at, ended_by=record.position)
        changes.append(PutEdge(ended))
    return tuple(changes)


def _between(first: Memory, second: Memory, known: Known) -> list[Edge]:
    """Return the open edges that say that two memories contradict each other.

    Sleep names them by their ends; a disagreement drew one when the later of the two was said,
    and a rollback drew it anew when it brought back what is believed.
    """
    tenant, ends = first.realm.tenant, {first.id, second.id}
    pairs = ((first, second), (second, first))
    names = {link_id(start.id, CONTRADICTS, end.id) for start, end in pairs}
    for memory in (first, second):
        for position in {memory.position, memory.belief.since} - {0}:
            names.update(known.touched_by(tenant, position).edges)
    found = (known.edge(tenant, name) for name in sorted(names))
    return [
        edge
        for edge in found
        if edge is not None
        and edge.ended_at is None
        and edge.relation == CONTRADICTS
        and {edge.from_id, edge.to_id} == ends
    ]


Beliefs = tuple[Belief, Belief]


def _one_is_right(right: Memory, wrong: Memory, record: Record, act: acts.Resolved) -> Beliefs:
    surer = replace(
        right.belief,
        confidence=confirmed(right.belief.confidence, act.source.origin),
        confirmations=right.belief.confirmations + 1,
        provenance=(*right.belief.provenance, Provenance(act.source, record.position)),
    )
    # It was never right, so it held for no time; asking for history still finds it.
    return surer, closed_by(wrong.belief, wrong.belief.valid_from, right.id)


def _second_is_right(first: Memory, second: Memory, record: Record, act: acts.Resolved) -> Beliefs:
    right, wrong = _one_is_right(second, first, record, act)
    return wrong, right


def _each_in_its_time(first: Memory, second: Memory, record: Record, act: acts.Resolved) -> Beliefs:
    since = act.since or record.recorded_at
    one, other = (_vouched(each.belief, record, act) for each in (first, second))
    return closed_by(one, since, second.id), replace(other, valid_from=since)


def _compatible(first: Memory, second: Memory, record: Record, act: acts.Resolved) -> Beliefs:
    one, other = (_vouched(each.belief, record, act) for each in (first, second))
    return _beside(one, second.id), _beside(other, first.id)


def _vouched(belief: Belief, record: Record, act: acts.Resolved) -> Belief:
    """Return a belief that was left standing: by the user, it is the user's from now on."""
    # An agent that finds no contradiction has found neither of the two right.
    if act.source.origin is not Origin.USER_ASSERTED:
        return belief
    witnesses = (*belief.provenance, Provenance(act.source, record.position))
    return replace(belief, provenance=witnesses)


def _beside(belief: Belief, rival: str) -> Belief:
    doubted = rival in rivals(belief)
    sure = relieved(belief.confidence) if doubted else belief.confidence
    return replace(reconciled(belief, rival), confidence=sure)


def _neither(first: Memory, second: Memory, record: Record, act: acts.Resolved) -> Beliefs:
    gone = Status.FORGOTTEN
    return replace(first.belief, status=gone), replace(second.belief, status=gone)


def _undecided(first: Memory, second: Memory, record: Record, act: acts.Resolved) -> Beliefs:
    return first.belief, second.belief


def _since(belief: Belief, record: Record) -> Belief:
    return replace(
        belief,
        since=record.position,
        stems_from=record.position,
        believed_from=record.recorded_at,
    )


_VERDICTS: dict[str, Callable[[Memory, Memory, Record, acts.Resolved], Beliefs]] = {
    FIRST: _one_is_right,
    SECOND: _second_is_right,
    BOTH: _each_in_its_time,
    COMPATIBLE: _compatible,
    NEITHER: _neither,
}
