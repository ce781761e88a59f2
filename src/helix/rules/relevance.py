"""How well a text answers a question's words: BM25.

Rare words weigh more than common ones, repeating a word helps less each time, and a long
text needs more to be as good as a short one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

SATURATION = 1.2
"""k1: how soon repeating a word stops helping (Robertson and Zaragoza's usual value)."""

LENGTH_SHARE = 0.75
"""b: how much of a text's length counts against it, 0 to 1."""


def weight_of_word(rows_with_word: int, rows: int) -> float:
    """Return how telling a word is; never negative, however common it is."""
    return math.log1p((rows - rows_with_word + 0.5) / (rows_with_word + 0.5))


def bm25(
    counts: Mapping[str, int],
    length: int,
    weights: Mapping[str, float],
    *,
    average_length: float,
) -> float:
    """Return the relevance of a text, given how often each asked word occurs in it.

    `weights` holds what each asked word weighs: see `weight_of_word`.
    """
    stretch = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / max(average_length, 1.0))
    total = 0.0
    for word, count in counts.items():  # on the path of every question: a generator costs double
        total += weights[word] * count * (SATURATION + 1) / (count + stretch)
    return total
