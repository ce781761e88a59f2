"""What recall answers: a recollection, or an honest abstention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from helix.model.memory import Memory
from helix.model.question import Question


@dataclass(frozen=True, slots=True)
class Remembered:
    """One memory in an answer, how well it fits (1.0 is best), and what speaks for it.

    `because` holds each signal's share of the score.
    """

    memory: Memory
    fit: float
    matched: tuple[str, ...] = ()
    because: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recollected:
    """Memory holds something; best first. `scope` is where it was asked from.

    `confidence` is how sure recall is that the answer is among them, in [0, 1].
    """

    question: Question
    scope: str
    remembered: tuple[Remembered, ...]
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Abstained:
    """Memory does not know, and says why; `closest` is the nearest it came."""

    question: Question
    scope: str
    reason: str
    confidence: float = 0.0
    closest: Remembered | None = None


Recollection = Recollected | Abstained
