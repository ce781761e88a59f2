"""What importers find: things that happened, things that are so, and figures about the whole."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from helix.model.errors import HelixError
from helix.model.moment import as_moment
from helix.rules.secrets.cutting import Clean, beginning
from helix.rules.secrets.redacting import redacted

LONGEST = 2_000
"""Letters of one piece: observations are kept, not documents."""


@dataclass(frozen=True, slots=True)
class Happened:
    """An episode. `key` tells it apart within its source, for ever."""

    content: str
    key: str
    ref: str
    occurred_at: datetime | None = None
    session: str = ""
    tool: str = ""
    exit_status: int | None = None
    files: tuple[str, ...] = ()
    undoes: str = ""
    """The key of what this takes back, as a revert does."""
    others: tuple[str, ...] = ()
    """Further keys by which it may be known: as a hook kept it, or an earlier version."""
    placed: bool = False
    """The key tells only where it stood; other words in its place are something else."""


@dataclass(frozen=True, slots=True)
class IsSo:
    """A statement of a registered type."""

    content: str
    type: str
    ref: str
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Summed:
    """A figure about the whole source; the next import puts its own in its place."""

    content: str
    name: str
    ref: str
    type: str = "fact"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A part of a source that could not be read; the rest goes on."""

    ref: str
    why: str


UNKNOWN = "not in a format I know"

MILLISECONDS = 1e11
"""A moment given as a larger number is in milliseconds, as JavaScript has it."""

SHORTEST = 12
_NOT_SAID = (
    "<command-", "<local-command", "<system-reminder", "Caveat:", "[Request interrupted",
    "<environment_context>", "<user_instructions>", "<turn_aborted>",
    "# AGENTS.md instructions for ",
)  # fmt: skip

Piece = Happened | IsSo | Summed | Unreadable


def worth_keeping(words: str) -> bool:
    """Return whether words in a transcript are somebody's, and more than a nod."""
    return len(words) >= SHORTEST and not words.startswith(_NOT_SAID)


def digest(*parts: str) -> str:
    """Return a short name that follows from the parts alone."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()[:24]


def clipped(text: str, letters: int = LONGEST, clean: Clean = redacted) -> str:
    """Return a text without outer space and secrets, its end cut off where it is too long."""
    return beginning(text, letters, clean)


def moment(value: object) -> datetime | None:
    """Return the moment a source gives, or None if it is not one."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if value > MILLISECONDS else float(value)
        try:
            return as_moment(datetime.fromtimestamp(seconds).astimezone())
        except (OverflowError, OSError, ValueError):
            return None
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        return as_moment(value.strip().replace(" UTC", "Z"))
    except (HelixError, ValueError):
        return None
