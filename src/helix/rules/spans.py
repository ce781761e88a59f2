"""When a memory holds, as one span of time, and whether two ever hold at once."""

from __future__ import annotations

from datetime import datetime

from helix.model.memory import Memory


def ends_at(memory: Memory) -> datetime | None:
    """Return when a memory ceases to hold, by its validity or because it expires; None: never."""
    ends = [each for each in (memory.belief.valid_to, memory.expires_at) if each is not None]
    return min(ends) if ends else None


def ever_together(one: Memory, other: Memory) -> bool:
    """Return whether there is a moment at which both hold."""
    begins = max(one.belief.valid_from, other.belief.valid_from)
    return all(end is None or begins < end for end in (ends_at(one), ends_at(other)))


def over_by(memory: Memory, moment: datetime) -> bool:
    """Return whether a memory no longer holds at a moment."""
    end = ends_at(memory)
    return end is not None and end <= moment
