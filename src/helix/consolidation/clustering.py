"""Which episodes tell of the same thing in other words.

Episodes are compared by the concepts they share, not by their wording: reduced words, with
names and values among them. A cluster is known by its core, the concepts that half of its
members share; an episode joins the cluster whose core it covers best. Clusters are found
through pairs of concepts that recur, so the cost grows with the episodes and not with their
square. The order is that of the ledger, so the same episodes give the same clusters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from helix.rules.keywords import EMPTY_WORDS
from helix.rules.stems import reduced, stem
from helix.rules.values import value_of
from helix.rules.vocabulary import listed

MOST_CONCEPTS = 24
"""Concepts of an episode that are compared; a longer one is known by its first ones."""

PAIRED = 8
"""Concepts of an episode through which it looks for its cluster."""

MOST_TRIED = 24
"""Clusters that are compared with an episode."""

HUB_SHARE = 0.02
FEWEST_FOR_A_HUB = 400
"""A concept in more episodes than both of these is in too many to lead anywhere."""

COVERED = 0.6
"""Share of a core that an episode must cover to join."""

SHARED_AT_FIRST = 0.5
"""Share of the smaller side that two episodes must share to begin a cluster."""

SAME_CORE = 0.75
"""Share of the smaller core that two clusters must share to be one."""

FEWEST_SHARED = 2
_NAME_WEIGHT = 1.5

_GENERIC = EMPTY_WORDS | frozenset(map(stem, listed("""
    run fix use add get update make work try again time code file change need see issue problem
    thing way line build command step check look call start stop finish done do fail failure error
    break crash die pass ok output result message log run write read print show new old good bad
    first last next before after until without unless because so then also only just now today
    yesterday once twice still yet always never every must should forgot forget remember had have
    need needed turn turned kept keep went go gone come came saw say said tell told let give gave
    take took put set got find found help cause due happen seem appear wrong right session task
    minute hour second day week
    """)))  # fmt: skip


class Told(NamedTuple):
    """An episode's place in the sequence, and the concepts it tells of."""

    at: int
    concepts: tuple[str, ...]


@dataclass
class Cluster:
    """Episodes that tell of the same thing; `counts` says how many of them name a concept."""

    members: list[int] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    _core: frozenset[str] | None = None
    _core_weight: float = 0.0

    def add(self, told: Told) -> None:
        """Take an episode in."""
        self.members.append(told.at)
        self.counts.update(told.concepts)
        self._core = None

    @property
    def core(self) -> frozenset[str]:
        """The concepts that at least half of the members share."""
        if self._core is None:
            half = len(self.members) / 2
            self._core = frozenset(word for word, count in self.counts.items() if count >= half)
            self._core_weight = weight(self._core)
        return self._core

    @property
    def core_weight(self) -> float:
        """How much the core tells."""
        return self._core_weight if self.core else 0.0


def concepts(text: str) -> tuple[str, ...]:
    """Return the distinct concepts of a text, in order of appearance; generic words are none."""
    found: dict[str, None] = {}
    for word in reduced(text):
        if _tells(word):
            found[word] = None
        if "/" in word:
            # ".venv/bin/activate" speaks of the venv and of activating it.
            parts = map(stem, word.strip("./").replace(".", "/").split("/"))
            found.update(dict.fromkeys(part for part in parts if _tells(part)))
    return tuple(found)[:MOST_CONCEPTS]


def clusters(texts: Sequence[str], fewest: int) -> list[Cluster]:
    """Return the groups of at least `fewest` texts that tell of the same thing, largest first."""
    told = [Told(at, concepts(text)) for at, text in enumerate(texts)]
    counts = Counter(word for each in told for word in each.concepts)
    most = max(FEWEST_FOR_A_HUB, HUB_SHARE * len(texts))
    useful = {word for word, count in counts.items() if fewest <= count <= most}
    told = [Told(at, tuple(word for word in known if word in useful)) for at, known in told]
    recurring = _recurring_pairs(told, counts, fewest)
    grouped = _Grouping(recurring, counts)
    for each in told:
        grouped.place(each)
    grouped.unite()
    grouped.gather([each for each in told if grouped.alone(each.at, fewest)], fewest)
    found = [each for each in grouped.clusters if len(each.members) >= fewest]
    return sorted(found, key=lambda each: (-len(each.members), each.members[0]))


def weight(words: Iterable[str]) -> float:
    """Return how much concepts tell: names and values more than words."""
    return sum(map(_weight, words))


@lru_cache(maxsize=262_144)
def _weight(word: str) -> float:
    return _NAME_WEIGHT if value_of(word) else 1.0


class _Grouping:
    """Clusters as they grow, found again through the pairs of concepts in them."""

    def __init__(self, recurring: frozenset[tuple[str, str]], counts: Mapping[str, int]) -> None:
        self.clusters: list[Cluster] = []
        self._recurring = recurring
        self._counts = counts
        self._by_pair: dict[tuple[str, str], list[int]] = {}
        self._of: dict[int, int] = {}

    def place(self, told: Told) -> None:
        pairs = self._pairs(told)
        if not pairs:
            return
        best = self._best(told, pairs)
        if best is None:
            best = len(self.clusters)
            self.clusters.append(Cluster())
        self.clusters[best].add(told)
        self._of[told.at] = best
        for pair in pairs:
            known = self._by_pair.setdefault(pair, [])
            if best not in known and len(known) < MOST_TRIED:
                known.append(best)

    def alone(self, at: int, fewest: int) -> bool:
        """Tell whether an episode found no company worth the name."""
        return at in self._of and len(self.clusters[self._of[at]].members) < fewest

    def unite(self) -> None:
        """Make one of clusters that turned out to have the same core."""
        # One episode alone has no core yet; it is brought to its company afterwards.
        pairs = {
            (min(first, second), max(first, second))
            for known in self._by_pair.values()
            for first, second in combinations(
                [each for each in known if len(self.clusters[each].members) > 1], 2
            )
        }
        for kept, gone in sorted(pairs):
            self._unite(kept, gone)

    def gather(self, told: Sequence[Told], fewest: int) -> None:
        """Bring those left alone to a cluster whose core has become clear since."""
        for each in told:
            own = self._of[each.at]
            best = self._best(each, self._pairs(each), besides=own, fewest=fewest)
            if best is not None:
                self.clusters[own].members.remove(each.at)
                self.clusters[best].add(each)
                self._of[each.at] = best

    def _unite(self, kept: int, gone: int) -> None:
        one, other = self.clusters[kept], self.clusters[gone]
        if kept == gone or not one.members or not other.members:
            return
        shared = one.core & other.core
        smaller = min(one.core_weight, other.core_weight)
        if len(shared) < FEWEST_SHARED or weight(shared) < SAME_CORE * smaller:
            return
        one.members.extend(other.members)
        one.members.sort()
        one.counts.update(other.counts)
        one._core = None
        for at in other.members:
            self._of[at] = kept
        self.clusters[gone] = Cluster()

    def _best(
        self,
        told: Told,
        pairs: Sequence[tuple[str, str]],
        besides: int | None = None,
        fewest: int = 1,
    ) -> int | None:
        tried = Counter(each for pair in pairs for each in self._by_pair.get(pair, ()))
        own = frozenset(told.concepts)
        best: tuple[float, float, int] | None = None
        for number, _ in tried.most_common(MOST_TRIED):
            cluster = self.clusters[number]
            if number == besides or len(cluster.members) < fewest:
                continue
            fit = _fit(own, cluster)
            if fit is not None and (best is None or (*fit, -number) > best):
                best = (*fit, -number)
        return None if best is None else -best[2]

    def _pairs(self, told: Told) -> list[tuple[str, str]]:
        chosen = _most_telling(told.concepts, self._counts)
        return [pair for pair in combinations(chosen, 2) if pair in self._recurring]


def _fit(own: frozenset[str], cluster: Cluster) -> tuple[float, float] | None:
    """Return how well an episode fits a cluster, or None where it does not."""
    core = cluster.core
    shared = own & core
    if len(shared) < FEWEST_SHARED:
        return None
    common, whole = weight(shared), cluster.core_weight
    if len(cluster.members) < 3:  # noqa: PLR2004 - of one or two, nothing is known to be core
        if common < SHARED_AT_FIRST * min(weight(own), whole):
            return None
    elif common < COVERED * whole:
        return None
    return common, common / whole


def _most_telling(known: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    # Names first, then the rarer word; in alphabetical order, so that a pair has one form.
    ranked = sorted(known, key=lambda word: (-_weight(word), counts[word], word))
    return sorted(ranked[:PAIRED])


def _recurring_pairs(
    told: Sequence[Told], counts: Mapping[str, int], fewest: int
) -> frozenset[tuple[str, str]]:
    """Return the pairs of concepts that stand together in at least `fewest` episodes."""
    numbers = {word: number for number, word in enumerate(sorted(counts))}
    words = sorted(counts)
    keys = np.fromiter(
        (
            numbers[one] << 32 | numbers[other]
            for each in told
            for one, other in combinations(_most_telling(each.concepts, counts), 2)
        ),
        dtype=np.uint64,
    )
    unique, seen = np.unique(keys, return_counts=True)
    often = unique[seen >= fewest].tolist()
    return frozenset((words[key >> 32], words[key & 0xFFFFFFFF]) for key in often)


def _tells(word: str) -> bool:
    if word in _GENERIC or len(word) < 2:  # noqa: PLR2004 - a letter is no concept
        return False
    return not word[0].isdigit()
