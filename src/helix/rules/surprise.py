"""Surprise: how far a new memory lies from what is known already.

Measured against the five nearest memories. What is new gains importance, what repeats
loses some; the surprise itself is kept, so that the adjustment can be looked at later.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

NEIGHBOURS = 5
MIDPOINT = 0.35
"""The mean cosine distance at which a memory is neither new nor old."""

STEEPNESS = 10.0
MOST = 0.3
"""The most that surprise adds to importance, or takes from it."""

REPEATED_BELOW = 0.02
"""Cosine distance to the nearest memory below which a memory counts as said before."""


def surprise(distances: Sequence[float]) -> float:
    """Return surprise in [0, 1] from cosine distances to the nearest memories, nearest first.

    The first memory of all has nothing to differ from, and is neither new nor old.
    """
    nearest = sorted(distances)[:NEIGHBOURS]
    if not nearest:
        return 0.5
    mean = sum(nearest) / len(nearest)
    return 1.0 / (1.0 + math.exp(-STEEPNESS * (mean - MIDPOINT)))


def adjustment(surprised: float) -> float:
    """Return what surprise does to importance: between -0.3 and +0.3."""
    return (surprised - 0.5) * 2 * MOST


def repeats(distances: Sequence[float]) -> bool:
    """Return whether the same was said before, nearly word for word; it is flagged, not dropped."""
    return bool(distances) and min(distances) < REPEATED_BELOW
