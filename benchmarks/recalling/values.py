"""What every set is turned into: notes to keep, questions to ask, and what came back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

Unit = Literal["note", "session"]

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Unavailable(Exception):
    """What was asked for is not here: a file, a ranker, an embedder."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing to keep.

    Without a `type` it is an episode and is captured; with one it is held to be so, in
    the place of the notes it `supersedes`. `cause` names the note it follows from.
    """

    id: str
    text: str
    session: str = ""
    when: datetime | None = None
    speaker: str | None = None
    files: tuple[str, ...] = ()
    cause: str = ""
    type: str = ""
    supersedes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what answers it, by the ids of notes or of sessions.

    `corrected` is the gold after an audit. `stale` names notes that once answered and no
    longer do. `without` names notes left out of the ranking, such as the one that the
    question was taken from. `as_of` asks for what was so at a moment. A question with an
    `aside` counts for nothing but its first place, reported under that name.
    """

    text: str
    gold: frozenset[str]
    category: str = ""
    unit: Unit = "note"
    asked_at: datetime | None = None
    answerable: bool = True
    corrected: frozenset[str] | None = None
    stale: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()
    view: str = "current"
    as_of: datetime | None = None
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Haystack:
    """Notes that are searched together, oldest first, and the questions asked of them.

    `by_session` says that sessions are part of what the set measures; `dated`, that its
    floor was measured on texts that begin with their date.
    """

    name: str
    notes: tuple[Note, ...]
    questions: tuple[Asked, ...]
    by_session: bool = False
    dated: bool = False

    @property
    def session_of(self) -> dict[str, str]:
        """The session of each note, where sessions count."""
        return {note.id: note.session for note in self.notes} if self.by_session else {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system gave: note ids, best first, and what it said about them.

    `flagged` are the notes it marked as no longer holding; `confidence` is how sure it
    is that it knows, 0 to 1, and None for a system that never says.
    """

    ranked: tuple[str, ...]
    flagged: frozenset[str] = frozenset()
    abstained: bool = False
    confidence: float | None = None
    seconds: float = 0.0


def oldest_first(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return notes by their date; those of one moment keep their order."""
    return tuple(sorted(notes, key=lambda note: note.when or _LONG_AGO))
