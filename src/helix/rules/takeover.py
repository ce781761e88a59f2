"""When one source comes to hold most of the places that questions of one kind lead to.

Nobody's questions are kept, so they are made of what is held: two words that a source's texts
and those of others, from before, both speak of are a question that leads to both. A source that
within a day pushes what others had said out of most of the first places has taken them over,
whatever its texts say.

There must be something to take: several texts by others, from before. Who writes much in a
young store, or first about a matter, takes nothing from anybody. And a source that tells much
besides, as a history does or an ordinary session, is at work: most of what it says in its day
must be about what it took, unless it claims much the same again and again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from heapq import nsmallest
from itertools import combinations, islice

from helix.model.frozen import dataclass
from helix.rules.relations import telling

PLACES = 5
"""What a question leads to: as many as an agent is shown first."""

TAKEN = 3
"""Places that are most of them."""

HELD_BEFORE = 1
"""Places up to which it did not, before."""

SHORT = timedelta(hours=24)
"""Within this, what one source says is said at once."""

FEWEST = 5
"""Texts of one source that could hold every place."""

YOUNG = 20
"""Texts by others below which a store has no neighbourhoods."""

ESTABLISHED = 3
"""Places that others must have held before."""

SHARED = 2
"""Texts that two questions of one neighbourhood lead to alike."""

CONCENTRATED = 0.75
"""Share of what a source says in its day that takes places; below, it tells much besides."""

REPEATED = 0.4
"""The likeness, on average, of claims that say much the same; then it counts no more what else
a source told."""

LOOKED_AT = 2_000
"""The latest texts, among which sources are looked for."""

MOST_TEXTS = 20_000
"""The latest texts, among which places are; what was said before them counts no more here."""

LETTERS_READ = 2_000
"""Of a longer text only the beginning is read, as it is for finding by meaning."""

MOST_QUESTIONS = 64
"""Questions that are asked for one source."""

MOST_LOOKED_UP = 512
"""Of what one source says again and again, how much is looked up among others."""

MOST_WORDS = 12
"""Of a text, the rarest words, in which it is asked about."""

MOST_SHARING = 0.1
"""A word in more than this share of the texts tells none of them from the others."""

FEWEST_SHARING = 50
"""A word in fewer texts than this always tells."""


@dataclass(frozen=True, slots=True)
class Told:
    """A text, when it was told, by whom; and whether the user vouches for it.

    `sources` are the names that could be one voice: its session, its document, its agent.
    `states` is said of what claims something to be so, rather than telling what happened.
    """

    id: str
    content: str
    at: datetime
    sources: tuple[str, ...]
    vouched: bool = False
    states: bool = False


@dataclass(frozen=True, slots=True)
class Takeover:
    """What one source took: of so many places how many, now and before, with which texts."""

    source: str
    places: int
    before: int
    after: int
    questions: tuple[str, ...]
    taking: tuple[str, ...]


def takeovers(told: Iterable[Told]) -> list[Takeover]:
    """Return what was taken over; of two sources that took the same, the one that said least."""
    latest = sorted(told, key=lambda each: (each.at, each.id))[-MOST_TEXTS:]
    bursts = list(_bursts(latest))
    if not bursts:
        return []
    texts = _Texts(latest)
    found: list[Takeover] = []
    known: set[str] = set()
    for source, places in bursts:
        for taken in _taken(texts, source, places):
            if not known.issuperset(taken.taking):
                known.update(taken.taking)
                found.append(taken)
    return found


def _bursts(told: Sequence[Told]) -> Iterator[tuple[str, list[int]]]:
    """Yield what one source said within a day, for each that said much lately; small ones first."""
    by_source: dict[str, list[list[int]]] = {}
    for at in range(max(0, len(told) - LOOKED_AT), len(told)):
        if told[at].vouched:
            continue
        for source in told[at].sources:
            bursts = by_source.setdefault(source, [[]])
            if bursts[-1] and told[at].at - told[bursts[-1][0]].at > SHORT:
                bursts.append([])
            bursts[-1].append(at)
    every = [
        (burst, source)
        for source, bursts in by_source.items()
        for burst in bursts
        if len(burst) >= FEWEST
    ]
    for burst, source in sorted(every, key=lambda each: (len(each[0]), each)):
        yield source, burst


Pair = tuple[str, str]
"""Two words that are asked about together."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked: how many places a source held, and which texts of it hold them now."""

    asked: Pair
    before: int
    holds: frozenset[int]


def _taken(texts: _Texts, source: str, places: Sequence[int]) -> list[Takeover]:
    if sum(source not in texts.told[at].sources for at in range(places[0])) < YOUNG:
        return []
    lost = [
        question
        for asked in _questions(texts, source, places)
        if (question := _lost(texts, source, places, asked))
    ]
    groups = _neighbourhoods(lost)
    speaking = [_speaking(texts, places, group) for group in groups]
    every = set[int]().union(*speaking)
    if len(every) < CONCENTRATED * len(places) and not texts.repeats(every):
        return []
    return [_told(texts, source, group, said) for group, said in zip(groups, speaking, strict=True)]


def _questions(texts: _Texts, source: str, places: Sequence[int]) -> list[Pair]:
    """Return what a source's texts and those of others, from before, both speak of."""
    first = places[0]
    said: Counter[Pair] = Counter()
    for at in places:
        said.update(combinations(texts.words(at)[:MOST_WORDS], 2))
    often = [pair for pair, count in said.items() if count >= TAKEN]
    looked_up = nsmallest(MOST_LOOKED_UP, often, key=lambda pair: (-said[pair], pair))
    known = (
        pair
        for pair in looked_up
        if sum(source not in texts.told[at].sources for at in texts.both(pair, first))
        >= ESTABLISHED
    )
    return list(islice(known, MOST_QUESTIONS))


def _lost(texts: _Texts, source: str, places: Sequence[int], asked: Pair) -> _Question | None:
    """Return a question whose places others held, and a source holds now."""
    then = texts.leads_to(asked, places[0])
    mine = [at for at in then if source in texts.told[at].sources]
    if len(then) - len(mine) < ESTABLISHED or len(mine) > HELD_BEFORE:
        return None
    said = set(places)
    holds = frozenset(at for at in texts.leads_to(asked, places[-1] + 1) if at in said)
    return _Question(asked, len(mine), holds) if len(holds) >= TAKEN else None


def _neighbourhoods(lost: Sequence[_Question]) -> list[list[_Question]]:
    """Return the questions in groups: those of one group lead to the same texts."""
    groups: list[list[_Question]] = []
    for question in lost:
        joined = [
            group
            for group in groups
            if any(len(question.holds & each.holds) >= SHARED for each in group)
        ]
        groups = [group for group in groups if group not in joined]
        groups.append([question, *(each for group in joined for each in group)])
    return groups


def _speaking(texts: _Texts, places: Sequence[int], group: Sequence[_Question]) -> set[int]:
    """Return all that a source says of what it took: ranked low, the first make room for it."""
    said = [set(texts.words(at)) for at in places]
    return {
        at
        for at, words in zip(places, said, strict=True)
        if any(words.issuperset(question.asked) for question in group)
    }


def _told(texts: _Texts, source: str, group: Sequence[_Question], speaking: set[int]) -> Takeover:
    return Takeover(
        source,
        PLACES * len(group),
        sum(each.before for each in group),
        sum(len(each.holds) for each in group),
        tuple(" ".join(each.asked) for each in sorted(group, key=lambda one: one.asked)),
        tuple(texts.told[at].id for at in sorted(speaking)),
    )


class _Texts:
    """Texts in the order of time, by their words."""

    def __init__(self, told: Sequence[Told]) -> None:
        self.told = told
        words = [frozenset(telling(each.content[:LETTERS_READ])) for each in told]
        counts = Counter(word for each in words for word in each)
        most = max(FEWEST_SHARING, MOST_SHARING * len(told))
        self._weights = {
            word: math.log(1 + len(told) / count) for word, count in counts.items() if count <= most
        }
        self._words = [
            sorted((w for w in each if w in self._weights), key=lambda w: (-self._weights[w], w))
            for each in words
        ]
        self._lengths = [
            math.sqrt(sum(self._weights[word] ** 2 for word in each)) for each in self._words
        ]
        self._holding: dict[str, list[int]] = {}
        for at, each in enumerate(self._words):
            for word in each:
                self._holding.setdefault(word, []).append(at)

    def repeats(self, taking: set[int]) -> bool:
        """Return whether these texts claim something, and say much the same."""
        if not all(self.told[at].states for at in taking):
            return False
        pairs = list(combinations(sorted(taking), 2))
        alike = sum(self._likeness(*pair) for pair in pairs)
        return alike >= REPEATED * len(pairs)

    def _likeness(self, one: int, other: int) -> float:
        shared = set(self._words[one]).intersection(self._words[other])
        weight = sum(self._weights[word] ** 2 for word in shared)
        return weight / (self._lengths[one] * self._lengths[other] or 1.0)

    def words(self, at: int) -> Sequence[str]:
        """Return the words of a text that tell it from others, the rarest first."""
        return self._words[at]

    def both(self, pair: Pair, before: int) -> list[int]:
        """Return where both words stand, of what was told before a place."""
        one, other = (self._holding[word] for word in pair)
        rest = set(other)
        return [at for at in one if at < before and at in rest]

    def leads_to(self, pair: Pair, before: int) -> list[int]:
        """Return what asking for two words leads to, of what was told before a place.

        Texts that have both, those first that tell least besides; the later of two alike.
        """
        found = self.both(pair, before)
        return nsmallest(PLACES, found, key=lambda at: (self._lengths[at], -at))
