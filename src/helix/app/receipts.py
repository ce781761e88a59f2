"""What is told of an erasure, and of what is held about a subject before it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from helix.app.telling import LogEntry
from helix.model.memory import Memory
from helix.model.note import Note
from helix.model.record import Head


@dataclass(frozen=True, slots=True)
class Gone:
    """One erased record: where it stood, what kind it was, and the digest its seal keeps."""

    position: int
    kind: str
    digest: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an erasure destroyed. It names no words: a receipt must not be a copy.

    `residue` are files whose raw bytes still hold something of it; empty is good.
    `still_mentioned` are positions of other records that name an erased memory's id, or hold
    the same words. `stands_again` are memories that hold again because what had closed them is
    gone; `kept_closed` those that would, and were let step back instead.
    """

    erased_at: datetime
    scope: str
    records: tuple[Gone, ...]
    memories: int
    carried_over: int
    journal_entries: int
    copies_removed: tuple[str, ...]
    residue: tuple[str, ...]
    still_mentioned: tuple[int, ...]
    head: Head
    notes: int = 0
    stands_again: tuple[Memory, ...] = ()
    kept_closed: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True)
class About:
    """Everything held about a subject: records that name it, the memories they made, and notes."""

    subject: str
    scopes: tuple[str, ...]
    records: tuple[LogEntry, ...]
    memories: tuple[Memory, ...]
    notes: tuple[Note, ...] = ()
