"""LongMemEval: questions about what a user told an assistant over many sessions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from benchmarks.recalling.sets import reading
from benchmarks.recalling.sets.reading import Json
from benchmarks.recalling.values import Asked, Haystack, Note, oldest_first

ABSTAIN = "_abs"
DATED = "%Y/%m/%d (%a) %H:%M"


def load_pooled(folder: Path, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack of all evidence sessions, full text, one note per turn."""
    (path, *_) = reading.found(folder, "longmemeval_oracle*")
    items = list(reading.records(path))
    sessions = {
        session_id: (when, turns)
        for item in items
        for session_id, when, turns in zip(
            item["haystack_session_ids"],
            item["haystack_dates"],
            item["haystack_sessions"],
            strict=True,
        )
    }
    notes = [
        note for session_id, (when, turns) in sessions.items()
        for note in _turns(session_id, _moment(when), turns)
    ]  # fmt: skip
    asked = tuple(map(_asked, items))
    return [Haystack("pooled", oldest_first(notes), asked, by_session=True)]


def load_s500(folder: Path, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack per question, one note per session (cut at 500 letters)."""
    (path, *_) = reading.found(folder, "lme_s_skeleton*")
    return [_own(item) for item in reading.records(path)]


def _own(item: Json) -> Haystack:
    notes = [
        Note(each["id"], each["user_text_500"], each["id"], _moment(each["date"]), "user")
        for each in item["haystack"]
        if each["user_text_500"].strip()
    ]
    name = f"question-{item['question_id']}"
    return Haystack(name, oldest_first(notes), (_asked(item),), by_session=True)


def _turns(session_id: str, when: datetime | None, turns: Json) -> Iterator[Note]:
    for place, turn in enumerate(turns):
        if turn["content"].strip():
            yield Note(f"{session_id}/{place}", turn["content"], session_id, when, turn["role"])


def _asked(item: Json) -> Asked:
    answerable = ABSTAIN not in item["question_id"]
    return Asked(
        text=item["question"],
        gold=frozenset(item["answer_session_ids"]) if answerable else frozenset(),
        category=item["question_type"],
        unit="session",
        asked_at=_moment(item["question_date"]),
        answerable=answerable,
    )


def _moment(text: str | None) -> datetime | None:
    return reading.moment(text, DATED) if text else None
