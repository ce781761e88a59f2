"""How alive a candidate is: what its uses and its policy make of it at the moment of asking.

It only orders what answers equally well; what a question is about is decided elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from helix.model.life import Use, life_of
from helix.model.types import Shape
from helix.recall.signals import Candidate
from helix.rules.decay import exponential, idle_since, retained, standing
from helix.rules.effective_importance import Appraisal, centrality, composite, factors
from helix.rules.policy import Policy, first_half_life
from helix.rules.valence import valence

LASTING_HALF_LIFE_DAYS = 7.0
"""For what never fades: of two facts that answer equally well, the newer one goes first."""

FRESHENED_BY_USE = 0.5
"""How fresh a use makes an old memory, beside what happened just now. With 1.0, what is used
again and again stands before what is new (docs/measurements.md, a year of real history)."""

_DAY = timedelta(days=1)


def enliven(
    candidates: Iterable[Candidate],
    uses: Mapping[str, tuple[Use, ...]],
    now: datetime,
    policy: Policy,
    degrees: Mapping[str, int] | None = None,
    *,
    wholly: bool = True,
) -> None:
    """Note on each candidate how recent, how well kept and how important it is now.

    `degrees`, the number of edges of each, count under the ranker of nine factors only. Unless
    `wholly`, what nobody has used is only dated: most candidates are such, and what is left
    of them matters where they are shown.
    """
    halves: dict[tuple[str, Shape], float] = {}
    for each in candidates:
        kind = each.memory.type, each.memory.shape
        if kind not in halves:
            halves[kind] = first_half_life(policy, *kind)
        happened = _freshness(each.memory.recorded_at, now, halves[kind])
        used = uses.get(each.memory.id, ())
        if not used and not wholly:
            each.recency = happened
            continue
        life = life_of(each.memory, used)
        held = standing(life, policy)
        needed = _freshness(idle_since(life, held), now, held.half_life_days)
        each.recency = max(happened, FRESHENED_BY_USE * needed)
        each.retained = retained(life, held, now, policy)
        if policy.ranker == "nine_factor":
            felt = Appraisal(valence=valence(each.memory.content))
            central = centrality((degrees or {}).get(each.memory.id, 0))
            each.weight = composite(factors(life, now, policy, felt), central)


def _freshness(since: datetime, now: datetime, half_life_days: float) -> float:
    if math.isinf(half_life_days):
        half_life_days = LASTING_HALF_LIFE_DAYS
    return exponential(max(0.0, (now - since) / _DAY) / half_life_days)
