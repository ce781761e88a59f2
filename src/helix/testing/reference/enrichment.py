"""Vectors and mentions in dicts, searched by looking at all of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from helix.model.memory import Memory, Status
from helix.model.question import Standpoint
from helix.model.scope import Realm, may_read
from helix.ports.embedder import unlike
from helix.ports.enrichment import (
    MOST_ABOUT,
    REFERENCES,
    SIMILAR_TO,
    Enriched,
    Held,
    Lag,
    Novelty,
    Tie,
)
from helix.rules.precision import HALF, coarse, read
from helix.rules.validity import answers
from helix.testing.reference.state import Kept, Key, State

if TYPE_CHECKING:
    from helix.rules.similarity import Vectors


class ReferenceEnrichment:
    """Implements `Enrichment`; a memory's number is its place in the order of being written."""

    def __init__(self, state: State) -> None:
        self._state = state

    def waiting(self, model: str, limit: int) -> Sequence[tuple[int, Memory]]:
        """See `Enrichment.waiting`."""
        done = self._state.enriched.get(model, set())
        numbered = enumerate(self._state.memories.items(), 1)
        waiting = [(number, memory) for number, (key, memory) in numbered if key not in done]
        return [each for each in waiting if each[1].status is not Status.PURGED][:limit]

    def keep(self, model: str, dimension: int, enriched: Sequence[Enriched]) -> None:
        """See `Enrichment.keep`."""
        keys = list(self._state.memories)
        if dimension:
            self._expect(model, dimension)
        for each in enriched:
            key = keys[each.key - 1]
            self._state.enriched.setdefault(model, set()).add(key)
            if each.vector:
                kept = self._state.vectors.setdefault(model, {})
                kept.setdefault(key, (HALF, dimension, each.vector))
            if each.words:
                self._state.words.setdefault(model, {}).setdefault(key, each.words)
            if each.novelty is not None:
                self._state.novelty.setdefault(key, each.novelty)
            held = self._state.mentions.get(key, ())
            self._state.mentions[key] = tuple(dict.fromkeys((*held, *each.entities)))
            things = [(thing, False) for thing in each.named]
            things += [(thing, True) for thing in each.about]
            named = self._state.naming.get(key, ())
            self._state.naming[key] = tuple(dict.fromkeys((*named, *things)))
            for other, cosine in each.similar:
                pair = (key, keys[other - 1])
                self._state.likenesses.setdefault(model, {}).setdefault(pair, cosine)

    def unmended(self) -> bool:
        """See `Enrichment.unmended`: nothing here was written by anybody else."""
        return False

    def mend(self) -> int:
        """See `Enrichment.mend`."""
        return 0

    def lag(self, model: str) -> Lag:
        """See `Enrichment.lag`."""
        waiting = [memory for _, memory in self.waiting(model, len(self._state.memories))]
        oldest = min((memory.recorded_at for memory in waiting), default=None)
        return Lag(len(waiting), oldest)

    def models(self) -> Sequence[tuple[str, int]]:
        """See `Enrichment.models`."""
        return [(model, len(self._state.vectors.get(model, {}))) for model in self._state.enriched]

    def drop(self, model: str, at_most: int | None = None) -> bool:
        """See `Enrichment.drop`."""
        self._state.vectors.pop(model, None)
        self._state.words.pop(model, None)
        self._state.enriched.pop(model, None)
        self._state.likenesses.pop(model, None)
        return True

    def set_aside(self, tenant: str) -> None:
        """See `Enrichment.set_aside`."""
        state = self._state
        content = {key: each.content for key, each in state.memories.items() if key[0] == tenant}
        state.aside = State(
            vectors={model: dict(kept) for model, kept in state.vectors.items()},
            words={model: dict(kept) for model, kept in state.words.items()},
            mentions=dict(state.mentions),
            enriched={model: set(done) for model, done in state.enriched.items()},
            naming=dict(state.naming),
            novelty=dict(state.novelty),
            likenesses={model: dict(pairs) for model, pairs in state.likenesses.items()},
            contents=content,
        )

    def bring_back(self, tenant: str) -> None:
        """See `Enrichment.bring_back`."""
        state, aside = self._state, self._state.aside
        state.aside = None
        if aside is None:
            return
        back = {
            key
            for key, memory in state.memories.items()
            if key[0] == tenant and aside.contents.get(key) == memory.content
        }
        self._bring_back_ties(aside, back)
        for key in back:
            if key in aside.mentions:
                state.mentions[key] = aside.mentions[key]
            for model, kept in aside.vectors.items():
                if key in kept:
                    state.vectors.setdefault(model, {})[key] = kept[key]
                    state.enriched.setdefault(model, set()).add(key)
            for model, words in aside.words.items():
                if key in words:
                    state.words.setdefault(model, {})[key] = words[key]

    def _bring_back_ties(self, aside: State, back: set[Key]) -> None:
        state = self._state
        state.novelty |= {key: found for key, found in aside.novelty.items() if key in back}
        state.naming |= {key: things for key, things in aside.naming.items() if key in back}
        for model, pairs in aside.likenesses.items():
            for (start, end), cosine in pairs.items():
                if start in back and end in state.memories:
                    state.likenesses.setdefault(model, {})[start, end] = cosine

    def ahead(self, asker: Realm, model: str) -> Callable[[Vectors], None]:
        """See `Enrichment.ahead`: here nothing takes long."""
        del asker, model
        return lambda _: None

    def by_meaning(
        self,
        asker: Realm,
        model: str,
        asked: Vectors,
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
    ) -> Sequence[tuple[Memory, float]]:
        """See `Enrichment.by_meaning`."""
        self._expect(model, len(asked))
        found = [
            (memory, float(_row(self._state.vectors[model][key]) @ asked))
            for key, memory in self._state.memories.items()
            if key in self._state.vectors.get(model, {})
            and may_read(asker, memory.realm)
            and answers(memory, standpoint)
            and (not types or memory.type in types)
        ]
        return sorted(found, key=lambda pair: (-pair[1], pair[0].position))[:limit]

    def vectors_of(
        self, asker: Realm, model: str, memory_ids: Sequence[str]
    ) -> Mapping[str, Vectors]:
        """See `Enrichment.vectors_of`."""
        held = self.held_of(asker, model, memory_ids)
        return {memory_id: each.vector for memory_id, each in held.items()}

    def held_of(self, asker: Realm, model: str, memory_ids: Sequence[str]) -> Mapping[str, Held]:
        """See `Enrichment.held_of`."""
        kept = self._state.vectors.get(model, {})
        keys = [self._visible(asker, memory_id) for memory_id in memory_ids]
        return {
            key[1]: Held(_row(kept[key]), kept[key][0])
            for key in keys
            if key is not None and key in kept
        }

    def words_of(self, asker: Realm, model: str, memory_ids: Sequence[str]) -> Mapping[str, bytes]:
        """See `Enrichment.words_of`."""
        kept = self._state.words.get(model, {})
        keys = [self._visible(asker, memory_id) for memory_id in memory_ids]
        return {key[1]: kept[key] for key in keys if key is not None and key in kept}

    def wordless(self, model: str, limit: int) -> Sequence[tuple[int, Memory]]:
        """See `Enrichment.wordless`: nothing here is older than the words."""
        del model, limit
        return []

    def keep_words(self, model: str, words: Sequence[tuple[int, bytes]]) -> None:
        """See `Enrichment.keep_words`."""
        keys = list(self._state.memories)
        kept = self._state.words.setdefault(model, {})
        for number, body in words:
            if body:
                kept.setdefault(keys[number - 1], body)

    def novelty_of(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, Novelty]:
        """See `Enrichment.novelty_of`."""
        keys = [self._visible(asker, memory_id) for memory_id in memory_ids]
        known = self._state.novelty
        return {key[1]: known[key] for key in keys if key is not None and key in known}

    def precisions(self, realm: Realm, model: str) -> Sequence[tuple[int, int, int]]:
        """See `Enrichment.precisions`."""
        counted: dict[int, tuple[int, int]] = {}
        for memory_id in self._of_realm(realm):
            kept = self._state.vectors.get(model, {}).get((realm.tenant, memory_id))
            if kept is not None:
                number, size = counted.get(kept[0], (0, 0))
                counted[kept[0]] = number + 1, size + len(kept[2])
        return [(bits, *counted[bits]) for bits in sorted(counted, reverse=True)]

    def bits_of(self, realm: Realm, model: str, memory_ids: Sequence[str]) -> Mapping[str, int]:
        """See `Enrichment.bits_of`."""
        kept = self._state.vectors.get(model, {})
        keys = [(realm.tenant, each) for each in memory_ids if each in self._of_realm(realm)]
        return {key[1]: kept[key][0] for key in keys if key in kept}

    def coarsen(self, realm: Realm, model: str, bits: Mapping[str, int]) -> int:
        """See `Enrichment.coarsen`."""
        changed = 0
        for memory_id, now in self.bits_of(realm, model, list(bits)).items():
            key, wanted = (realm.tenant, memory_id), bits[memory_id]
            if now > wanted:
                _, dimension, _ = kept = self._state.vectors[model][key]
                body = coarse(_row(kept)[None, :], wanted)[0]
                self._state.vectors[model][key] = (wanted, dimension, body)
                self._state.words.get(model, {}).pop(key, None)
                changed += 1
        return changed

    def refine(self, realm: Realm, model: str, vectors: Mapping[str, tuple[bytes, bytes]]) -> None:
        """See `Enrichment.refine`."""
        for memory_id in self.bits_of(realm, model, list(vectors)):
            key = (realm.tenant, memory_id)
            dimension = self._state.vectors[model][key][1]
            vector, words = vectors[memory_id]
            self._expect(model, len(vector) * 8 // HALF)
            self._state.vectors[model][key] = (HALF, dimension, vector)
            if words:
                self._state.words.setdefault(model, {}).setdefault(key, words)

    def _of_realm(self, realm: Realm) -> set[str]:
        return {
            memory_id
            for (tenant, memory_id), memory in self._state.memories.items()
            if tenant == realm.tenant
            and memory.realm == realm
            and memory.status is not Status.PURGED
        }

    def entities_of(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `Enrichment.entities_of`."""
        keys = [self._visible(asker, memory_id) for memory_id in memory_ids]
        return {key[1]: self._state.mentions.get(key, ()) for key in keys if key is not None}

    def mentioning(
        self, asker: Realm, entities: Sequence[str], at_most: int
    ) -> Mapping[str, Sequence[str]]:
        """See `Enrichment.mentioning`."""
        found: dict[str, Sequence[str]] = {}
        for entity in entities:
            ids = [
                key[1]
                for key, names in self._state.mentions.items()
                if entity in names and self._visible(asker, key[1]) == key
            ]
            if len(ids) <= at_most:
                found[entity] = ids
        return found

    def nearest(
        self, realm: Realm, model: str, asked: Vectors, count: int
    ) -> Sequence[Sequence[tuple[int, float]]]:
        """See `Enrichment.nearest`."""
        self._expect(model, asked.shape[1])
        kept = self._state.vectors.get(model, {})
        there = [
            (number, _row(kept[key]))
            for number, (key, memory) in enumerate(self._state.memories.items(), 1)
            if key in kept and memory.realm == realm
        ]
        found = [[(number, float(vector @ row)) for number, vector in there] for row in asked]
        return [sorted(near, key=lambda each: (-each[1], each[0]))[:count] for near in found]

    def ties(self, asker: Realm, model: str, memory_id: str) -> Sequence[Tie]:
        """See `Enrichment.ties`."""
        if self._visible(asker, memory_id) is None:
            return []
        found = [
            Tie(start[1], SIMILAR_TO, end[1], cosine)
            for (start, end), cosine in self._state.likenesses.get(model, {}).items()
            if memory_id in (start[1], end[1])
            and self._visible(asker, start[1]) == start
            and self._visible(asker, end[1]) == end
        ]
        pairs = {
            (start, end)
            for start, end in self._references(asker)
            if start != end and memory_id in (start, end)
        }
        found += [Tie(start, REFERENCES, end, 1.0) for start, end in pairs]
        return sorted(found, key=lambda tie: (-tie.weight, tie.relation, tie.from_id, tie.to_id))

    def _references(self, asker: Realm) -> set[tuple[str, str]]:
        naming: dict[str, list[str]] = {}
        about: dict[str, list[str]] = {}
        for key, things in self._state.naming.items():
            if self._visible(asker, key[1]) == key:
                for thing, concerns in things:
                    (about if concerns else naming).setdefault(thing, []).append(key[1])
        found = set()
        for thing, ids in naming.items():
            kind, _, name = thing.partition(":")
            ends = [name] if kind == "memory" else about.get(thing, [])
            if len(ends) <= MOST_ABOUT:
                found |= {
                    (start, end) for start in ids for end in ends if self._visible(asker, end)
                }
        return found

    def _expect(self, model: str, numbers: int) -> None:
        for _, dimension, _ in self._state.vectors.get(model, {}).values():
            if dimension != numbers:
                raise unlike(numbers, dimension)

    def _visible(self, asker: Realm, memory_id: str) -> Key | None:
        key = (asker.tenant, memory_id)
        memory = self._state.memories.get(key)
        if memory is None or memory.status is Status.PURGED:
            return None
        return key if may_read(asker, memory.realm) else None


def _row(kept: Kept) -> Vectors:
    bits, dimension, body = kept
    row: Vectors = read([body], [bits], dimension)[0]
    return row
