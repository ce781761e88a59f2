"""Time and chance come in through here, so that everything else can be replayed."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Return the current moment, aware and in UTC. It may jump back; callers cope."""
        ...


class Chance(Protocol):
    """Gives what must not be guessable: salts, and ids nobody chose."""

    def salt(self) -> bytes:
        """Return 16 unpredictable bytes."""
        ...

    def event_id(self) -> str:
        """Return an id that no other call on any machine returns."""
        ...
