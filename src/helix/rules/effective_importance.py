"""Effective importance: nine factors, from the rating at write to ACT-R's activation.

A derived value, worked out anew whenever it is asked for. It is never written over the
rating at write, so that a thousand cycles leave that rating as it was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime, timedelta

from helix.model.frozen import dataclass
from helix.model.life import GOOD, Life
from helix.model.types import Shape
from helix.rules.decay import retained, standing
from helix.rules.policy import Policy
from helix.rules.surprise import adjustment
from helix.rules.trust import trust_among

WEIGHTS: Mapping[str, float] = {
    "base": 0.30,
    "frequency": 0.12,
    "recency": 0.12,
    "valence": 0.08,
    "stability": 0.08,
    "layer": 0.08,
    "trust": 0.08,
    "confirmations": 0.07,
    "activation": 0.07,
}
"""Shares of the nine factors; they sum to 1. The documents call the last six "moderate"."""

LAYER = {Shape.SEMANTIC: 1.0, Shape.PROCEDURAL: 0.8, Shape.ENTITY: 0.7, Shape.EPISODIC: 0.4}
FREQUENT = 50
"""Uses at which frequency reaches its most."""

CENTRAL = 30
"""Edges at which a memory is a centre of the graph."""

CENTRALITY_MOST = 0.1
"""What being the centre of the graph adds."""

CENTRAL = 20
"""Other memories that one is tied to from which on it is in the middle of everything."""

DECAY_EXPONENT = 0.5
"""d of ACT-R: ln Σ t^-0.5."""

_YOUNGEST = timedelta(minutes=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Appraisal:
    """What only the text and its neighbours tell: feeling, novelty, place in the graph."""

    valence: float = 0.0
    surprise: float = 0.5
    centrality: float = 0.0


def centrality(degree: int) -> float:
    """Return how much of a centre a memory is in [0, 1], by its number of edges.

    It rises fast at first: the third thing that rests on a memory tells more than the tenth.
    """
    return _share(math.log1p(max(degree, 0)) / math.log1p(CENTRAL))


def activation(ages_days: list[float]) -> float:
    """Return ACT-R's base-level activation, ln Σ t^-0.5 over the ages of all accesses."""
    return math.log(sum(age**-DECAY_EXPONENT for age in ages_days))


def factors(
    life: Life, now: datetime, policy: Policy, appraisal: Appraisal | None = None
) -> dict[str, float]:
    """Return the nine factors of a memory at a moment, each in [0, 1]."""
    appraisal = appraisal or Appraisal()
    held = standing(life, policy)
    good = [use.at for use in life.uses if use.quality >= GOOD]
    days = len({moment.date() for moment in good})
    ages = [max(now - moment, _YOUNGEST) / _DAY for moment in (life.recorded_at, *good)]
    return {
        "base": _share(life.importance + adjustment(appraisal.surprise)),
        "frequency": _share(math.log1p(held.uses) / math.log1p(FREQUENT)),
        "recency": retained(life, held, now, policy),
        "valence": appraisal.valence,
        # Uses on many days count, a burst within one does not.
        "stability": 1.0 - 1.0 / days if days else 0.0,
        "layer": LAYER[life.shape],
        "trust": trust_among(life.sources),
        "confirmations": 1.0 - 0.5**life.confirmations,
        "activation": 1.0 / (1.0 + math.exp(-activation(ages))),
    }


def composite(values: Mapping[str, float], centrality: float = 0.0) -> float:
    """Return the nine factors as one importance in [0, 1]."""
    whole = sum(weight * values[name] for name, weight in WEIGHTS.items())
    return _share(whole + CENTRALITY_MOST * centrality)


def effective_importance(
    life: Life, now: datetime, policy: Policy, appraisal: Appraisal | None = None
) -> float:
    """Return how much a memory weighs once everything known about it counts."""
    centrality = appraisal.centrality if appraisal else 0.0
    return composite(factors(life, now, policy, appraisal), centrality)


def _share(value: float) -> float:
    return max(0.0, min(1.0, value))
