"""Who of those that tell of one matter agree: a rule is theirs, and nobody else bears it out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from helix.rules.dissent import opposed, tells_another
from helix.rules.turns import Turn

MOST_DISSENT = 0.25
"""Share of those who tell of a matter that may say the opposite before it is disputed."""

MOST_COMPARED = 200
"""Tellings that are compared each with each; the others are held against the rule alone."""


class Heard(NamedTuple):
    """Those among whom nobody says the opposite of another, and how many had to be left out."""

    agreeing: list[Turn]
    dissenting: int

    @property
    def disputed(self) -> bool:
        """Whether too many disagree for a rule."""
        return self.dissenting > MOST_DISSENT * (len(self.agreeing) + self.dissenting)


def heard(members: Sequence[Turn]) -> Heard:
    """Return who agrees, after whoever is at odds with most of the others is left out."""
    listened = members[:MOST_COMPARED]
    at_odds: dict[int, set[int]] = {number: set() for number in range(len(listened))}
    for one, turn in enumerate(listened):
        for other in range(one):
            if opposed(turn.prose, listened[other].prose):
                at_odds[one].add(other)
                at_odds[other].add(one)
    left_out: set[int] = set()
    while any(at_odds.values()):
        # Of equals, the later one: a rule is not overturned by as many as made it.
        worst = max(at_odds, key=lambda number: (len(at_odds[number]), number))
        left_out.add(worst)
        for others in at_odds.values():
            others.discard(worst)
        at_odds[worst] = set()
    agreeing = [turn for number, turn in enumerate(listened) if number not in left_out]
    return Heard([*agreeing, *members[MOST_COMPARED:]], len(left_out))


def held_against(rule: str, members: Sequence[Turn]) -> Heard:
    """Return who says what a rule says, and how many say its opposite.

    Who says it of somebody or somewhere else neither bears it out nor denies it.
    """
    denying = sum(opposed(rule, turn.prose) for turn in members)
    agreeing = [
        turn
        for turn in members
        if not opposed(rule, turn.prose) and not tells_another(rule, turn.prose)
    ]
    return Heard(agreeing, denying)
