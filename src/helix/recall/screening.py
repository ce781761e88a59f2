"""What may be shown of an order, and what must be said with it.

Rules learn, and a store may be older than they are, so texts are screened again. And what one
source says alone is looked at beside the rest of the answer: whether it floods it, differs
from what the user said, or has been rewritten again and again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from helix.model.edge import CONTRADICTS, SUPERSEDES, Edge
from helix.model.memory import Memory
from helix.model.suspicion import Suspicion
from helix.model.types import EPISODE
from helix.recall.signals import Candidate
from helix.rules.influence import TOOK_OVER, is_users, stands_alone
from helix.rules.screening.again import doubt_of, noted
from helix.rules.screening.judging import MARK_AT

Ordered = tuple[float, Candidate]
Edges = Callable[[str], Sequence[Edge]]
Held = Callable[[str], Memory | None]

ALIKE = 0.8
"""Shared words from which two texts are taken to say the same."""

ON_ONE_THING = 0.45
"""Shared words from which two texts speak of one thing."""

FLOOD = 3
"""Texts alike from sources that stand alone, from which they are a flood."""

REWRITTEN = 3
FEWEST_WORDS = 4
LOOKED_AT = 40
"""Of an order, how many are looked at for floods."""

_WORD = re.compile(r"[^\W_]{2,}")


def shown(
    order: Sequence[Ordered], limit: int, edges: Edges = lambda _: (), held: Held = lambda _: None
) -> list[Ordered]:
    """Return the first `limit` that may be shown, each with what speaks against it.

    What should have been held back is left out, and of a flood only the first two are kept. Of
    what took a neighbourhood over, all but the first two come after everything else.
    """
    order = _behind(order)
    kept: list[Ordered] = []
    lone: list[tuple[frozenset[str], list[str]]] = []
    for score, candidate in order[: max(limit, LOOKED_AT)]:
        doubt = doubt_of(candidate.memory)
        if doubt is not None and doubt.held:
            continue
        if len(kept) < limit or lone:
            if stands_alone(candidate.memory) and _floods(candidate.memory, lone):
                continue
            if len(kept) < limit:
                kept.append((score, _noted(candidate, doubt)))
    users = _Users(order[: 4 * limit])
    floods = {each: len(memory_ids) for _, memory_ids in lone for each in memory_ids}
    return [
        (score, _noted(each, _beside(each.memory, users, floods, edges, held)))
        for score, each in kept
    ]


def _behind(order: Sequence[Ordered]) -> Sequence[Ordered]:
    """Return an order in which no takeover keeps more than two places before others."""
    seen: Counter[str] = Counter()
    behind = []
    for place, (_, candidate) in enumerate(order):
        doubt = candidate.memory.belief.suspicion
        for reason in doubt.reasons if doubt else ():
            if reason.startswith(TOOK_OVER):
                seen[reason] += 1
                behind += [place] if seen[reason] >= FLOOD else []
    if not behind:
        return order
    last = set(behind)
    first = [each for place, each in enumerate(order) if place not in last]
    return [*first, *(order[place] for place in sorted(last))]


class _Users:
    """What the user said of it: its words are cut once, and only where they are compared."""

    def __init__(self, order: Sequence[Ordered]) -> None:
        self._order = order

    @cached_property
    def said(self) -> list[tuple[Memory, frozenset[str]]]:
        return [
            (each.memory, words(each.memory.content))
            for _, each in self._order
            if is_users(each.memory)
        ]


def words(text: str) -> frozenset[str]:
    """Return the words of a text, in small letters."""
    return frozenset(_WORD.findall(text.lower()))


def _noted(candidate: Candidate, doubt: Suspicion | None) -> Candidate:
    memory = noted(candidate.memory, doubt)
    return candidate if memory is candidate.memory else replace(candidate, memory=memory)


def _floods(memory: Memory, lone: list[tuple[frozenset[str], list[str]]]) -> bool:
    said = words(memory.content)
    if len(said) < FEWEST_WORDS:
        return False
    for before, memory_ids in lone:
        if _shared(said, before) >= ALIKE:
            memory_ids.append(memory.id)
            # Two alike may be honest repetition; from the third on they only take up room.
            return len(memory_ids) >= FLOOD
    lone.append((said, [memory.id]))
    return False


def _beside(
    memory: Memory,
    users: _Users,
    floods: dict[str, int],
    edges: Edges,
    held: Held,
) -> Suspicion | None:
    if not stands_alone(memory):
        return None
    reasons = []
    if floods.get(memory.id, 0) >= FLOOD:
        reasons.append(f"influence: said {floods[memory.id]} times by sources that stand alone")
    if memory.type != EPISODE:
        said = words(memory.content)
        reasons += [
            f"influence: differs from {mine.id}, which the user said"
            for mine, other in users.said
            if _shared(said, other) >= ON_ONE_THING and said != other
        ][:1]
        drawn = edges(memory.id)
        against = [e.to_id for e in drawn if e.relation == CONTRADICTS and e.from_id == memory.id]
        theirs = [other for each in against if (other := held(each)) and is_users(other)]
        if theirs and not reasons:
            reasons.append(f"influence: contradicts {theirs[0].id}, which the user said")
        if _rewritten(memory.id, drawn, edges) >= REWRITTEN:
            reasons.append("influence: rewritten again and again by one source")
    if not reasons:
        return None
    before = memory.belief.suspicion
    score, told = (before.score, before.reasons) if before else (MARK_AT, ())
    return Suspicion(score, (*told, *reasons))


def _rewritten(memory_id: str, drawn: Sequence[Edge], edges: Edges) -> int:
    times = 0
    while times < REWRITTEN:
        before = [e.to_id for e in drawn if e.relation == SUPERSEDES and e.from_id == memory_id]
        if not before:
            break
        memory_id, times = before[0], times + 1
        drawn = edges(memory_id)
    return times


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / (len(one | other) or 1)
