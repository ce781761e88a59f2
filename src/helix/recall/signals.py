"""The signals by which a memory may answer, and how informative each is for this question.

Every candidate carries the same signals; one that was not found by a signal has 0 there.
Scores of words and of meaning live on different scales, so each is brought to [0, 1] over
the candidates before anything is added.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from helix.model.memory import Memory

if TYPE_CHECKING:
    from helix.rules.similarity import Vectors


@dataclass(slots=True)
class Candidate:
    """A memory in the running, with what speaks for it."""

    memory: Memory
    words: float = 0.0
    words_around: float = 0.0
    words_in_session: float = 0.0
    meaning: float = 0.0
    meaning_around: float = 0.0
    word_by_word: float | None = None
    named: float = 0.0
    asks: float = 0.0
    linked: float = 0.0
    matched: tuple[str, ...] = ()
    in_context: bool = False
    recency: float | None = None
    retained: float | None = None
    weight: float | None = None
    influence: float = 1.0
    vector: Vectors | None = None
    archived: bool = False
    """Looked up in the archive though only what is current was asked for."""
    contributions: dict[str, float] = field(default_factory=dict)


PLATEAU = 20
"""How many candidates deep the sharpness of the words is judged."""

STANDING_OUT, CLOSE = 0.5, 0.6
"""How far the best hit by words stands out as a rule, and how close the best by meaning comes."""

TELLING, STEEP, YIELDING = 0.7, 4.0, 2.0
"""What words weigh there, and how that changes with the one and with the other."""

LEAST_WEIGHT = 0.33
"""Found on half of the dev questions and confirmed on the other half: docs/ranking.md."""


_QUESTION = re.compile(r"[^.!?\n]*\?+(?=[\s\"')]|$)")

ONLY_ASKS, TELLS_TOO = 150, 300
"""Letters up to which a question is just that, and from which on it tells as well."""

SHORT = 400
"""Letters up to which a text needs what stands beside it to be understood."""


STEEPNESS = 4
"""How soon texts count as long: of half a page, on average, nearly nothing is left."""


def context_share(content: str) -> float:
    """Return how much of a text's context counts: all of it for a short one, little for a long.

    "Yes, on Friday!" is understood from the turn before; a page is a context of its own.
    """
    return min(1.0, SHORT / max(len(content), 1))


def brevity(contents: Sequence[str]) -> float:
    """Return how short texts are, in [0, 1]: 1 for turns of talk, little for pages."""
    shares = [context_share(each) for each in contents]
    return (sum(shares) / max(len(shares), 1)) ** STEEPNESS


def share_asked(content: str) -> float:
    """Return how much of a short text is questions, in [0, 1]: who asks does not tell.

    Of a longer one nothing counts: a request says what it is about before it asks.
    """
    room = (TELLS_TOO - len(content)) / (TELLS_TOO - ONLY_ASKS)
    if "?" not in content or room <= 0.0:
        return 0.0
    return min(1.0, room) * sum(map(len, _QUESTION.findall(content))) / len(content)


def normalised(values: Sequence[float]) -> list[float]:
    """Return values brought to [0, 1]; equal values all become 1.0."""
    if not values:
        return []
    low, high = min(values), max(values)
    if high <= low:
        return [1.0] * len(values)
    return [(value - low) / (high - low) for value in values]


def weight_of_words(scores: Sequence[float], closest: float = 0.0) -> float:
    """Return how much a question's words should count beside its meaning, up to 1.

    Where the best hit stands out from the twentieth, the words are telling: a name, an
    error code. Where twenty hits score alike, as with "check if a variable is a list" in a
    code base, they are not, and meaning decides; the more so the closer it comes (`closest`,
    a cosine). Where nothing is close in meaning, words are what there is.
    """
    best = sorted(scores, reverse=True)[: PLATEAU + 1]
    if not best or best[0] <= 0.0:
        return LEAST_WEIGHT
    last = best[-1] if len(best) > PLATEAU else 0.0
    standing_out = (best[0] - last) / best[0]
    telling = TELLING + STEEP * (standing_out - STANDING_OUT) - YIELDING * (closest - CLOSE)
    return min(1.0, max(LEAST_WEIGHT, telling))
