"""Reciprocal rank fusion: several ranked lists become one choice of candidates.

Ranks say who is worth looking at; how good they are is for scoring to say.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

DAMPING = 60
"""k of reciprocal rank fusion; ranks count from 1 (Cormack, Clarke and Buettcher)."""


def fused(lists: Iterable[Sequence[Item]], limit: int) -> list[Item]:
    """Return the items that stand high in any of the lists, best first.

    The order of the lists does not matter; ties go by the best single rank, then by the
    item itself, so that the answer is the same every time.
    """
    scores: dict[Item, float] = {}
    best: dict[Item, int] = {}
    for ranked in lists:
        for rank, item in enumerate(ranked, 1):
            scores[item] = scores.get(item, 0.0) + 1.0 / (DAMPING + rank)
            best[item] = min(best.get(item, rank), rank)
    return sorted(scores, key=lambda item: (-scores[item], best[item], str(item)))[:limit]
