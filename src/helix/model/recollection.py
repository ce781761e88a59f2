"""What recall answers: a recollection, or an honest abstention."""

from __future__ import annotations

from dataclasses import dataclass

from helix.model.memory import Memory
from helix.model.question import Question


@dataclass(frozen=True, slots=True)
class Remembered:
    """One memory in an answer, how well it fits (1.0 is best), and the words that found it."""

    memory: Memory
    fit: float
    matched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recollected:
    """Memory holds something; best first. `scope` is where it was asked from."""

    question: Question
    scope: str
    remembered: tuple[Remembered, ...]


@dataclass(frozen=True, slots=True)
class Abstained:
    """Memory does not know, and says why."""

    question: Question
    scope: str
    reason: str


Recollection = Recollected | Abstained
