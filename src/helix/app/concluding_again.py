"""What Helix had concluded about a memory, concluded again once that memory is said anew.

Its conclusions stand in the journal before it is said anew: links would lead nowhere there, and
doubts would be about nothing. So they are written down once more, behind it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from helix.app.erasure_plan import ALL, Plan
from helix.model.changes import Change, ChangeSet, DropEdge, PutEdge, PutMemory
from helix.model.memory import Memory
from helix.model.scope import Realm
from helix.ports.projection import Stamp
from helix.ports.store import Unit
from helix.rules.relief import relieved

REASON = "what was said anew is linked and doubted as before"
BY = "erasing"


def conclude_again(unit: Unit, tenant: str, plan: Plan, before: Sequence[Memory]) -> None:
    """Link what was said anew, and doubt as before what was decided about anew.

    `before` are those memories as they stood; what was held against them by what is gone is not.
    """
    found: dict[Realm, list[tuple[Change, Change]]] = {}
    for realm, change, undone in (*_links(unit, tenant, plan), *_doubts(unit, plan, before)):
        found.setdefault(realm, []).append((change, undone))
    head = unit.ledger.head(tenant)
    for realm, pairs in found.items():
        changes = tuple(change for change, _ in pairs)
        undo = tuple(undone for _, undone in reversed(pairs))
        again = ChangeSet(realm, REASON, BY, head.position, changes, undo)
        unit.projection.apply(tenant, changes, Stamp(head.recorded_at, None))
        unit.journal.record(tenant, again, head.recorded_at, after=head.position)


def _links(unit: Unit, tenant: str, plan: Plan) -> Iterator[tuple[Realm, Change, Change]]:
    standing: dict[str, PutEdge] = {}
    for entry in unit.journal.entries(tenant, 0, limit=ALL) if plan.reborn else ():
        for change in entry.change_set.changes:
            if isinstance(change, PutEdge):
                standing[change.edge.id] = change
            elif isinstance(change, DropEdge):
                standing.pop(change.edge_id, None)
    held = unit.projection.held
    for link in standing.values():
        ends = {link.edge.from_id, link.edge.to_id}
        lost = ends & plan.reborn and unit.projection.edge(tenant, link.edge.id) is None
        if lost and all(held(tenant, end) for end in ends):
            yield link.edge.realm, link, DropEdge(link.edge.realm, link.edge.id)


def _doubts(
    unit: Unit, plan: Plan, before: Sequence[Memory]
) -> Iterator[tuple[Realm, Change, Change]]:
    since = unit.ledger.head(before[0].realm.tenant).recorded_at if before else None
    for memory in before:
        now = unit.projection.held(memory.realm.tenant, memory.id)
        if now is None or since is None:
            continue
        was = relieved(memory.belief, plan.memory_ids)
        if (was.doubts, was.suspicion) != (now.belief.doubts, now.belief.suspicion):
            belief = replace(
                now.belief, doubts=was.doubts, suspicion=was.suspicion,
                confidence=was.confidence, believed_from=since,
            )  # fmt: skip
            yield memory.realm, PutMemory(replace(now, belief=belief)), PutMemory(now)
