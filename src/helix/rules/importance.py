"""How much a thing weighs, rated once at write without a model.

A heuristic for a path of microseconds: type, outcome, decisions, errors, length, names and
numbers close together, emphasis. A model or a sleep run may later rate better; this rating
is never overwritten in silence.
"""

from __future__ import annotations

import re

from helix.rules.needles import Needles

BY_TYPE = {
    "identity": 0.7,
    "preference": 0.6,
    "project": 0.6,
    "decision": 0.8,
    "convention": 0.7,
    "snippet": 0.5,
    "procedure": 0.6,
    "entity": 0.5,
    "episode": 0.2,
    "fact": 0.5,
}
DEFAULT = 0.5
"""For types that a domain registered itself."""

_TELLING = frozenset({
    "decid", "chose", "switch", "migrat", "revert", "broke", "break", "fail", "error",
    "exception", "traceback", "fix", "bug", "never", "always", "must", "important", "critical",
    "security", "deprecat", "regress",
})  # fmt: skip
"""Beginnings of words that tell of a decision, a failure or a rule."""

TELLING_BONUS = 0.1
TELLING_CAP = 0.3
FAILURE_BONUS = 0.2
LENGTH_BONUS = 0.1
LONG_LETTERS = 400
_LETTERS_LOOKED_AT = 2000

_EMPHASIS = ("IMPORTANT", "REMEMBER", "NEVER", "ALWAYS", "WARNING", "remember that", "note that")
"""How a person stresses something. In capitals: in small letters these are everyday words."""

_STRESSED = frozenset(each.lower() for each in _EMPHASIS)
_SAID = Needles([*sorted(_TELLING), *sorted(_STRESSED)])

EMPHASIS_BONUS = 0.1
DENSITY_BONUS = 0.1
DENSE = 0.3
"""The share of words naming a path, a version or an identifier from which a text is dense."""

_FEWEST_WORDS = 6
"""A command alone is all names; it takes a sentence around them to tell of substance."""

_NAMING = re.compile(r"(?<!\S)\S+?[/._0-9]\S")
_MARKED = re.compile(r"[/._0-9]\S+")

MILLIPOINTS = 10_000
"""Importance 1.0 is ten points, ten thousand thousandths: the 1-10 scale people see."""

SLEEP_AT = 150_000
"""The budget of 150 points at which sleep is due."""


def rate(type_name: str, content: str, exit_status: int | None = None) -> float:
    """Return the importance of a thing in [0, 1], rounded to two places."""
    head = content[:_LETTERS_LOOKED_AT]
    said = _SAID.within(head.lower())
    telling = len(said & _TELLING)
    score = BY_TYPE.get(type_name, DEFAULT) + min(TELLING_CAP, telling * TELLING_BONUS)
    if exit_status:
        score += FAILURE_BONUS
    if len(content) > LONG_LETTERS:
        score += LENGTH_BONUS
    if said & _STRESSED and any(map(head.__contains__, _EMPHASIS)):
        score += EMPHASIS_BONUS
    if _is_dense(head):
        score += DENSITY_BONUS
    return round(min(1.0, score), 2)


def millipoints(importance: float) -> int:
    """Return what an importance adds to the sleep budget, in thousandths of a point."""
    return round(importance * MILLIPOINTS)


def sleep_is_due(gathered: int) -> bool:
    """Return whether so many millipoints call for sleep: from 150 points on."""
    return gathered >= SLEEP_AT


def _is_dense(text: str) -> bool:
    words = len(text.split())
    needed = DENSE * words
    # Every such name has a mark in it. Marks are found by skipping from one to the next, in a
    # third of the time, and most texts have too few: this is the capture path.
    return (
        words >= _FEWEST_WORDS
        and len(_MARKED.findall(text)) >= needed
        and len(_NAMING.findall(text)) >= needed
    )
