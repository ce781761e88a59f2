"""How new a memory is beside what is held: surprise, likeness, and near repetition.

From DECISIONS, "Importance": the mean distance to the five nearest memories, through a
sigmoid. What comes out is kept beside the memory for audit; its importance as rated at
write is never overwritten.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

NEAREST = 5
"""Memories a new one is compared with (R-077)."""

MIDPOINT, STEEPNESS = 0.35, 10.0
"""The cosine distance that is neither new nor known, and how sharp the turn is there."""

STRENGTH = 0.6
"""How far surprise moves importance: ±0.3 at most."""

SIMILAR_FROM = 0.85
"""The cosine from which two memories are tied as similar (R-048)."""

REPEATS_FROM = 0.95
"""The cosine from which a memory nearly repeats another. It is flagged, never dropped."""


def surprise(cosines: Sequence[float]) -> float:
    """Return how new something is, in (0, 1), by its cosines to the nearest held memories.

    0.5 where there is nothing to compare with: a first memory is neither new nor known.
    """
    nearest = sorted(cosines, reverse=True)[:NEAREST]
    if not nearest:
        return 0.5
    distance = sum(1.0 - cosine for cosine in nearest) / len(nearest)
    return 1.0 / (1.0 + math.exp(-STEEPNESS * (distance - MIDPOINT)))


def modifier(surprised: float) -> float:
    """Return what surprise adds to importance: between -0.3 and +0.3."""
    return (surprised - 0.5) * STRENGTH
