"""A retention curve, drawn in the terminal or into a PNG file, with the memory's own events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from helix.doors.raster import Canvas
from helix.doors.rendering import faint, strong
from helix.rules.course import Point

ROWS = 12
COLUMNS = 64
WIDTH, HEIGHT = 900, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 20, 34, 48
INK, GRID, CURVE, USE, NOW = (
    (40, 40, 40),
    (225, 225, 225),
    (30, 90, 170),
    (20, 130, 60),
    (190, 60, 30),
)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened on the way; `mark` is one letter for the terminal."""

    at: datetime
    mark: str
    says: str


@dataclass(frozen=True, slots=True)
class Curve:
    """What is drawn: points, events, the present and the floor."""

    title: str
    points: Sequence[Point]
    events: Sequence[Event]
    now: datetime
    floor: float


def terminal(curve: Curve) -> str:
    """Return the curve as lines of text, events below it."""
    start, end = curve.points[0].at, curve.points[-1].at
    grid = [[" "] * COLUMNS for _ in range(ROWS)]
    present = _column(curve.now, start, end)
    for row in grid:
        if 0 <= present < COLUMNS:
            row[present] = faint(":")
    for point in curve.points:
        column = _column(point.at, start, end)
        row_number = round((1.0 - point.retention) * (ROWS - 1))
        grid[row_number][min(COLUMNS - 1, column)] = "*"
    lines = [strong(curve.title)]
    for number, cells in enumerate(grid):
        share = round(100 * (1 - number / (ROWS - 1)))
        label = f"{share:>4}% " if number % 3 == 0 or number == ROWS - 1 else " " * 6
        lines.append(label + "|" + "".join(cells).rstrip())
    lines.append(" " * 6 + "+" + "-" * COLUMNS)
    marks = [" "] * COLUMNS
    for event in curve.events:
        column = _column(event.at, start, end)
        if 0 <= column <= COLUMNS:
            marks[min(COLUMNS - 1, column)] = event.mark
    lines.append(" " * 7 + "".join(marks).rstrip())
    dates = f"{start:%Y-%m-%d}", f"{end:%Y-%m-%d}"
    lines.append(" " * 7 + dates[0] + dates[1].rjust(COLUMNS - len(dates[0])))
    lines += [
        f"       {event.mark} {event.at:%Y-%m-%d %H:%M}  {event.says}" for event in curve.events
    ]
    return "\n".join(lines)


def png(curve: Curve) -> bytes:
    """Return the curve as a PNG image."""
    canvas = Canvas(WIDTH, HEIGHT)
    start, end = curve.points[0].at, curve.points[-1].at
    across, down = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def x(moment: datetime) -> int:
        return _LEFT + round(across * ((moment - start) / (end - start)))

    def y(share: float) -> int:
        return _TOP + round(down * (1 - share))

    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        canvas.line((_LEFT, y(share)), (WIDTH - _RIGHT, y(share)), GRID)
        canvas.text((12, y(share) - 3), f"{round(share * 100)}%", INK)
    canvas.line((_LEFT, y(curve.floor)), (WIDTH - _RIGHT, y(curve.floor)), NOW, dashed=True)
    if start <= curve.now <= end:
        canvas.line((x(curve.now), _TOP), (x(curve.now), _TOP + down), NOW, dashed=True)
        canvas.text((x(curve.now) + 4, _TOP + 2), "now", NOW)
    for event in curve.events:
        if start <= event.at <= end:
            canvas.line((x(event.at), _TOP + down), (x(event.at), _TOP + down + 8), USE)
            canvas.text((x(event.at) - 2, _TOP + down + 11), event.mark, USE)
    places = [(x(point.at), y(point.retention)) for point in curve.points]
    for one, two in pairwise(places):
        canvas.line(one, two, CURVE, thick=True)
    canvas.text((_LEFT, 12), curve.title, INK)
    canvas.text((_LEFT, HEIGHT - 18), f"{start:%Y-%m-%d}", INK)
    canvas.text((WIDTH - _RIGHT - 66, HEIGHT - 18), f"{end:%Y-%m-%d}", INK)
    return canvas.png()


def _column(moment: datetime, start: datetime, end: datetime) -> int:
    return round((COLUMNS - 1) * ((moment - start) / (end - start)))
