"""Leaving out what repeats words that are told no more, until sleep has put it right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from helix.model.memory import Memory, Status
from helix.recall.signals import Candidate
from helix.rules.quoting import quoted_memory, quoted_positions

Ordered = tuple[float, Candidate]

_TOLD = frozenset((Status.ACTIVE, Status.ARCHIVED))
"""What has faded may be repeated; what was forgotten, replaced or rejected may not."""


def repeatable(
    order: Sequence[Ordered],
    limit: int,
    held: Callable[[str], Memory | None],
    born_at: Callable[[int], Memory | None],
) -> Sequence[Ordered]:
    """Return an order without what quotes words that may not be told; its first `limit` count."""
    return [
        each
        for place, each in enumerate(order)
        if place >= limit or _may_be_told(each[1].memory, held, born_at)
    ]


def _may_be_told(
    memory: Memory,
    held: Callable[[str], Memory | None],
    born_at: Callable[[int], Memory | None],
) -> bool:
    quoted = quoted_memory(memory)
    if quoted:
        found = held(quoted)
        return found is not None and found.status is Status.ACTIVE
    sources = (born_at(position) for position in quoted_positions(memory))
    # What left by age was exported, and a summary is made to stand for it.
    return all(each is None or each.status in _TOLD for each in sources)
