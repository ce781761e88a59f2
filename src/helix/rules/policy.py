"""Policies: named bundles of the numbers by which memories fade, last and step back.

Each bundle follows one line of the documents; every number in it can be set on its own.
Nothing here computes: the laws that read these numbers stand in `decay`, `reinforcement`,
`effective_importance`, `stepping_back` and `tiers`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum
from types import MappingProxyType

from helix.model.frozen import dataclass

NEVER = math.inf
"""The half-life of what does not fade with time."""

TIME_CONSTANT_HOURS = 168.0
"""S of the ledger bundle. A time constant, not a half-life: after S, 1/e is left."""


class Fading(StrEnum):
    """The curve on which a memory fades; `decay` says what each looks like."""

    EXPONENTIAL = "exponential"
    L2 = "l2"
    HUBER = "huber"
    ELASTIC = "elastic"


class Lasting(StrEnum):
    """How use makes a memory last; `reinforcement` says what each does."""

    SM2 = "sm2"
    LINEAR = "linear"
    LOGARITHMIC = "logarithmic"
    BONUS_ONLY = "bonus_only"


class Archiving(StrEnum):
    """Which rule lets a memory step back into the archive."""

    FLOOR = "floor"
    LAYERS = "layers"


def half_life_of_time_constant(hours: float) -> float:
    """Return the half-life, in days, of something that decays as e^(-t / S)."""
    return hours * math.log(2) / 24


_BY_NAME = {
    # By shape, and by type where the type differs from its shape.
    "episodic": 7.0,
    "procedural": 90.0,
    "semantic": NEVER,
    "entity": NEVER,
    # A choice or a rule holds until it is superseded, however long ago it was made.
    "decision": NEVER,
    "convention": NEVER,
}


@dataclass(frozen=True, slots=True)
class Policy:
    """Every number of a memory's life, with its unit in its name where it has one."""

    name: str = "helix"
    ranker: str = "evidence"

    fading: Fading = Fading.EXPONENTIAL
    half_life_days: Mapping[str, float] = field(default_factory=lambda: MappingProxyType(_BY_NAME))
    trust_weighted: bool = False

    lasting: Lasting = Lasting.SM2
    half_life_max_days: float = 3650.0
    """Ten years. Without it ten good uses would turn 7 days into 180 years."""
    spacing_hours: float = 1.0
    """Growth counts at most once in this time: cramming is not learning."""
    time_constant_boost_hours: float = 24.0
    use_bonus_cap: float = 0.0
    uncorroborated_growth: float = 4.0
    """How many times its first half-life an agent's word may reach that nobody else supports."""

    archiving: Archiving = Archiving.FLOOR
    floor: float = 0.05
    floor_age_days: float = 30.0
    protected_importance: float = 0.8
    """From here on a memory is critical, and is kept however rarely it is needed."""
    archive_age_days: float = 90.0
    archive_retention: float = 0.15
    archive_importance: float = 0.3
    archive_uses: int = 3

    promotion_importance: float = 0.7
    promotion_uses: int = 5

    hot_hours: float = 24.0
    warm_days: float = 7.0
    cold_days: float = 30.0
    edge_floor: float = 0.7
    cold_importance: float = 0.5
    cold_uses: int = 3

    sweep_cap: int = 500
    sweeps_with_sleep: bool = True
    """Whether every run of sleep ends with the sweeps."""

    looks_back: bool = True
    """Whether recall points to archived memories that fit better than current ones."""
    archived_share: float = 1.0
    """How much of its fit an archived memory keeps beside current ones."""
    archived_share_now: float = 0.6
    """The same where the question asks for the latest: what has stepped back is rarely that."""
    embedded_again: int = 12
    """Candidates with coarse vectors that recall embeds again, where their place is in doubt."""
    brief_below: float = 0.5
    """What is left of a memory below which recall shows it in brief, unless it is the best."""


HELIX = Policy()
"""The default: exponential fading, SM-2, a floor at 5 %."""

LAYERS = Policy(
    name="layers",
    ranker="nine_factor",
    fading=Fading.HUBER,
    half_life_days=MappingProxyType({**_BY_NAME, "episodic": 30.0, "procedural": NEVER}),
    trust_weighted=True,
    lasting=Lasting.BONUS_ONLY,
    use_bonus_cap=0.3,
    archiving=Archiving.LAYERS,
)
"""Layers of memory: a gentle curve, a logarithmic bonus, four conditions before archiving."""

_AS_TIME_CONSTANT = half_life_of_time_constant(TIME_CONSTANT_HOURS)
LEDGER = Policy(
    name="ledger",
    ranker="four_factor",
    half_life_days=MappingProxyType(
        {**_BY_NAME, "episodic": _AS_TIME_CONSTANT, "procedural": _AS_TIME_CONSTANT}
    ),
    lasting=Lasting.LINEAR,
)
"""A graph over a ledger: e^(-t / S) with S = 168 h, and S grows by 24 h with each use."""

BUNDLES: Mapping[str, Policy] = MappingProxyType(
    {each.name: each for each in (HELIX, LAYERS, LEDGER)}
)


def first_half_life(policy: Policy, type_name: str, shape: str) -> float:
    """Return the half-life in days before any use: the type's own, else that of its shape."""
    table = policy.half_life_days
    return table[type_name] if type_name in table else table[shape]


def with_half_lives(policy: Policy, days: Mapping[str, float]) -> Policy:
    """Return the policy with other half-lives, by shape or type, in days."""
    return replace(policy, half_life_days=MappingProxyType({**policy.half_life_days, **days}))
