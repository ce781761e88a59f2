"""Fading: how much of a memory's weight is left after a time without use.

Salience is importance times retention, worked out at read and never stored. The clock starts at
recording and starts again with each good use; when the thing itself happened does not
matter. Every curve begins at 1, never rises with time, and stays in [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime, timedelta

from helix.model.life import Life
from helix.rules.policy import Fading, Policy, first_half_life
from helix.rules.reinforcement import Strength, strength
from helix.rules.trust import fading_rate, trust_among

_DAY = timedelta(days=1)

TRANSITION = 1.0
"""Half-lives after which `huber` leaves the exponential."""

LATE = 10.0
"""Half-lives at which `huber` is back on the exponential, a thousandth of the beginning."""

EVEN = 0.5
"""The strength at which `elastic` is neither gentler nor harsher than `l2`."""

SPARSITY = 0.1
"""L1 of `elastic`: what the weakest memory loses outright, so that it reaches zero."""

BONUS_GAIN = 0.1
"""What the natural logarithm of the uses is worth, up to the policy's cap."""


def rate(half_life: float) -> float:
    """Return λ per day: ln 2 / half-life, 0 for what never fades."""
    return math.log(2) / half_life


def exponential(half_lives: float, _strength: float = EVEN) -> float:
    """Return 2^-x after x half-lives: 1 at once, exactly 0.5 after one."""
    return math.exp2(-half_lives)


def huber(half_lives: float, _strength: float = EVEN) -> float:
    """Return the exponential up to the transition, then a straight line that forgets later.

    The line is the chord to where the exponential stands after ten half-lives. A chord of
    a convex curve lies above it: old memories are never treated worse than under `l2`. The
    tangent, which would be smooth, lies below it and forgets everything sooner.
    """
    plain = exponential(half_lives)
    if not TRANSITION < half_lives < LATE:
        return plain
    start, end = exponential(TRANSITION), exponential(LATE)
    along = (half_lives - TRANSITION) / (LATE - TRANSITION)
    return max(plain, start + (end - start) * along)


def elastic(half_lives: float, strength: float = EVEN) -> float:
    """Return a mix of L1 and L2: above the exponential for strong memories, below for weak.

    At strength 0.5 it is `l2`. A stronger memory fades at a lower rate; a weaker one at a
    higher rate and, by the L1 share, to exactly zero.
    """
    shrunk = exponential(half_lives * (1.0 + EVEN - strength))
    cut = SPARSITY * max(0.0, 1.0 - strength / EVEN)
    return max(0.0, (shrunk - cut) / (1.0 - cut))


_CURVES: dict[Fading, Callable[[float, float], float]] = {
    Fading.EXPONENTIAL: exponential,
    Fading.L2: exponential,
    Fading.HUBER: huber,
    Fading.ELASTIC: elastic,
}


def curve(fading: Fading, half_lives: float, strength: float = EVEN) -> float:
    """Return what is left after so many half-lives, before any bonus for use."""
    return _CURVES[fading](half_lives, strength)


def use_bonus(uses: int, cap: float) -> float:
    """Return what use adds to retention: logarithmic, and never more than the cap."""
    return min(cap, BONUS_GAIN * math.log1p(uses))


def standing(life: Life, policy: Policy) -> Strength:
    """Return the memory's strength under a policy: half-life, easiness, counted uses."""
    half_life = first_half_life(policy, life.type, life.shape.value)
    if policy.trust_weighted:
        half_life /= fading_rate(trust_among(life.sources))
    return strength(life, half_life, policy)


def idle_since(life: Life, held: Strength) -> datetime:
    """Return the moment from which a memory has been fading."""
    return life.recorded_at if held.last_good_at is None else max(
        life.recorded_at, held.last_good_at
    )  # fmt: skip


def retention(life: Life, now: datetime, policy: Policy) -> float:
    """Return the share of its weight a memory has kept, in [0, 1]; a pinned one keeps all."""
    return retained(life, standing(life, policy), now, policy)


def retained(life: Life, held: Strength, now: datetime, policy: Policy) -> float:
    """Return the retention of a memory whose strength is known already."""
    if life.pinned:
        return 1.0
    idle = max(0.0, (now - idle_since(life, held)) / _DAY)
    left = curve(policy.fading, idle / held.half_life_days, life.importance)
    return min(1.0, left + use_bonus(held.uses, policy.use_bonus_cap))


def salience(life: Life, now: datetime, policy: Policy) -> float:
    """Return importance times retention: how much a memory weighs at a moment."""
    return life.importance * retention(life, now, policy)


def reaches(life: Life, share: float, policy: Policy) -> datetime | None:
    """Return when a memory's retention falls below a share if nobody uses it; None if never."""
    held = standing(life, policy)
    start = idle_since(life, held)
    if life.pinned or math.isinf(held.half_life_days):
        return None
    if use_bonus(held.uses, policy.use_bonus_cap) >= share:
        return None
    low, high = 0.0, held.half_life_days
    while retained(life, held, start + high * _DAY, policy) >= share:
        low, high = high, high * 2
        if high > _FURTHEST_DAYS:
            return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if retained(life, held, start + middle * _DAY, policy) >= share:
            low = middle
        else:
            high = middle
    return start + high * _DAY


_FURTHEST_DAYS = 365_000.0
_HALVINGS = 40
