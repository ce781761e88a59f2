"""Keeping the ledger: which records may leave it once they are older than its owner wants.

Only what happened may go, and only once it has stepped back. What anybody holds to be so does
not age away, and a belief that is held keeps the records it rests on: it must be able to say
why. A summary is the exception, since it is made to stand for what goes.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from helix.model.memory import Memory, Status

STEPPED_BACK = frozenset({Status.ARCHIVED, Status.FORGOTTEN, Status.REJECTED})


class Stays(StrEnum):
    """Why an old episode stays."""

    HELD = "still answers questions, or waits for review"
    PINNED = "pinned"
    A_GROUND = "something that is held rests on it"


def aged(recorded_at: datetime, now: datetime, keep: timedelta) -> bool:
    """Return whether a record is older than records are kept."""
    return now - recorded_at > keep


def why_it_stays(episode: Memory, *, is_a_ground: bool) -> Stays | None:
    """Return why an episode of that age stays all the same; None if it may go."""
    if episode.status not in STEPPED_BACK:
        return Stays.HELD
    if episode.belief.pinned:
        return Stays.PINNED
    return Stays.A_GROUND if is_a_ground else None


def spans(positions: list[int]) -> tuple[tuple[int, int], ...]:
    """Return sorted positions as (first, last) of each unbroken stretch."""
    found: list[tuple[int, int]] = []
    for position in positions:
        if found and found[-1][1] == position - 1:
            found[-1] = (found[-1][0], position)
        else:
            found.append((position, position))
    return tuple(found)
