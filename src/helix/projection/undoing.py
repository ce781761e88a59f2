"""Folding a rollback: each memory returns to what was believed before the acts undone.

Nothing is taken out of the record. The belief returned to is held anew from here, and
the beliefs in between stay readable as of their own time. What Helix concluded since is
no act, and stays.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from helix.model import act as acts
from helix.model.changes import Change, DropTrust, DropUse, PutEdge, PutMemory
from helix.model.edge import Edge
from helix.model.frozen import dataclass
from helix.model.memory import Belief, Memory, Status
from helix.model.provenance import Provenance
from helix.model.record import Record
from helix.ports.projection import Known
from helix.projection.reapplying import concluded_after, reapplied
from helix.rules.naming import edge_id

NOTHING = 0
"""What the belief in a memory stems from once its very assertion was rolled back."""


def rolled_back(record: Record, act: acts.RolledBack, known: Known) -> tuple[Change, ...]:
    """Return the beliefs and edges as they stood before the given positions."""
    tenant = record.realm.tenant
    touches: dict[str, int] = {}
    edges: dict[str, Edge] = {}
    changes: list[Change] = [
        DropTrust(record.realm, each) for each in act.positions if known.decides_trust(tenant, each)
    ]
    for position in sorted(act.positions):
        touched = known.touched_by(tenant, position)
        for used_id in touched.uses:
            used = known.held(tenant, used_id)
            if used is not None:
                changes.append(DropUse(used.realm, used_id, position))
        for memory_id in touched.memories:
            touches.setdefault(memory_id, position)
        for touched_id in touched.edges:
            edge = known.edge(tenant, touched_id)
            if edge is not None:
                edges[touched_id] = edge
    for memory_id, first in touches.items():
        memory = known.held(tenant, memory_id)
        if memory is not None and memory.status is not Status.PURGED:
            before = _returned_to(memory, first, known)
            belief = replace(before, since=record.position, believed_from=record.recorded_at)
            changes.append(PutMemory(replace(memory, belief=belief)))
    changes.extend(_edges_back(list(edges.values()), record, act))
    return tuple(changes)


def _returned_to(memory: Memory, first: int, known: Known) -> Belief:
    """Return what was believed before the first act undone, with what was concluded since."""
    tenant, present = memory.realm.tenant, memory.belief
    earlier = known.earlier(tenant, memory.id)
    before = known.belief_before(tenant, memory.id, first)
    if before is None:
        # Its very assertion is undone: it steps back as it was then, not as it became.
        born = earlier[0].belief if earlier else present
        return reapplied(_never_held(born), concluded_after(None, earlier, present))
    return reapplied(before, concluded_after(first, earlier, present))


def _never_held(born: Belief) -> Belief:
    return replace(born, status=Status.FORGOTTEN, stems_from=NOTHING)


def _edges_back(edges: list[Edge], record: Record, act: acts.RolledBack) -> list[Change]:
    changes: list[Change] = []
    for edge in edges:
        drawn_here = edge.provenance.position in act.positions
        if drawn_here and edge.ended_at is None:
            ended = replace(edge, ended_at=record.recorded_at, ended_by=record.position)
            changes.append(PutEdge(ended))
        elif not drawn_here and edge.ended_by in act.positions:
            # A new edge, not the old one reopened: the gap in between did happen.
            again = replace(
                edge,
                id=edge_id(record.position, len(changes) + 1),
                provenance=Provenance(act.source, record.position),
                created_at=record.recorded_at,
                ended_at=None,
                ended_by=None,
            )
            changes.append(PutEdge(again))
    return changes


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why an act cannot be undone: what it touched has since gone on from it."""

    position: int
    touched: str
    now_rests_on: int


def obstacles(tenant: str, positions: Collection[int], known: Known) -> list[Obstacle]:
    """Return what stands in the way of undoing these acts and no others; empty is good.

    A memory can return to an earlier belief only if what is believed now rests on one of
    the acts being undone; otherwise a later act would be undone silently with it.
    """
    found = []
    for position in sorted(positions):
        touched = known.touched_by(tenant, position)
        for memory_id in touched.memories:
            memory = known.held(tenant, memory_id)
            if memory is not None and not _rests_on(memory, positions, known):
                found.append(Obstacle(position, memory_id, _in_the_way(memory.belief, position)))
        for edge_id_ in touched.edges:
            edge = known.edge(tenant, edge_id_)
            if edge is not None and edge.ended_by is not None:
                stands_in_way = edge.ended_by not in positions and (
                    edge.provenance.position in positions
                )
                if stands_in_way:
                    found.append(Obstacle(position, edge_id_, edge.ended_by))
    return found


def _rests_on(memory: Memory, positions: Collection[int], known: Known) -> bool:
    belief = memory.belief
    if belief.stems_from in positions or belief.since in positions:
        return True
    # A rollback may have returned to the very belief that one of the acts had left; then
    # whatever came between has come to nothing.
    earlier = known.earlier(memory.realm.tenant, memory.id)
    beliefs = [*(each.belief for each in earlier), belief]
    left = [beliefs[at + 1] for at, each in enumerate(earlier) if each.ended_by in positions]
    return any(_held_anew(each, belief) for each in left)


def _in_the_way(belief: Belief, position: int) -> int:
    # The act that a rollback has returned to stands in the way, not the rollback.
    return belief.stems_from if belief.stems_from > position else belief.since


def _held_anew(before: Belief, belief: Belief) -> bool:
    since = {"since": before.since, "believed_from": before.believed_from}
    return replace(belief, **since) == before  # type: ignore[arg-type]
