"""LoCoMo: long conversations of two people, questions with the turns that answer them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from benchmarks.recalling.sets import reading
from benchmarks.recalling.sets.reading import Json
from benchmarks.recalling.values import Asked, Haystack, Note, Unavailable

CATEGORIES = {
    "1": "multi-hop",
    "2": "temporal",
    "3": "open-domain",
    "4": "single-hop",
    "5": "adversarial",
}
ADVERSARIAL = "5"
SAID_AT = "%I:%M %p on %d %B, %Y"

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_AUDITED = re.compile(r"qa(\d+)$")

Audit = Mapping[tuple[int, str], Json]
"""Corrections by a question's place in its conversation and its words."""


def load(folder: Path, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack per conversation, one note per turn."""
    (path, *_) = reading.found(folder, "locomo_*")
    try:
        audit = _audit(reading.records(reading.found(folder, "audit_errors*")[0]))
    except Unavailable:
        audit = {}
    conversations = reading.records(path)
    return [_haystack(each, audit, f"conversation {n}") for n, each in enumerate(conversations, 1)]


def _audit(errors: Iterable[Json]) -> Audit:
    found = {}
    for error in errors:
        place = _AUDITED.search(error["question_id"])
        if place and error.get("correct_evidence"):
            found[int(place[1]), error["question"]] = error["correct_evidence"]
    return found


def _haystack(conversation: Json, audit: Audit, name: str) -> Haystack:
    notes = tuple(_notes(conversation["conversation"]))
    known = {note.id for note in notes}
    asked = [
        _asked(question, audit.get((place, question["question"])), known)
        for place, question in enumerate(conversation["qa"])
    ]
    return Haystack(
        name=str(conversation.get("sample_id") or name),
        notes=notes,
        questions=tuple(each for each in asked if each is not None),
        by_session=True,
        dated=True,
    )


def _notes(conversation: Json) -> Iterable[Note]:
    numbers = [int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key))]
    for number in sorted(numbers):
        said_at = conversation.get(f"session_{number}_date_time")
        when = reading.moment(said_at, SAID_AT) if said_at else None
        for turn in conversation[f"session_{number}"]:
            said = (turn.get("text"), turn.get("blip_caption"))
            text = f"{turn['speaker']}: {' '.join(filter(None, said))}"
            yield Note(turn["dia_id"], text, f"D{number}", when, turn["speaker"])


def _asked(question: Json, corrected: Json | None, known: set[str]) -> Asked | None:
    category = str(question["category"])
    if category == ADVERSARIAL:
        return Asked(question["question"], frozenset(), category, answerable=False)
    gold = _gold(question["evidence"], known)
    if not gold:
        return None
    right = _gold(corrected, known) if corrected is not None else gold
    return Asked(question["question"], gold, category, corrected=right or gold)


def _gold(evidence: Json, known: set[str]) -> frozenset[str]:
    cited = {f"D{int(s)}:{int(t)}" for line in evidence for s, t in _EVIDENCE.findall(line)}
    return frozenset(cited & known)
