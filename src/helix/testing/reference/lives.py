"""Uses and surfacings in dicts, read by looking at all memories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from helix.model.edge import CAUSED_BY, FOLLOWS, SUMMARISES, Edge
from helix.model.life import GOOD, Life, Surfacing, Use, life_of
from helix.model.memory import Memory, Status
from helix.model.moment import to_micros
from helix.model.scope import Realm, may_read
from helix.ports.lives import MOST_DEGREES, Aged, Cursor
from helix.rules.tiers import SIMILAR_TO
from helix.testing.reference.state import Key, State


class ReferenceLives:
    """Implements `Lives`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def uses_of(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, tuple[Use, ...]]:
        """See `Lives.uses_of`."""
        found = {each: self._uses((asker.tenant, each)) for each in self._visible(asker)}
        return {each: found[each] for each in memory_ids if found.get(each)}

    def page(
        self, realm: Realm, after: Cursor, limit: int, status: Status = Status.ACTIVE
    ) -> Sequence[tuple[Cursor, Life]]:
        """See `Lives.page`."""
        numbered = [
            ((memory.position, number), self._life(memory))
            for number, memory in enumerate(self._state.memories.values(), 1)
            if memory.realm == realm and memory.status is status
        ]
        return sorted((each for each in numbered if each[0] > after), key=lambda e: e[0])[:limit]

    def often_used(self, realm: Realm, uses: int, limit: int) -> Sequence[Life]:
        """See `Lives.often_used`."""
        lives = [life for _, life in self.page(realm, (-1, -1), 1_000_000)]
        often = [life for life in lives if life.uses and len(life.uses) >= uses]
        return sorted(often, key=lambda life: life.memory_id)[:limit]

    def expiring(self, realm: Realm, until: datetime, limit: int) -> Sequence[Life]:
        """See `Lives.expiring`."""
        due = [
            (life.expires_at, number, life)
            for number, (_, life) in enumerate(self.page(realm, (-1, -1), 1_000_000))
            if life.expires_at is not None and life.expires_at <= until
        ]
        return [life for _, _, life in sorted(due, key=lambda each: each[:2])][:limit]

    def of(self, realm: Realm, memory_ids: Sequence[str]) -> Mapping[str, Life]:
        """See `Lives.of`."""
        found = [self._state.memories.get((realm.tenant, each)) for each in memory_ids]
        return {each.id: self._life(each) for each in found if each and each.realm == realm}

    def causes(self, realm: Realm, memory_ids: Sequence[str]) -> frozenset[str]:
        """See `Lives.causes`."""
        caused = {each.to_id for each in self._edges(realm) if each.relation == CAUSED_BY}
        return frozenset(memory_ids) & caused

    def summarised(self, realm: Realm, memory_ids: Sequence[str]) -> frozenset[str]:
        """See `Lives.summarised`."""
        memories = self._state.memories
        summarised = {
            each.to_id
            for each in self._edges(realm)
            if each.relation == SUMMARISES
            and memories[realm.tenant, each.from_id].status is Status.ACTIVE
        }
        return frozenset(memory_ids) & summarised

    def degrees(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, int]:
        """See `Lives.degrees`."""
        edges = [each for each in self._edges(asker) if each.relation != FOLLOWS]
        out, into = (
            Counter(ends) for ends in ((e.from_id for e in edges), (e.to_id for e in edges))
        )
        visible = set(self._visible(asker)) & set(memory_ids)
        found = {e: min(out[e], MOST_DEGREES) + min(into[e], MOST_DEGREES) for e in visible}
        return {memory_id: degree for memory_id, degree in found.items() if degree}

    def likenesses(
        self, realm: Realm, below: float, after: Cursor, limit: int
    ) -> Sequence[tuple[Cursor, Edge]]:
        """See `Lives.likenesses`."""
        numbers = {key: number for number, key in enumerate(self._state.memories, 1)}
        found = [
            ((to_micros(each.created_at), numbers[realm.tenant, each.from_id]), each)
            for each in self._edges(realm)
            if each.relation == SIMILAR_TO and each.weight < below and each.realm == realm
        ]
        return sorted((each for each in found if each[0] > after), key=lambda e: e[0])[:limit]

    def aged(self, asker: Realm, bounds: Sequence[datetime]) -> Sequence[Aged]:
        """See `Lives.aged`."""
        return self._counted(asker.tenant, self._visible(asker), bounds)

    def census(self, tenant: str, bounds: Sequence[datetime]) -> Sequence[tuple[Realm, Aged]]:
        """See `Lives.census`."""
        held: dict[Realm, list[str]] = {}
        for (of, memory_id), memory in self._state.memories.items():
            if of == tenant and memory.status is not Status.PURGED:
                held.setdefault(memory.realm, []).append(memory_id)
        return [
            (realm, each)
            for realm in sorted(held, key=lambda realm: (realm.owner, realm.scope))
            for each in self._counted(tenant, held[realm], bounds)
        ]

    def _counted(
        self, tenant: str, memory_ids: Sequence[str], bounds: Sequence[datetime]
    ) -> list[Aged]:
        counted: Counter[tuple[str, str, str, int]] = Counter()
        for memory_id in memory_ids:
            memory = self._state.memories[tenant, memory_id]
            good = [use.at for use in self._uses((tenant, memory_id)) if use.quality >= GOOD]
            needed = max([memory.recorded_at, *good])
            stretch = sum(needed < bound for bound in bounds)
            counted[memory.type, memory.shape.value, memory.status.value, stretch] += 1
        return [Aged(*kind, number) for kind, number in sorted(counted.items())]

    def note_surfaced(self, asker: Realm, memory_ids: Sequence[str], at: datetime) -> None:
        """See `Lives.note_surfaced`."""
        for memory_id in dict.fromkeys(memory_ids):
            if memory_id in self._visible(asker):
                key = (asker.tenant, memory_id)
                before = self._state.surfaced.get(key, Surfacing(0, at, at))
                last = max(before.last_at or at, at)
                self._state.surfaced[key] = Surfacing(before.count + 1, before.first_at, last)

    def forget_surfaced(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """See `Lives.forget_surfaced`."""
        for memory_id in memory_ids:
            self._state.surfaced.pop((tenant, memory_id), None)

    def surfaced(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, Surfacing]:
        """See `Lives.surfaced`."""
        visible = self._visible(asker)
        shown = {each: self._state.surfaced.get((asker.tenant, each)) for each in memory_ids}
        return {each: count for each, count in shown.items() if count and each in visible}

    def _visible(self, asker: Realm) -> list[str]:
        return [
            memory_id
            for (tenant, memory_id), memory in self._state.memories.items()
            if tenant == asker.tenant
            and may_read(asker, memory.realm)
            and memory.status is not Status.PURGED
        ]

    def _edges(self, realm: Realm) -> list[Edge]:
        return [
            edge
            for (tenant, _), edge in self._state.edges.items()
            if tenant == realm.tenant and edge.ended_at is None
        ]

    def _uses(self, key: Key) -> tuple[Use, ...]:
        uses = self._state.uses.get(key, {})
        return tuple(uses[position] for position in sorted(uses))

    def _life(self, memory: Memory) -> Life:
        return life_of(memory, self._uses((memory.realm.tenant, memory.id)))
