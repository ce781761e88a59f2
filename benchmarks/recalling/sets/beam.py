"""BEAM: very long chats with an assistant, ten abilities; gold is the messages to find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from benchmarks.recalling.sets import reading
from benchmarks.recalling.sets.reading import Json
from benchmarks.recalling.values import Asked, Haystack, Note

PARTS = ("100K", "500K")
ANCHORED = "%B-%d-%Y"
ABSTAIN = "abstention"

# The authors' own numbering of the plan, left at the end of the users' messages.
_MARKER = re.compile(r"\s*->->[\s\dNA/,.-]*$")


def load(folder: Path, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack per chat, one note per message."""
    (path, *_) = reading.found(folder, f"beam_{part or PARTS[0]}*")
    return [_haystack(chat) for chat in reading.records(path)]


def _haystack(chat: Json) -> Haystack:
    notes = tuple(_notes(chat["turns"]))
    known = {note.id for note in notes}
    asked = [_asked(question, known) for question in chat["questions"]]
    return Haystack(str(chat["id"]), notes, tuple(each for each in asked if each is not None))


def _notes(turns: Json) -> Iterator[Note]:
    when: datetime | None = None
    for turn in turns:
        if turn.get("time_anchor"):
            when = reading.moment(turn["time_anchor"], ANCHORED)
        text = _MARKER.sub("", turn["content"])
        if text.strip():
            yield Note(str(turn["id"]), text, f"batch {turn.get('batch')}", when, turn["role"])


def _asked(question: Json, known: set[str]) -> Asked | None:
    ability = question["ability"]
    gold = frozenset(map(str, question["source_ids"])) & known
    if ability == ABSTAIN:
        return Asked(question["question"], frozenset(), ability, answerable=False)
    return Asked(question["question"], gold, ability) if gold else None
