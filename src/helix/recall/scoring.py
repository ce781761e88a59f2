"""Putting candidates in order: the rankers.

`evidence`, the default, lets relevance decide; recency, importance and affinity are
bounded boosts that order equals. `three_factor` and `four_factor` are exact as documented
(all weights 1, affinity 0.5, each factor brought to [0, 1] over the candidates);
`nine_factor` adds relevance and the importance made of nine factors, recency among them. Under
each of them, of two equally relevant memories the fresher, more important one wins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime

from helix.model.frozen import dataclass
from helix.model.memory import Memory
from helix.model.types import EPISODE
from helix.recall.signals import Candidate, brevity, normalised, weight_of_words

RANKERS = ("evidence", "three_factor", "four_factor", "nine_factor")
SIGNALS = (
    "words", "meaning", "word by word", "around", "named", "asks", "linked", "time", "boosts",
)  # fmt: skip
"""What can be switched off, to see what it is worth."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal of words, meaning and time counts.

    Of short texts a model reads everything, and word by word says most of what words do: there
    words give up a share, and comparing word by word gains one.
    """

    words: float
    words_around: float
    words_in_session: float
    meaning: float
    meaning_around: float
    in_time: float
    boosts: bool
    """Whether recency and importance order equals: of a session, a single turn's say nothing."""
    word_by_word: float = 0.0
    given_up: float = 0.0
    gained: float = 0.0


OF_MEMORIES = Weights(1.0, 1.0, 0.6, 0.7, 0.5, 1.0, boosts=True)
OF_SESSIONS = Weights(1.0, 0.5, 0.3, 0.2, 0.6, 1.0, boosts=False)
"""Where sessions are asked for, all that was said in one counts more than any single turn."""

BY_WORD = {
    OF_MEMORIES: replace(OF_MEMORIES, word_by_word=0.5, given_up=0.5, gained=0.5),
    OF_SESSIONS: replace(OF_SESSIONS, word_by_word=1.5, given_up=0.6, meaning=0.0, in_time=2.0),
}
"""The same, where the model tells of single words."""

NAMED = 0.7
ASKS = 0.4
LINKED = 0.8
KNOWN_THEN = 0.3
RECENCY_BOOST = 0.03
IMPORTANCE_BOOST = 0.03
AFFINITY_BOOST = 0.02
HELD_BOOST = 0.05
"""Weights of the evidence ranker; where each comes from stands in docs/ranking.md."""

BELOW_THE_BEST = 0.98
"""How close to the best evidence a memory may come that only the graph speaks for."""

HALF_LIFE_DAYS = 7.0
"""For recency: an episode's half-life."""

AFFINITY_WEIGHT = 0.5
"""w_u: affinity breaks ties and must not override relevance."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Which ranker, which signals are switched off, and whether a weak answer is given up.

    `archived_share` is what an archived memory that nobody asked for keeps of its score.
    """

    ranker: str = "evidence"
    switched_off: frozenset[str] = frozenset()
    abstains: bool = True
    archived_share: float = 1.0


@dataclass(frozen=True, slots=True)
class Asker:
    """What is known of who asks: the session at hand and, per memory, closeness to it."""

    affinity: Mapping[str, float] = field(default_factory=dict)


def ranked(
    candidates: Sequence[Candidate],
    now: datetime,
    tuning: Tuning,
    *,
    in_time: Mapping[str, float] | None = None,
    asked_at: datetime | None = None,
    weights: Weights = OF_MEMORIES,
    asker: Asker | None = None,
) -> list[tuple[float, Candidate]]:
    """Return the candidates best first, each with its score; contributions are noted on them."""
    asker = asker or Asker()
    parts = _relevance(candidates, tuning, weights, in_time or {}, asked_at)
    scores = [sum(values) for values in zip(*parts.values(), strict=True)]
    if tuning.ranker != "evidence":
        scores = normalised(scores)
    factors: dict[str, Callable[[Candidate], float]] = {
        "recency": lambda each: _recency(each, asked_at or now, tuning),
        "importance": lambda each: each.memory.importance if each.weight is None else each.weight,
        "affinity": lambda each: asker.affinity.get(each.memory.id, 0.0),
        # What was concluded or told answers better than an episode that speaks of it.
        "held": lambda each: float(each.memory.type != EPISODE),
    }
    for name, weight in _factor_weights(tuning, weights).items():
        values = _factor([factors[name](each) for each in candidates], name, tuning)
        parts[name] = [weight * value for value in values]
        scores = [score + part for score, part in zip(scores, parts[name], strict=True)]
    for each, shares in zip(candidates, zip(*parts.values(), strict=True), strict=True):
        each.contributions = dict(zip(parts, shares, strict=True))
    scores = [
        score * each.influence * (tuning.archived_share if each.archived else 1.0)
        for score, each in zip(scores, candidates, strict=True)
    ]
    order = sorted(
        range(len(candidates)),
        key=lambda index: (-scores[index], -candidates[index].memory.position),
    )
    return [(scores[index], candidates[index]) for index in order]


def recency(memory: Memory, now: datetime) -> float:
    """Return e^(-λΔt) since the memory was recorded; 1.0 at once, 0.5 after a half-life."""
    days = max(0.0, (now - memory.recorded_at).total_seconds() / 86_400)
    return math.exp(-math.log(2) / HALF_LIFE_DAYS * days)


def _recency(each: Candidate, now: datetime, tuning: Tuning) -> float:
    if each.memory.recorded_at > now:
        return 0.0  # it was not there yet when the question was asked
    # The documented rankers take decay itself, which is 1.0 for all that never fades.
    known = each.recency if tuning.ranker == "evidence" else each.retained
    return recency(each.memory, now) if known is None else known


def _relevance(
    candidates: Sequence[Candidate],
    tuning: Tuning,
    weights: Weights,
    in_time: Mapping[str, float],
    asked_at: datetime | None,
) -> dict[str, list[float]]:
    """Return what each signal says for each candidate; all of them together make 1 at most."""
    parts = _evidence(candidates, weights, tuning.switched_off, in_time)
    if asked_at is not None and "time" not in tuning.switched_off:
        parts["known then"] = [
            KNOWN_THEN * (each.memory.recorded_at <= asked_at) for each in candidates
        ]
    whole = sum(max(values) for values in parts.values()) or 1.0
    if "linked" not in tuning.switched_off:
        # What the graph adds is measured against half of all the rest: it may lift a memory
        # beside the best, never above all evidence.
        own = [sum(values) for values in zip(*parts.values(), strict=True)]
        highest = max(own) * BELOW_THE_BEST
        room = [max(0.0, highest - each) for each in own]
        parts["linked"] = [
            min(LINKED * each.linked * whole / 2, left)
            for each, left in zip(candidates, room, strict=True)
        ]
    return {name: [value / whole for value in values] for name, values in parts.items()}


def _evidence(
    candidates: Sequence[Candidate],
    weights: Weights,
    off: Collection[str],
    in_time: Mapping[str, float],
) -> dict[str, list[float]]:
    told = [each.word_by_word is not None for each in candidates]
    if any(told):
        weights = BY_WORD[weights]
    sharpness = weight_of_words(
        [each.words for each in candidates], max(each.meaning for each in candidates)
    )
    # Where nothing stands beside anything, words are counted once, not three times, and meaning
    # has the weight that it shares with its context elsewhere.
    alone = not any(each.in_context for each in candidates)
    own_meaning = weights.meaning + weights.meaning_around if alone else weights.meaning
    short = brevity([each.memory.content for each in candidates])
    left = sharpness * (1.0 - weights.given_up * short)
    signals = {
        "words": ("words", [each.words for each in candidates], left * weights.words),
        "meaning": ("meaning", [each.meaning for each in candidates], own_meaning),
        "word by word": (
            "word by word", _told(candidates),
            weights.word_by_word + weights.gained * short,
        ),
    }  # fmt: skip
    around = {
        "words around": (
            [each.words_around for each in candidates], left * weights.words_around,
        ),
        "words in session": (
            [each.words_in_session for each in candidates], sharpness * weights.words_in_session,
        ),
        "meaning around": (
            [each.meaning_around for each in candidates], weights.meaning_around,
        ),
    }  # fmt: skip
    if not alone:
        signals |= {
            name: ("around", values, weight) for name, (values, weight) in around.items() if weight
        }
    parts = {
        name: _weighed(values, weight)
        for name, (switch, values, weight) in signals.items()
        if switch not in off
    }
    # What is not embedded yet means what its words say: nobody knows better, so soon.
    embedded = [each.meaning for each in candidates]
    meaning = [0.0] * len(candidates) if "meaning" in off else normalised(embedded)
    closest = meaning
    if "words" not in off:
        words = normalised([each.words for each in candidates])
        _stand_in(words, parts, ("meaning", "meaning around"), embedded)
        own = zip(meaning, words, embedded, strict=True)
        meaning = [value if there else instead for value, instead, there in own]
        closest = [max(pair) for pair in zip(meaning, words, strict=True)]
    # Where a model told nothing of its words, they are as close as the whole is, or as they are
    # the same: an error code must not lose to whatever is told of.
    _stand_in(closest, parts, ("word by word",), told)
    # What stands alone, beside others that do not, has its meaning for the missing context. Its
    # own words would count three times there: "the production database listens on port …" stood
    # above the port of the staging database, for the sake of one more word.
    contexts = [each.in_context for each in candidates]
    _stand_in(meaning, parts, ("words around", "words in session"), contexts)
    if "named" not in off:
        parts["named"] = [NAMED * each.named for each in candidates]
    if "asks" not in off and any(each.asks for each in candidates):
        parts["tells"] = [ASKS * (1.0 - each.asks) for each in candidates]
    if "time" not in off and in_time:
        parts["time"] = [weights.in_time * in_time.get(each.memory.id, 0.0) for each in candidates]
    return parts


def _told(candidates: Sequence[Candidate]) -> list[float]:
    """Return how close candidates are word by word; of whom nothing is told, no closer than any."""
    told = [each.word_by_word for each in candidates if each.word_by_word is not None]
    least = min(told, default=0.0)
    return [least if each.word_by_word is None else each.word_by_word for each in candidates]


def _stand_in(
    known: Sequence[float], parts: dict[str, list[float]], missing: Sequence[str],
    has: Sequence[object],
) -> None:  # fmt: skip
    """Put a known signal, to scale, in the place of others for candidates that have them not."""
    if not any(known):
        return
    for name in missing:
        if any(parts.get(name, ())):
            most = max(parts[name])
            parts[name] = [
                value if there else instead * most
                for value, instead, there in zip(parts[name], known, has, strict=True)
            ]


def _weighed(values: list[float], weight: float) -> list[float]:
    if not any(values):
        return [0.0] * len(values)
    return [weight * value for value in normalised(values)]


def _factor_weights(tuning: Tuning, weights: Weights) -> dict[str, float]:
    if tuning.ranker == "three_factor":
        return {"recency": 1.0, "importance": 1.0}
    if tuning.ranker == "four_factor":
        return {"recency": 1.0, "importance": 1.0, "affinity": AFFINITY_WEIGHT}
    if tuning.ranker == "nine_factor":
        return {"importance": 1.0}
    if "boosts" in tuning.switched_off or not weights.boosts:
        return {}
    return {
        "recency": RECENCY_BOOST,
        "importance": IMPORTANCE_BOOST,
        "affinity": AFFINITY_BOOST,
        "held": HELD_BOOST,
    }


def _factor(values: list[float], name: str, tuning: Tuning) -> list[float]:
    # Affinity is 0.0 without a user, and must stay so: it is a share already.
    if tuning.ranker == "evidence" or name == "affinity":
        return values
    return normalised(values)
