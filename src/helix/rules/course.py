"""The course of a memory's retention: as it was with the uses there were, and as it will be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from helix.model.life import Life
from helix.rules.decay import retention
from helix.rules.policy import Policy


@dataclass(frozen=True, slots=True)
class Point:
    """What was left, or will be, at a moment."""

    at: datetime
    retention: float


def course(life: Life, start: datetime, end: datetime, points: int, policy: Policy) -> list[Point]:
    """Return evenly spaced points from start to end, both included; at least two.

    At each moment only the uses up to it count, so the past is drawn as it was.
    """
    step = (end - start) / max(1, points - 1)
    found = []
    for number in range(max(2, points)):
        at = start + number * step
        then = replace(life, uses=tuple(use for use in life.uses if use.at <= at))
        found.append(Point(at, retention(then, at, policy)))
    return found
