"""The figures, each a pure function of a ranked list and the ids that are right.

A list may be shorter than `k`; what is not in it counts as not found.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence


def recall_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return the share of the gold that is among the first `k`."""
    return len(set(ranked[:k]) & set(gold)) / len(set(gold))


def hit_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return 1.0 if any gold is among the first `k`."""
    return float(not set(gold).isdisjoint(ranked[:k]))


def all_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return 1.0 if all gold is among the first `k`."""
    return float(set(gold) <= set(ranked[:k]))


def reciprocal_rank(ranked: Sequence[str], gold: Collection[str]) -> float:
    """Return one over the rank of the first gold; 0.0 if there is none in the list."""
    found = (1.0 / rank for rank, each in enumerate(ranked, 1) if each in gold)
    return next(found, 0.0)


def ndcg_at(ranked: Sequence[str], gold: Collection[str], k: int) -> float:
    """Return the discounted gain of the first `k`, as a share of the best possible.

    Gains are binary: gold or not.
    """
    gains = (1.0 / math.log2(rank + 1) for rank, e in enumerate(ranked[:k], 1) if e in gold)
    best = (1.0 / math.log2(rank + 1) for rank in range(1, min(k, len(set(gold))) + 1))
    return sum(gains) / sum(best)


def stale_at(
    ranked: Sequence[str], stale: Collection[str], flagged: Collection[str], k: int
) -> float:
    """Return 1.0 if something outdated is among the first `k` and is not marked as such."""
    return float(any(each in stale and each not in flagged for each in ranked[:k]))


def above(ranked: Sequence[str], gold: Collection[str], stale: Collection[str]) -> float:
    """Return 1.0 if some gold was found and stands before everything outdated."""
    first = next((each for each in ranked if each in gold or each in stale), None)
    return float(first is not None and first in gold)


def by_session(ranked: Sequence[str], session_of: Mapping[str, str]) -> tuple[str, ...]:
    """Return the sessions of ranked notes, each where its best note stands."""
    return tuple(dict.fromkeys(session_of[each] for each in ranked if session_of.get(each)))
