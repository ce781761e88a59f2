"""The projection as dicts of memories, edges, sessions and sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from math import inf

from helix.model.changes import (
    AddImportance,
    Change,
    DropEdge,
    DropMemory,
    DropTrust,
    DropUse,
    PutEdge,
    PutMemory,
    PutSession,
    PutTomb,
    PutTrust,
    PutUse,
    Rate,
    SpendImportance,
    Step,
    Suspect,
)
from helix.model.edge import CONTRADICTS, SUPERSEDES, Edge
from helix.model.errors import Conflict
from helix.model.memory import Belief, Memory, Status
from helix.model.question import Standpoint, View
from helix.model.scope import Realm, visible_from
from helix.model.session import Session
from helix.model.types import EPISODE
from helix.ports.projection import Earlier, Saying, Stamp, Touched
from helix.rules.naming import edge_id_stem
from helix.rules.validity import answers
from helix.testing.reference.asking import ReferenceAsking
from helix.testing.reference.state import Past


class ReferenceProjection(ReferenceAsking):
    """Implements `Projection`."""

    def checkpoint(self, tenant: str) -> int:
        """See `Projection.checkpoint`."""
        return self._state.checkpoints.get(tenant, 0)

    def apply(self, tenant: str, changes: Sequence[Change], stamp: Stamp) -> bool:
        """See `Projection.apply`."""
        if stamp.position is not None:
            reached = self.checkpoint(tenant)
            if stamp.position <= reached:
                return False
            if stamp.position > reached + 1:
                raise Conflict("a record in between was not folded", code="fold_out_of_order")
            self._state.checkpoints[tenant] = stamp.position
        for change in changes:
            self._carry_out(change, stamp)
        return True

    def clear(self, tenant: str) -> None:
        """See `Projection.clear`."""
        state = self._state
        state.checkpoints.pop(tenant, None)
        state.forget_enrichment(*(key for key in state.memories if key[0] == tenant))
        state.memories = {key: each for key, each in state.memories.items() if key[0] != tenant}
        state.past = {key: each for key, each in state.past.items() if key[0] != tenant}
        state.edges = {key: each for key, each in state.edges.items() if key[0] != tenant}
        state.uses = {key: each for key, each in state.uses.items() if key[0] != tenant}
        state.sessions = {
            key: each for key, each in state.sessions.items() if key[0].tenant != tenant
        }
        state.budgets = {
            realm: each for realm, each in state.budgets.items() if realm.tenant != tenant
        }
        state.tombs = {each for each in state.tombs if each[0] != tenant}
        state.trusts = {key: each for key, each in state.trusts.items() if key[0].tenant != tenant}

    def contents(self, tenant: str) -> Iterator[str]:
        """See `Projection.contents`."""
        state = self._state
        yield f"checkpoint {self.checkpoint(tenant)}"
        for key in sorted(key for key in state.memories if key[0] == tenant):
            yield f"memories {state.memories[key]!r}"
            yield from (f"beliefs {key[1]} {past!r}" for past in state.past.get(key, []))
        for key in sorted(key for key in state.edges if key[0] == tenant):
            yield f"edges {state.edges[key]!r}"
        for key in sorted(key for key in state.uses if key[0] == tenant):
            yield from (f"uses {key[1]} {use!r}" for _, use in sorted(state.uses[key].items()))
        sessions = [each for each in state.sessions.values() if each.realm.tenant == tenant]
        yield from sorted(f"sessions {session!r}" for session in sessions)
        budgets = [each for each in state.budgets.items() if each[0].tenant == tenant]
        yield from sorted(f"budgets {realm!r} {points}" for realm, points in budgets)
        yield from sorted(f"tombs {digest}" for owner, digest in state.tombs if owner == tenant)
        yield from sorted(
            f"trusts {key!r} {each}"
            for key, each in state.trusts.items()
            if key[0].tenant == tenant
        )

    def sayings(self, tenant: str, first: int, last: int | None = None) -> Sequence[Saying]:
        """See `Projection.sayings`."""
        end = inf if last is None else last
        return [
            Saying(each.id, each.type, each.realm, each.position, each.content)
            for (owner, _), each in self._state.memories.items()
            if owner == tenant and first <= each.position <= end
        ]

    def decides_trust(self, tenant: str, position: int) -> bool:
        """See `Known.decides_trust`."""
        return any(realm.tenant == tenant and at == position for realm, at, _ in self._state.trusts)

    def trusts(self, realm: Realm) -> Mapping[str, bool]:
        """See `Projection.trusts`."""
        rows = sorted(
            (position, name, trusted)
            for (where, position, name), trusted in self._state.trusts.items()
            if where == realm
        )
        return {name: trusted for _, name, trusted in rows}

    def entombed(self, tenant: str, digest: str) -> bool:
        """See `Known.entombed`."""
        return (tenant, digest) in self._state.tombs

    def has_tombs(self, tenant: str) -> bool:
        """See `Known.has_tombs`."""
        return any(owner == tenant for owner, _ in self._state.tombs)

    def held(self, tenant: str, memory_id: str) -> Memory | None:
        """See `Known.held`."""
        return self._state.memories.get((tenant, memory_id))

    def born_at(self, tenant: str, position: int) -> Memory | None:
        """See `Known.born_at`."""
        return next((each for each in self._of(tenant) if each.position == position), None)

    def episode_of(self, realm: Realm, event_id: str) -> Memory | None:
        """See `Known.episode_of`."""
        for place in visible_from(realm):
            for memory in self._of(realm.tenant):
                around = memory.circumstances
                if memory.type != EPISODE or memory.realm != place or around is None:
                    continue
                if around.event_id == event_id:
                    return memory
        return None

    def awaiting(self, tenant: str, event_id: str) -> Sequence[Memory]:
        """See `Known.awaiting`."""
        found = [
            memory
            for memory in self._of(tenant)
            if memory.circumstances is not None
            and event_id
            and memory.circumstances.parent_event_id == event_id
        ]
        return sorted(found, key=lambda memory: memory.position)

    def belief_before(self, tenant: str, memory_id: str, position: int) -> Belief | None:
        """See `Known.belief_before`."""
        past = self._state.past.get((tenant, memory_id), [])
        return next((each.belief for each in past if each.until_position == position), None)

    def earlier(self, tenant: str, memory_id: str) -> Sequence[Earlier]:
        """See `Known.earlier`."""
        past = sorted(self._state.past.get((tenant, memory_id), []), key=lambda each: each.until_at)
        return [Earlier(each.belief, each.until_position) for each in past]

    def touched_by(self, tenant: str, position: int) -> Touched:
        """See `Known.touched_by`."""
        memories = {each.id for each in self._of(tenant) if each.position == position}
        for (owner, memory_id), past in self._state.past.items():
            if owner == tenant and any(each.until_position == position for each in past):
                memories.add(memory_id)
        drawn = edge_id_stem(position) + "_"
        edges = {
            edge.id
            for (owner, _), edge in self._state.edges.items()
            if owner == tenant and (edge.id.startswith(drawn) or edge.ended_by == position)
        }
        uses = {
            key[1]
            for key, each in self._state.uses.items()
            if key[0] == tenant and position in each
        }
        return Touched(tuple(sorted(memories)), tuple(sorted(edges)), tuple(sorted(uses)))

    def edge(self, tenant: str, edge_id: str) -> Edge | None:
        """See `Known.edge`."""
        return self._state.edges.get((tenant, edge_id))

    def replaced_by(self, tenant: str, memory_id: str) -> Sequence[Memory]:
        """See `Known.replaced_by`."""
        tied = {
            end
            for (owner, _), edge in self._state.edges.items()
            if owner == tenant
            and edge.relation in (SUPERSEDES, CONTRADICTS)
            and memory_id in (edge.from_id, edge.to_id)
            for end in (edge.from_id, edge.to_id)
        }
        found = [
            each
            for each in self._of(tenant)
            if each.id in tied
            and each.status is Status.SUPERSEDED
            and each.belief.superseded_by == memory_id
        ]
        return sorted(found, key=lambda each: each.id)

    def session(self, realm: Realm, session_id: str) -> Session | None:
        """See `Known.session`."""
        return self._state.sessions.get((realm, session_id))

    def alike(
        self, realm: Realm, fingerprint: str, at: datetime, apart_from: str = ""
    ) -> Memory | None:
        """See `Known.alike`."""
        found = [
            memory
            for memory in self._of(realm.tenant)
            if memory.realm == realm
            and fingerprint
            and memory.fingerprint == fingerprint
            and memory.status is Status.ACTIVE
            and memory.id != apart_from
            and answers(memory, Standpoint(View.CURRENT, at))
        ]
        return min(found, key=lambda memory: memory.position, default=None)

    def taken(self, tenant: str, memory_id: str) -> bool:
        """See `Known.taken`."""
        return (tenant, memory_id) in self._state.memories

    def _of(self, tenant: str) -> list[Memory]:
        return [each for key, each in self._state.memories.items() if key[0] == tenant]

    def _carry_out(self, change: Change, stamp: Stamp) -> None:  # noqa: C901, PLR0912 - one case per kind
        state = self._state
        match change:
            case PutMemory(memory):
                self._put_memory(memory, stamp)
            case DropMemory(realm, memory_id):
                self._drop_memory(realm.tenant, memory_id)
            case Step():
                self._step(change, stamp)
            case Rate(realm, memory_id, leaves, enters):
                held = self.held(realm.tenant, memory_id)
                if held is not None and held.importance_base == leaves:
                    rated = replace(held, importance_base=enters)
                    state.memories[realm.tenant, memory_id] = rated
            case Suspect():
                self._suspect(change, stamp)
            case PutUse(realm, memory_id, use):
                if self.taken(realm.tenant, memory_id):
                    uses = state.uses.setdefault((realm.tenant, memory_id), {})
                    uses.setdefault(use.position, use)
            case DropUse(realm, memory_id, position):
                state.uses.get((realm.tenant, memory_id), {}).pop(position, None)
            case PutEdge(edge):
                self._put_edge(edge)
            case DropEdge(realm, edge_id):
                state.edges.pop((realm.tenant, edge_id), None)
            case PutSession(session):
                state.sessions[session.realm, session.id] = session
            case SpendImportance(realm):
                self._state.budgets.pop(realm, None)
            case AddImportance(realm, millipoints):
                state.budgets[realm] = state.budgets.get(realm, 0) + millipoints
            case PutTomb(realm, digest):
                state.tombs.add((realm.tenant, digest))
            case PutTrust(realm, name, position, trusted):
                state.trusts.setdefault((realm, position, name), trusted)
            case DropTrust(realm, position):
                for key in list(state.trusts):
                    if (key[0].tenant, key[1]) == (realm.tenant, position):
                        del state.trusts[key]

    def _put_memory(self, memory: Memory, stamp: Stamp) -> None:
        key = (memory.realm.tenant, memory.id)
        held = self._state.memories.get(key)
        if held is None:
            self._state.memories[key] = memory
        elif held.belief != memory.belief:
            past = self._state.past.setdefault(key, [])
            # What was believed for no time at all leaves no trace.
            if not past or past[-1].until_at != stamp.recorded_at:
                past.append(Past(stamp.recorded_at, stamp.position, held.belief))
            self._state.memories[key] = replace(held, belief=memory.belief)

    def _step(self, step: Step, stamp: Stamp) -> None:
        held = self._state.memories.get((step.realm.tenant, step.memory_id))
        if held is not None and held.status is step.leaves:
            since = step.believed_from or stamp.recorded_at
            belief = replace(held.belief, status=step.enters, believed_from=since)
            self._put_memory(replace(held, belief=belief), stamp)

    def _suspect(self, change: Suspect, stamp: Stamp) -> None:
        held = self._state.memories.get((change.realm.tenant, change.memory_id))
        if held is not None and held.belief.suspicion == change.leaves:
            since = change.believed_from or stamp.recorded_at
            belief = replace(held.belief, suspicion=change.enters, believed_from=since)
            self._put_memory(replace(held, belief=belief), stamp)

    def _drop_memory(self, tenant: str, memory_id: str) -> None:
        self._state.memories.pop((tenant, memory_id), None)
        self._state.past.pop((tenant, memory_id), None)
        self._state.uses.pop((tenant, memory_id), None)
        self._state.surfaced.pop((tenant, memory_id), None)
        self._state.forget_enrichment((tenant, memory_id))
        for key, edge in list(self._state.edges.items()):
            if key[0] == tenant and memory_id in (edge.from_id, edge.to_id):
                del self._state.edges[key]

    def _put_edge(self, edge: Edge) -> None:
        tenant = edge.realm.tenant
        key = (tenant, edge.id)
        held = self._state.edges.get(key)
        if held is not None:
            self._state.edges[key] = replace(held, ended_at=edge.ended_at, ended_by=edge.ended_by)
        elif self.taken(tenant, edge.from_id) and self.taken(tenant, edge.to_id):
            self._state.edges[key] = edge
