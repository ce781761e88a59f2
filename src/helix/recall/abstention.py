"""Whether the best candidate answers at all.

Two things speak for an answer: that it holds the telling words of the question, and that
it means something close to it. Neither needs the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from helix.recall.signals import Candidate

THRESHOLD = 0.12
"""Below this confidence memory says that it does not know; see docs/ranking.md for the curve."""

FAR, NEAR = 0.15, 0.65
"""Cosines at which two texts have nothing, or everything, to do with each other."""


def confidence(words: Sequence[str], best: Candidate) -> float:
    """Return how sure recall is that the best candidate answers, in [0, 1]."""
    share = len(best.matched) / len(words) if words else 0.0
    close = min(1.0, max(0.0, (best.meaning - FAR) / (NEAR - FAR)))
    linked = 0.5 * best.linked
    return round(max(share, close, linked, 0.5 * (share + close)), 4)
