"""Stepping back: which memories leave default retrieval, and which are kept whatever happens.

Nothing here deletes. A memory below the floor is proposed for the archive, and a sweep puts
it there; deep recall still finds it, and using it brings it back.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from helix.model.life import Life
from helix.model.memory import Status
from helix.model.provenance import Origin
from helix.model.types import Shape
from helix.rules.decay import retained, retention, standing
from helix.rules.policy import Archiving, Policy

FLOOR = "below the floor"
FOUR_CONDITIONS = "old, faded, unimportant and unused"
EXPIRED = "past its expiry"
SUMMARISED = "cold, and a summary stands for it"

_LASTING_SHAPES = frozenset({Shape.SEMANTIC, Shape.PROCEDURAL})


def protected(life: Life, policy: Policy, *, is_a_cause: bool = False) -> bool:
    """Return whether a memory must not step back by itself.

    Pinned, said by the user, critical, or the cause of something else that is held.
    """
    return (
        life.pinned
        or is_a_cause
        or life.importance >= policy.protected_importance
        or any(source.origin is Origin.USER_ASSERTED for source in life.sources)
    )


def below_floor(life: Life, now: datetime, policy: Policy) -> bool:
    """Return whether less than 5 % is left of a memory that is older than 30 days."""
    if now - life.recorded_at <= timedelta(days=policy.floor_age_days):
        return False
    return retention(life, now, policy) < policy.floor


def meets_four_conditions(life: Life, now: datetime, policy: Policy) -> bool:
    """Return whether the archive rule of `layers` holds: old, faded, unimportant and unused.

    Semantic and procedural memories are exempt.
    """
    if life.shape in _LASTING_SHAPES or life.importance >= policy.archive_importance:
        return False
    if now - life.recorded_at < timedelta(days=policy.archive_age_days):
        return False
    held = standing(life, policy)
    if held.uses >= policy.archive_uses:
        return False
    return retained(life, held, now, policy) < policy.archive_retention


def expired(life: Life, now: datetime) -> bool:
    """Return whether a memory was to be held only until a moment that has passed."""
    return life.expires_at is not None and life.expires_at <= now


def reason_to_archive(life: Life, now: datetime, policy: Policy) -> str:
    """Return why a memory should step back into the archive; empty if it should not."""
    if life.status is not Status.ACTIVE or protected(life, policy):
        return ""
    if policy.archiving is Archiving.LAYERS:
        return FOUR_CONDITIONS if meets_four_conditions(life, now, policy) else ""
    return FLOOR if below_floor(life, now, policy) else ""
