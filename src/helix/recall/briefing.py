"""What an agent should know before it begins: the standing knowledge of a place, in brief.

Sections stand in the order in which they matter; each may use its share of the budget, and
what one leaves goes to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from helix.model.frozen import dataclass
from helix.model.memory import Memory
from helix.model.types import EPISODE
from helix.recall.packing import cost, shortened

LONGEST = 60
"""Tokens of one memory in a briefing; its id leads to the rest."""

WHO, RULES, CHOICES, KNOWN, LATELY = "Who and what", "Conventions", "Decisions", "Known", "Lately"

SHARES: Mapping[str, float] = {WHO: 0.2, RULES: 0.25, CHOICES: 0.25, KNOWN: 0.1, LATELY: 0.2}

SECTION_OF: Mapping[str, str] = {
    "identity": WHO,
    "project": WHO,
    "preference": WHO,
    "convention": RULES,
    "procedure": RULES,
    "decision": CHOICES,
    EPISODE: LATELY,
}
"""Where a type belongs; every other one is simply known."""


@dataclass(frozen=True, slots=True)
class Line:
    """One memory in a briefing, cut if it was long."""

    memory: Memory
    text: str


@dataclass(frozen=True, slots=True)
class Briefing:
    """Sections with their lines, what they cost in tokens, and how many memories did not fit."""

    scope: str
    sections: tuple[tuple[str, tuple[Line, ...]], ...]
    tokens: int
    left_out: int


def brief(
    scope: str,
    memories: Iterable[Memory],
    budget: int,
    may_be_told: Callable[[Memory], bool] = lambda _: True,
) -> Briefing:
    """Return the most important memories of each section within a budget of tokens.

    Only those that would be told are asked about: a session should not wait for the others.
    """
    waiting: dict[str, list[Memory]] = {title: [] for title in SHARES}
    for memory in sorted(memories, key=_standing):
        waiting[SECTION_OF.get(memory.type, KNOWN)].append(memory)
    taken: dict[str, list[Line]] = {title: [] for title in SHARES}
    left = budget
    for share_only in (True, False):
        for title, share in SHARES.items():
            room = min(left, int(budget * share)) if share_only else left
            lines, waiting[title], spent = _fill(waiting[title], room, may_be_told)
            taken[title] += lines
            left -= spent
    sections = tuple((title, tuple(lines)) for title, lines in taken.items() if lines)
    return Briefing(scope, sections, budget - left, sum(map(len, waiting.values())))


def _fill(
    waiting: Sequence[Memory], room: int, may_be_told: Callable[[Memory], bool]
) -> tuple[list[Line], list[Memory], int]:
    lines: list[Line] = []
    beyond: list[Memory] = []
    spent = 0
    for memory in waiting:
        text = memory.content
        if cost(text) > cost("") + LONGEST:
            text = shortened(text, LONGEST)
        if spent + cost(text) > room:
            beyond.append(memory)
        elif may_be_told(memory):
            lines.append(Line(memory, text))
            spent += cost(text)
    return lines, beyond, spent


def _standing(memory: Memory) -> tuple[bool, float, int]:
    # Pinned first; what happened lately by when, everything else by what it weighs.
    weight = 0.0 if memory.type == EPISODE else memory.importance
    return not memory.belief.pinned, -weight, -memory.position
