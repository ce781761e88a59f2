"""How alive a candidate is: what its uses and its policy make of it at the moment of asking.

It only orders what answers equally well; what a question is about is decided elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from helix.model.life import Use, life_of
from helix.recall.signals import Candidate
from helix.rules.decay import exponential, idle_since, retained, standing
from helix.rules.effective_importance import Appraisal, centrality, composite, factors
from helix.rules.policy import Policy
from helix.rules.valence import valence

LASTING_HALF_LIFE_DAYS = 7.0
"""For what never fades: of two facts that answer equally well, the newer one goes first."""

_DAY = timedelta(days=1)


def enliven(
    candidates: Iterable[Candidate],
    uses: Mapping[str, tuple[Use, ...]],
    now: datetime,
    policy: Policy,
    degrees: Mapping[str, int],
) -> None:
    """Note on each candidate how recent, how well kept and how important it is now.

    `degrees`, the number of edges of each, count under the ranker of nine factors only.
    """
    for each in candidates:
        life = life_of(each.memory, uses.get(each.memory.id, ()))
        held = standing(life, policy)
        days = max(0.0, (now - idle_since(life, held)) / _DAY)
        half_life = held.half_life_days
        if math.isinf(half_life):
            half_life = LASTING_HALF_LIFE_DAYS
        each.recency = exponential(days / half_life)
        each.retained = retained(life, held, now, policy)
        if policy.ranker == "nine_factor":
            felt = Appraisal(valence=valence(each.memory.content))
            central = centrality(degrees.get(each.memory.id, 0))
            each.weight = composite(factors(life, now, policy, felt), central)
