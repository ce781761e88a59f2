"""Lasting: what use does to a memory's half-life.

Only a use strengthens, and only a good one (quality 3 and more): being shown does nothing.
SM-2 gives each memory an easiness that follows the quality of its uses, and multiplies the
half-life by it. Growth counts once per spacing window and ends at a cap.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from helix.model.frozen import dataclass
from helix.model.life import BEST, GOOD, Life, Use
from helix.model.provenance import Origin
from helix.rules.policy import Lasting, Policy, half_life_of_time_constant
from helix.rules.trust import corroborated

FIRST_EASINESS = 2.5
LEAST_EASINESS = 1.3
"""SM-2's clamp: a run of poor uses must not collapse the interval for good."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How well a memory is held. `uses` counts good uses, once per spacing window."""

    easiness: float
    half_life_days: float
    last_good_at: datetime | None
    uses: int


def easiness_after(easiness: float, quality: int) -> float:
    """Return SM-2's EF after a use of quality 0 to 5; never below 1.3."""
    missed = BEST - quality
    return max(LEAST_EASINESS, easiness + 0.1 - missed * (0.08 + missed * 0.02))


def strength(life: Life, first_half_life: float, policy: Policy) -> Strength:
    """Return a memory's strength after all its uses, in order."""
    easiness, half_life = FIRST_EASINESS, first_half_life
    spacing = timedelta(hours=policy.spacing_hours)
    cap = _cap(life, first_half_life, policy)
    last_good: datetime | None = None
    last_growth: datetime | None = None
    grown = 0
    for use in life.uses:
        counts = use.quality < GOOD or last_growth is None or use.at - last_growth >= spacing
        if counts:
            # Within one window a good use refreshes and no more; easiness would otherwise be
            # driven up by repeating it.
            easiness = easiness_after(easiness, use.quality)
        if use.quality < GOOD:
            continue
        last_good = use.at if last_good is None else max(last_good, use.at)
        if counts:
            grown += 1
            last_growth = use.at
            half_life = _grown(half_life, first_half_life, easiness, grown, policy)
            half_life = max(min(half_life, cap), first_half_life)
    return Strength(easiness, half_life, last_good, grown)


def _grown(half_life: float, first: float, easiness: float, uses: int, policy: Policy) -> float:
    boost = half_life_of_time_constant(policy.time_constant_boost_hours)
    match policy.lasting:
        case Lasting.SM2:
            return half_life * easiness
        case Lasting.LINEAR:
            return first + boost * uses
        case Lasting.LOGARITHMIC:
            # The first use is worth as much as under linear growth, each later one less.
            return first + boost * math.log2(1 + uses)
        case Lasting.BONUS_ONLY:
            return half_life


def _cap(life: Life, first_half_life: float, policy: Policy) -> float:
    # What only an agent has said must not become lasting because agents keep using it.
    if corroborated(life.sources) or any(map(_by_user, life.uses)):
        return policy.half_life_max_days
    return min(policy.half_life_max_days, first_half_life * policy.uncorroborated_growth)


def _by_user(use: Use) -> bool:
    return use.origin is Origin.USER_ASSERTED and use.quality >= GOOD
