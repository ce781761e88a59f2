"""Saying a thing once: duplicates out, then a balance of relevance and novelty.

Two memories are duplicates if they say the same words. How close two texts lie in meaning
never decides that alone: "port 7432" and "port 7433" lie closer than two ways of saying one
thing, and the difference is the point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

BALANCE = 0.5
"""λ of maximal marginal relevance: 1 is relevance alone."""

UNRELATED = 0.5
"""Likeness up to which two memories take nothing from each other."""

_BEFORE = "\"'`([{\u201c\u2018\u00ab"
_AFTER = ".,;:!\"'`)]}\u201d\u2019\u00bb\u2026"
"""Marks around a word that set it off. Others mean something: `C++`, `-5`, `_x`, `ready?`."""

_BETWEEN = frozenset({"", "-", "\u2013", "\u2014", "\u2022"})


def gist(content: str) -> str:
    """Return what two texts share that say the same: case and sentence marks do not count."""
    text = content.casefold().replace("\u2019", "'")
    words = (each.lstrip(_BEFORE).rstrip(_AFTER) for each in text.split())
    return " ".join(each for each in words if each not in _BETWEEN) or content


def likeness(one: str, other: str) -> float:
    """Return the share of words that two gists have in common, 0 to 1."""
    ours, theirs = set(one.split()), set(other.split())
    return len(ours & theirs) / max(len(ours | theirs), 1)


def without_duplicates(
    ranked: Sequence[Item], said: Callable[[Item], str], limit: int
) -> tuple[list[Item], list[tuple[Item, Item]]]:
    """Return up to `limit` items that say something new, and pairs (left out, who says it)."""
    first: dict[str, Item] = {}
    kept: list[Item] = []
    left_out: list[tuple[Item, Item]] = []
    for item in ranked:
        earlier = first.setdefault(said(item), item)
        if earlier is item:
            kept.append(item)
        else:
            left_out.append((item, earlier))
        if len(kept) == limit:
            break
    return kept, left_out


def diversified(
    fits: Sequence[float], alike: Callable[[int, int], float], *, balance: float = BALANCE
) -> list[int]:
    """Return the places in an order of maximal marginal relevance, the best always first.

    `alike` gives how much two of them resemble each other, 0 to 1.
    """
    waiting = list(range(len(fits)))
    nearest = [0.0] * len(fits)
    order: list[int] = []
    while waiting:
        best = max(
            waiting,
            key=lambda at: (balance * fits[at] - (1.0 - balance) * nearest[at], -at),
        )
        waiting.remove(best)
        order.append(best)
        for at in waiting:
            share = (alike(best, at) - UNRELATED) / (1.0 - UNRELATED)
            nearest[at] = max(nearest[at], share)
    return order
