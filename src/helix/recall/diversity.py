"""Near-duplicates out, then a balance of relevance and novelty (maximal marginal relevance)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

BALANCE = 0.5
"""λ of maximal marginal relevance: 1 is relevance alone."""

SAME = 0.97
"""Two memories at least this alike say the same; the lesser is left out and named."""


def diversified(
    ranked: Sequence[tuple[float, Item]],
    alike: Callable[[Item, Item], float],
    limit: int,
    *,
    balance: float = BALANCE,
) -> tuple[list[tuple[float, Item]], list[tuple[Item, Item]]]:
    """Return up to `limit` items, and pairs (left out, because of) of near-duplicates.

    The best item always stays first. `alike` gives 0 to 1.
    """
    chosen: list[tuple[float, Item]] = []
    left_out: list[tuple[Item, Item]] = []
    waiting = list(ranked)
    while waiting and len(chosen) < limit:
        best = max(
            range(len(waiting)),
            key=lambda at: _worth(waiting[at], chosen, alike, balance),
        )
        score, item = waiting.pop(best)
        twin = next((kept for _, kept in chosen if alike(item, kept) >= SAME), None)
        if twin is not None:
            left_out.append((item, twin))
        else:
            chosen.append((score, item))
    return chosen, left_out


def _worth(
    entry: tuple[float, Item],
    chosen: Sequence[tuple[float, Item]],
    alike: Callable[[Item, Item], float],
    balance: float,
) -> float:
    score, item = entry
    if not chosen:
        return score
    nearest = max(alike(item, kept) for _, kept in chosen)
    return balance * score - (1.0 - balance) * nearest
