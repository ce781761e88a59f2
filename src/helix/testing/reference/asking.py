"""The side of the projection that is asked, as comprehensions over all memories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from helix.model.edge import Edge
from helix.model.memory import Belief, Memory, Status
from helix.model.question import Standpoint
from helix.model.scope import Realm, may_read
from helix.model.types import EPISODE
from helix.ports.projection import Beside, Groups, Hit
from helix.rules import relevance
from helix.rules.thinning import thinned
from helix.rules.validity import answers
from helix.testing.reference.reading import Text
from helix.testing.reference.state import State


class ReferenceAsking:
    """Implements the reading half of `Projection`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def memory(
        self, asker: Realm, memory_id: str, believed_on: datetime | None = None
    ) -> Memory | None:
        """See `Projection.memory`."""
        return next(
            (each for each in self._visible(asker, believed_on) if each.id == memory_id), None
        )

    def memories(
        self, asker: Realm, memory_ids: Sequence[str], believed_on: datetime | None = None
    ) -> Mapping[str, Memory]:
        """See `Projection.memories`."""
        found = {each: self.memory(asker, each, believed_on) for each in memory_ids}
        return {memory_id: memory for memory_id, memory in found.items() if memory is not None}

    def listing(
        self,
        asker: Realm,
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
        before: int | Memory | None = None,
        statuses: Sequence[Status] | None = None,
    ) -> Sequence[Memory]:
        """See `Projection.listing`."""
        found = [
            each
            for each in self._visible(asker, standpoint.believed_on)
            if (answers(each, standpoint) if statuses is None else each.status in statuses)
            and (not types or each.type in types)
        ]
        # Of two at one position, the one that came last is the newer.
        order = {each.id: place for place, each in enumerate(self._visible(asker, None))}

        def age(each: Memory) -> tuple[int, int]:
            return -each.position, -order[each.id]

        if isinstance(before, Memory):
            found = [each for each in found if before.id in order and age(each) > age(before)]
        elif before is not None:
            found = [each for each in found if each.position < before]
        return sorted(found, key=age)[:limit]

    def by_words(
        self,
        asker: Realm,
        words: Sequence[str],
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
    ) -> Sequence[Hit]:
        """See `Projection.by_words`."""
        texts = {each.id: Text(each.content) for each in self._visible(asker, None)}
        frequencies = Counter(word for text in texts.values() for word in text.counts)
        length = sum(text.counts.total() for text in texts.values()) / max(len(texts), 1)
        asked = {part for word in words for part in word.split()}
        hits = []
        for memory in self._visible(asker, standpoint.believed_on):
            text = texts[memory.id]
            matched = tuple(word for word in dict.fromkeys(words) if text.contains(word))
            if matched and answers(memory, standpoint) and (not types or memory.type in types):
                score = self._score([text], asked, frequencies, len(texts), length)
                hits.append(Hit(memory, score, matched))
        return sorted(hits, key=lambda hit: (-hit.score, -hit.memory.position))[:limit]

    def word_scores(
        self, asker: Realm, words: Sequence[str], kinds: Sequence[Groups]
    ) -> Sequence[Sequence[float]]:
        """See `Projection.word_scores`."""
        return [self._word_scores(asker, words, groups) for groups in kinds]

    def _word_scores(self, asker: Realm, words: Sequence[str], groups: Groups) -> list[float]:
        held = [Text(each.content) for each in self._visible(asker, None)]
        frequencies = Counter(word for text in held for word in text.counts)
        length = sum(text.counts.total() for text in held) / max(len(held), 1)
        length *= sum(map(len, groups)) / max(len(groups), 1)
        asked = {part for word in words for part in word.split()}
        return [
            self._score([Text(text) for text in group], asked, frequencies, len(held), length)
            for group in groups
        ]

    def _score(
        self,
        texts: list[Text],
        asked: set[str],
        frequencies: Counter[str],
        rows: int,
        length: float,
    ) -> float:
        counts = {word: sum(text.counts[word] for text in texts) for word in asked}
        own = sum(text.counts.total() for text in texts)
        weights = {
            word: relevance.weight_of_word(frequencies[word], max(rows, 1)) for word in counts
        }
        return relevance.bm25(counts, own, weights, average_length=length)

    def around(
        self, asker: Realm, memories: Sequence[Memory], reach: int
    ) -> Mapping[str, Sequence[Beside]]:
        """See `Projection.around`."""
        found = {}
        for memory in memories:
            session = memory.circumstances and memory.circumstances.session
            if session and may_read(asker, memory.realm):
                same = [
                    each
                    for each in sorted(self._visible(asker, None), key=lambda each: each.position)
                    if each.circumstances is not None
                    and each.circumstances.session == session
                    and each.realm == memory.realm
                    and each.status is Status.ACTIVE
                ]
                before = [each for each in same if each.position < memory.position][-reach:]
                after = [each for each in same if each.position > memory.position][:reach]
                found[memory.id] = [Beside(e.id, e.content, e.position) for e in before + after]
        return found

    def happened(
        self, asker: Realm, since: datetime, until: datetime, limit: int
    ) -> Sequence[Memory]:
        """See `Projection.happened`."""
        found = [
            each
            for each in self._visible(asker, None)
            if each.type == EPISODE
            and each.status is Status.ACTIVE
            and since <= each.belief.valid_from < until
        ]
        return thinned(sorted(found, key=lambda e: (e.belief.valid_from, e.position)), limit)

    def neighbours(
        self,
        asker: Realm,
        memory_id: str,
        *,
        relations: Sequence[str] = (),
        believed_on: datetime | None = None,
    ) -> Sequence[Edge]:
        """See `Projection.neighbours`."""
        if self.memory(asker, memory_id, believed_on) is None:
            return []
        visible = {each.id for each in self._visible(asker, None)}
        return [
            edge
            for (tenant, _), edge in self._state.edges.items()
            if tenant == asker.tenant
            and memory_id in (edge.from_id, edge.to_id)
            and {edge.from_id, edge.to_id} <= visible
            and may_read(asker, edge.realm)
            and (not relations or edge.relation in relations)
            and _stands(edge, believed_on)
        ]

    def beliefs(self, asker: Realm, memory_id: str) -> Sequence[Belief]:
        """See `Projection.beliefs`."""
        memory = self.memory(asker, memory_id)
        if memory is None:
            return []
        past = self._state.past.get((asker.tenant, memory_id), [])
        return [*(each.belief for each in past), memory.belief]

    def counts(self, asker: Realm) -> Sequence[tuple[str, str, str, int]]:
        """See `Projection.counts`."""
        counted = Counter(
            (each.realm.scope, each.type, each.status.value) for each in self._visible(asker, None)
        )
        return [(*key, number) for key, number in sorted(counted.items())]

    def importance_budget(self, realm: Realm) -> int:
        """See `Projection.importance_budget`."""
        return self._state.budgets.get(realm, 0)

    def _visible(self, asker: Realm, believed_on: datetime | None) -> Iterator[Memory]:
        for (_, memory_id), memory in self._state.memories.items():
            if may_read(asker, memory.realm) and memory.status is not Status.PURGED:
                if believed_on is None:
                    yield memory
                elif memory.recorded_at <= believed_on:
                    yield replace(memory, belief=self._belief(memory_id, memory, believed_on))

    def _belief(self, memory_id: str, memory: Memory, believed_on: datetime) -> Belief:
        past = self._state.past.get((memory.realm.tenant, memory_id), [])
        then = (each.belief for each in past if each.until_at > believed_on)
        return next(then, memory.belief)


def _stands(edge: Edge, believed_on: datetime | None) -> bool:
    if believed_on is None:
        return edge.ended_at is None
    return edge.created_at <= believed_on and (edge.ended_at is None or edge.ended_at > believed_on)
