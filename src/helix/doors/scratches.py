"""Notes on the scratchpad, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from helix.doors import documents, plain
from helix.doors.neutral import one_line
from helix.doors.plain import Document
from helix.doors.rendering import behind_bar, faint, gist, name
from helix.doors.rendering import outcome as written
from helix.model.note import Note, Noted
from helix.rules.promotion import SCRATCH_AGE, SCRATCH_READS

if TYPE_CHECKING:
    from helix.model.note import Read
    from helix.model.outcome import Joined, Kept, Skipped

MINUTE = timedelta(minutes=1)


def added(scope: str, done: Noted | Kept | Joined | Skipped) -> tuple[str, Document]:
    """Return how writing a note turned out, in words and as a document."""
    if not isinstance(done, Noted):
        return written(scope, done, "Captured"), documents.outcome(scope, done)
    verb = "Already there:" if done.again else "Noted"
    text = f"{verb} {name(done.note.id)} (on the scratchpad of {one_line(scope)})"
    outcome = "joined" if done.again else "noted"
    return text, {"scope": scope, "outcome": outcome, "note": plain.note(done.note)}


def listing(
    scope: str, notes: Sequence[Note], now: datetime, *, dropped: bool
) -> tuple[str, Document]:
    """Return the notes of a scope, a line each."""
    document: Document = {"scope": scope, "notes": [plain.note(each) for each in notes]}
    if not notes:
        what = "Nothing was dropped of late from" if dropped else "Nothing is on"
        return f"{what} the scratchpad of {one_line(scope)}.", document
    number = f"{len(notes)} {'note' if len(notes) == 1 else 'notes'}"
    lines = [f"{number} {'dropped from' if dropped else 'on'} the scratchpad of {one_line(scope)}:"]
    for each in notes:
        lines += ["", f"{name(each.id)}  {_standing(each, now)}", f"   | {gist(each.content)}"]
    return "\n".join(lines), document


def read(scope: str, done: Read, now: datetime) -> tuple[str, Document]:
    """Return a note whole, and what it has become, if it has."""
    note, episode = done.note, done.episode
    lines = [f"{name(note.id)}  {_standing(note, now)}", *behind_bar(note.content)]
    by = note.source
    told = f"   {by.origin.value} by {one_line(by.agent)}, in {one_line(scope)}"
    lines.append(faint(told + (f", session {one_line(note.session)}" if note.session else "")))
    if episode is not None:
        lines.append(f"It is an episode now: {name(episode.id)}")
    return "\n".join(lines), {
        "scope": scope,
        "note": plain.note(note),
        "episode": None if episode is None else plain.memory(episode),
    }


def dropped(scope: str, note: Note) -> tuple[str, Document]:
    """Return that a note will become nothing, and how long it can still be kept."""
    minutes = int(SCRATCH_AGE / MINUTE)
    text = (
        f"Dropped {name(note.id)} from the scratchpad of {one_line(scope)}. It is gone for good"
        f" in {minutes} minutes; until then `helix scratch keep {name(note.id)}` keeps it."
    )
    return text, {"scope": scope, "outcome": "dropped", "note": plain.note(note)}


def _standing(note: Note, now: datetime) -> str:
    if note.dropped_at is not None:
        left = max(timedelta(0), note.dropped_at + SCRATCH_AGE - now)
        return f"dropped, gone in {_minutes(left)}"
    left = max(timedelta(0), note.noted_at + SCRATCH_AGE - now)
    more = max(0, SCRATCH_READS - note.reads)
    if not left or not more:
        return "an episode by now"
    reading = "when read once more" if more == 1 else f"when read {more} times"
    return f"an episode in {_minutes(left)}, or {reading}"


def _minutes(left: timedelta) -> str:
    minutes = -(-left // MINUTE)
    return f"{minutes} minute" if minutes == 1 else f"{minutes} minutes"
