"""Tiers: how long ago a memory was needed, and what that changes.

Hot, warm, cold and archive are read off the clock and stored nowhere. They act on the
projection alone: which edges stand, which vectors are kept finely, what answers by default.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from helix.model.edge import Edge
from helix.model.life import Life
from helix.model.memory import Status
from helix.rules.decay import idle_since, standing
from helix.rules.policy import Policy

SIMILAR_TO = "similar_to"

FULL_BITS = 32
FINE_RETENTION = 0.8
"""Above this a vector is kept as it came."""


class Tier(StrEnum):
    """Where a memory stands by the time since it was recorded or last helped."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"
    ARCHIVE = "archive"


def tier(life: Life, now: datetime, policy: Policy) -> Tier:
    """Return a memory's tier; what was archived is in the archive whatever its age."""
    if life.status is Status.ARCHIVED:
        return Tier.ARCHIVE
    return tier_at(now - idle_since(life, standing(life, policy)), policy)


def tier_at(idle: timedelta, policy: Policy) -> Tier:
    """Return the tier after a time without use; each boundary belongs to the colder side."""
    if idle < timedelta(hours=policy.hot_hours):
        return Tier.HOT
    if idle < timedelta(days=policy.warm_days):
        return Tier.WARM
    return Tier.COLD if idle < timedelta(days=policy.cold_days) else Tier.ARCHIVE


def keeps_edge(edge: Edge, colder: Tier, policy: Policy) -> bool:
    """Return whether an edge stands when the colder of its ends has come to a tier.

    Only likeness is pruned; what was said, caused or followed stays.
    """
    if edge.relation != SIMILAR_TO or colder is Tier.HOT:
        return True
    return edge.weight >= policy.edge_floor


def stays_when_cold(life: Life, policy: Policy) -> bool:
    """Return whether a memory stays in the cold tier on its own; the rest needs a summary."""
    uses = standing(life, policy).uses
    return life.importance >= policy.cold_importance or uses >= policy.cold_uses


def bits_for(retention: float, tier_now: Tier) -> int:
    """Return how finely a memory's vector is kept: 32, 8, 4 or 2 bits a dimension."""
    if retention > FINE_RETENTION:
        return FULL_BITS
    return {Tier.HOT: 8, Tier.WARM: 8, Tier.COLD: 4, Tier.ARCHIVE: 2}[tier_now]
