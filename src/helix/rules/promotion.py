"""Promotion: an episode that keeps helping becomes something that is held to be so.

Promotion makes a new memory that names its ground; the episode stays what it is. What only
an agent has said is promoted when two independent sources or the user vouch for it.
"""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum

from helix.model.life import Life
from helix.model.memory import Status
from helix.model.types import Shape
from helix.rules.decay import standing
from helix.rules.policy import Policy
from helix.rules.trust import corroborated

SCRATCH_AGE = timedelta(minutes=30)
SCRATCH_READS = 2


class Readiness(StrEnum):
    """Whether an episode is ready to become something that is held."""

    READY = "ready"
    UNIMPORTANT = "not important enough"
    UNUSED = "not used often enough"
    UNCORROBORATED = "only one agent vouches for it"
    NOT_AN_EPISODE = "only an active episode is promoted"


def readiness(life: Life, policy: Policy) -> Readiness:
    """Return whether a memory may be promoted without being asked to, or why not."""
    if life.shape is not Shape.EPISODIC or life.status is not Status.ACTIVE:
        return Readiness.NOT_AN_EPISODE
    if life.importance < policy.promotion_importance:
        return Readiness.UNIMPORTANT
    if standing(life, policy).uses < policy.promotion_uses:
        return Readiness.UNUSED
    return Readiness.READY if corroborated(life.sources) else Readiness.UNCORROBORATED


def leaves_the_scratchpad(age: timedelta, reads: int) -> bool:
    """Return whether a note in a session's scratchpad becomes an episode."""
    return age >= SCRATCH_AGE or reads >= SCRATCH_READS


def goes_for_good(dropped: timedelta) -> bool:
    """Return whether a note that was dropped so long ago is gone; until then it can be kept."""
    return dropped >= SCRATCH_AGE
