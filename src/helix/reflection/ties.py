"""The pass that draws shortcuts: what helped on the same occasions leads to each other.

Recall spreads along edges. Two memories that nobody ever linked, and that share no word, are
found together from then on, because somebody needed them together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from itertools import combinations

from helix.model.edge import USED_WITH
from helix.model.life import GOOD, Use
from helix.model.memory import Memory, Status
from helix.model.night import Conclusion, Decision, Findings, Night
from helix.rules.concluding import link

PASS = "tie"

FEWEST_TOGETHER = 3
"""Occasions on which both must have helped: once or twice is chance."""

APART = timedelta(minutes=30)
"""A pause this long between two uses ends an occasion."""

MOST_AT_ONCE = 12
"""An occasion on which more than this was used says nothing about pairs of it."""

STRONG = 10
"""Occasions from which a shortcut is as strong as an edge that somebody drew."""


def tie(night: Night) -> Findings:
    """Return shortcuts between memories that helped together, again and again."""
    held = {each.id: each for each in night.episodes} | dict(night.held)
    together: dict[tuple[str, str], int] = defaultdict(int)
    for used in occasions(night.uses):
        if len(used) <= MOST_AT_ONCE:
            for pair in combinations(sorted(used), 2):
                together[pair] += 1
    ranked = sorted(together.items(), key=lambda each: (-each[1], each[0]))
    made = [
        _tied(night, held[one], held[other], times)
        for (one, other), times in ranked
        if times >= FEWEST_TOGETHER and _stands(held.get(one)) and _stands(held.get(other))
    ]
    return Findings(len(night.uses), tuple(made))


def occasions(uses: Mapping[str, tuple[Use, ...]]) -> Iterator[set[str]]:
    """Yield what helped on each occasion, in the order of time."""
    moments = sorted(
        (use.at, memory_id) for memory_id, all_of in uses.items() for use in all_of
        if use.quality >= GOOD
    )  # fmt: skip
    used: set[str] = set()
    last: datetime | None = None
    for at, memory_id in moments:
        if last is not None and at - last > APART:
            yield used
            used = set()
        used.add(memory_id)
        last = at
    if used:
        yield used


def _tied(night: Night, one: Memory, other: Memory, times: int) -> Conclusion:
    edge = link(night, one, USED_WITH, other, by=PASS, weight=min(1.0, times / STRONG))
    why = f"{one.id} and {other.id} helped together {times} times"
    return Conclusion(Decision.LINK, edge.edge.id, why, (one.id, other.id), (edge,))


def _stands(memory: Memory | None) -> bool:
    return memory is not None and memory.status is Status.ACTIVE
