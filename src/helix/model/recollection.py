"""What recall answers: a recollection, or an honest abstention."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from helix.model.frozen import dataclass
from helix.model.memory import Memory
from helix.model.question import Question


@dataclass(frozen=True, slots=True)
class Remembered:
    """One memory in an answer, how well it fits (1.0 is best), and what speaks for it.

    `because` holds each signal's share of the score. `shortened` is what is shown of a long
    text, where it had to fit a budget or has faded.
    """

    memory: Memory
    fit: float
    matched: tuple[str, ...] = ()
    because: Mapping[str, float] = field(default_factory=dict)
    shortened: str = ""

    @property
    def text(self) -> str:
        """What is shown of it; its id leads to all of it."""
        return self.shortened or self.memory.content


class Reason(StrEnum):
    """Why something that fits is not part of an answer."""

    DUPLICATE = "duplicate"
    BUDGET = "budget"
    SUPERSEDED = "superseded"
    ENDED = "ended"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A memory that fits and was left out; `because_of` names another one, where one is why."""

    memory: Memory
    reason: Reason
    because_of: str = ""


@dataclass(frozen=True, slots=True)
class Recollected:
    """Memory holds something; best first. `scope` is where it was asked from.

    `confidence` is how sure recall is that the answer is among them, in [0, 1]. `archived`
    are pointers, best first, to what has stepped back and fits better than what
    would have stood in their place; with them there are no more than were asked for.
    `words_only` is why words alone were searched for, where a model should have been asked.
    """

    question: Question
    scope: str
    remembered: tuple[Remembered, ...]
    confidence: float = 1.0
    left_out: tuple[LeftOut, ...] = ()
    archived: tuple[Remembered, ...] = ()
    words_only: str = ""


@dataclass(frozen=True, slots=True)
class Abstained:
    """Memory does not know, and says why; `closest` is the nearest it came.

    `archived` points to what has stepped back and may answer all the same; `words_only` is as
    in `Recollected`.
    """

    question: Question
    scope: str
    reason: str
    confidence: float = 0.0
    closest: Remembered | None = None
    left_out: tuple[LeftOut, ...] = ()
    archived: tuple[Remembered, ...] = ()
    words_only: str = ""


Recollection = Recollected | Abstained
