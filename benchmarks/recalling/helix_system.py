"""Helix as the measured system: a store on a file, lived through in the notes' own time.

Everything that knows how Helix is set up for a measurement stands in the first half, as
small functions with one seam each; the rest of the package sees notes and answers only.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.recalling.baselines import Embed
from benchmarks.recalling.values import Answer, Asked, Haystack, Note, Unavailable
from helix import Helix
from helix.app import models
from helix.app.wiring import open_context, settings
from helix.capture.admission import LONGEST_CONTENT, MOST_FILES
from helix.model.edge import SUPERSEDES
from helix.model.errors import BadInput, Conflict
from helix.model.memory import Memory, Status
from helix.model.outcome import Joined, Kept, Skipped
from helix.model.recollection import Abstained, Recollection
from helix.ports.embedder import Embedder
from helix.recall.scoring import RANKERS, Tuning
from helix.testing.clock import SettableClock

DEPTH = 50
"""Answers asked for, unless said otherwise: enough that five sessions are among the notes."""

ROLES = ("user", "assistant")
"""Speakers that a door notes as a role; people are named in the text."""

UNDATED = datetime(2025, 1, 1, tzinfo=UTC)
"""Where time begins for notes without a date; each following one comes a second later."""

# --- How Helix is set up for a measurement ------------------------------------------------


def opened(path: Path, scope: str, clock: SettableClock, embedder: str | None) -> Helix:
    """Return a memory on this file that takes the time from `clock`.

    `embedder` is a name, "none" for words only, or None for the default.
    """
    context = open_context(path, scope=scope, background=False)
    return Helix(replace(context, clock=clock, embedder=lambda: _embedder(embedder)))


def prepared(memory: Helix) -> None:
    """Embed and enrich everything that is pending; nothing is measured before."""
    memory.upkeep.enrich()


def asked(
    memory: Helix,
    question: Asked,
    limit: int,
    switched_off: frozenset[str] = frozenset(),
    ranker: str = RANKERS[0],
) -> Recollection:
    """Ask with a ranker, without some signals. This call is what latency measures.

    Weak answers are given as well, so that ranking is measured on every question; whether
    Helix would have abstained is judged by `confidence`.
    """
    tuning = Tuning(ranker=ranker, switched_off=switched_off, abstains=False)
    return memory.recall(
        question.text, view=question.view, true_on=question.as_of, limit=limit,
        asked_at=question.asked_at, tuning=tuning,
    )  # fmt: skip


def confidence(answer: Recollection) -> float:
    """Return how sure Helix is that it knows, 0 to 1."""
    return answer.confidence


def embedding(name: str | None) -> tuple[str, Embed | None]:
    """Return the active embedder's name and function, for the plain dense baseline.

    Raises `Unavailable` for a name that is not installed.
    """
    embedder = _embedder(name)
    if embedder is None:
        return "none", None
    return embedder.name, embedder.embed


@cache
def _embedder(name: str | None) -> Embedder | None:
    try:
        found = models.active(settings().home, models.Choice(model=name or ""))
    except BadInput as error:
        raise Unavailable(f"there is no embedder {name!r}; {error.remedy}") from error
    if found.embedder is None and name not in (None, "none"):
        raise Unavailable(f"{found.says}; {found.remedy}")
    return found.embedder


# --- The system, as the rest of the package sees it ---------------------------------------


class HelixSystem:
    """One haystack in a store of its own: filled once, then asked."""

    def __init__(self, haystack: Haystack, folder: Path, embedder: str | None = None) -> None:
        name = re.sub(r"[^\w.-]+", "-", haystack.name)
        self._clock = SettableClock(UNDATED if _undated(haystack) else _first(haystack))
        path = folder / f"{name}.db"
        self.memory = opened(path, f"project:{name}", self._clock, embedder)
        self._notes = haystack.notes
        self._memory_of: dict[str, str] = {}
        self._note_of: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.memory.close()

    def fill(self, progress: Callable[[int], None] = lambda _: None) -> None:
        """Write every note in its own time, and tell what supersedes what."""
        untold: list[tuple[str, str]] = []
        for place, note in enumerate(self._notes):
            self._pass_time(note.when)
            untold += self._write(note)
            progress(place + 1)
        for new, old in untold:
            self._tell(new, old)
        prepared(self.memory)

    def ask(
        self,
        question: Asked,
        switched_off: frozenset[str] = frozenset(),
        ranker: str = RANKERS[0],
        limit: int = DEPTH,
    ) -> Answer:
        """Return the ranked notes; what came of no note, such as an insight, is left out."""
        if question.asked_at is not None:
            self._clock.moment = question.asked_at
        started = time.perf_counter()
        answer = asked(self.memory, question, limit, switched_off, ranker)
        seconds = time.perf_counter() - started
        memories = _memories(answer)
        return Answer(
            ranked=tuple(self._note_of[each.id] for each in memories if each.id in self._note_of),
            flagged=frozenset(self._note_of.get(each.id, "") for each in memories if _gone(each)),
            abstained=isinstance(answer, Abstained),
            confidence=confidence(answer),
            seconds=seconds,
        )

    def _pass_time(self, when: datetime | None) -> None:
        later = self._clock.moment + timedelta(seconds=1)
        self._clock.moment = later if when is None else max(self._clock.moment, when)

    def _write(self, note: Note) -> list[tuple[str, str]]:
        """Write one note; return the pairs of new and old that this could not tell."""
        text = note.text[:LONGEST_CONTENT]
        if not note.type:
            self._keep(note, self._captured(note, text))
            return [(note.id, old) for old in note.supersedes]
        known = [old for old in note.supersedes if old in self._memory_of]
        for old in known:
            try:
                kept = self.memory.correct(self._memory_of[old], text, since=note.when)
            except Conflict:
                continue  # it was superseded before; the relation is told at the end
            self._keep(note, kept)
            return [(note.id, other) for other in note.supersedes if other != old]
        self._keep(note, self.memory.remember(text, type=note.type, valid_from=note.when))
        return [(note.id, old) for old in note.supersedes]

    def _captured(self, note: Note, text: str) -> Kept | Joined | Skipped:
        return self.memory.capture(
            text,
            session=note.session,
            occurred_at=note.when,
            files=note.files[:MOST_FILES],
            parent_event_id=note.cause,
            event_id=note.id,
            attributes={"role": note.speaker} if note.speaker in ROLES else None,
        )

    def _tell(self, new: str, old: str) -> None:
        # The facade puts a new text in an old one's place; that one memory replaces another
        # which stands already can only be said as a relation.
        if new in self._memory_of and old in self._memory_of:
            self.memory.relate(self._memory_of[new], SUPERSEDES, self._memory_of[old])

    def _keep(self, note: Note, outcome: Kept | Joined | Skipped) -> None:
        if isinstance(outcome, Skipped):
            return
        self._memory_of[note.id] = outcome.memory.id
        self._note_of.setdefault(outcome.memory.id, note.id)


def _memories(answer: Recollection) -> Sequence[Memory]:
    if isinstance(answer, Abstained):
        return ()
    return [each.memory for each in answer.remembered]


def _gone(memory: Memory) -> bool:
    """Return whether an answer marks a memory as no longer holding."""
    return memory.status is Status.SUPERSEDED


def _undated(haystack: Haystack) -> bool:
    return all(note.when is None for note in haystack.notes)


def _first(haystack: Haystack) -> datetime:
    return min(note.when for note in haystack.notes if note.when is not None)
