"""A question put to memory: the words, and from which view of time it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class View(StrEnum):
    """Which memories may answer. Quarantined and purged ones never do."""

    CURRENT = "current"
    DEEP = "deep"
    HISTORY = "history"
    AS_OF = "as_of"


@dataclass(frozen=True, slots=True)
class AsOf:
    """A point on each time axis; either may be left open.

    `true_on` asks what was so in the world on that day; `believed_on` asks what Helix
    held then. With `believed_on` alone, truth is taken at the same moment.
    """

    true_on: datetime | None = None
    believed_on: datetime | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the bounds of the answer.

    `budget` bounds it in tokens. `explain` also asks what fits but does not answer, and why.
    `asked_at` is when it was asked, where that is not now: a question out of a transcript.
    """

    text: str
    view: View = View.CURRENT
    as_of: AsOf | None = None
    types: tuple[str, ...] = ()
    limit: int = 10
    budget: int | None = None
    explain: bool = False
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A view made concrete: the moments at which truth and belief are judged.

    `believed_on` is None when the present belief is meant.
    """

    view: View
    true_on: datetime
    believed_on: datetime | None = None
