"""The year as a picture: how much default retrieval holds, with the lifecycle and without."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from helix.doors.raster import Canvas, Colour

Series = tuple[str, list[int], list[int]]

WIDTH, ROW = 900, 190
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 28, 26
INK, GRID, OFF, ON = (40, 40, 40), (225, 225, 225), (190, 60, 30), (30, 90, 170)


def plot(series: Sequence[Series]) -> bytes:
    """Return a PNG with one panel per history."""
    canvas = Canvas(WIDTH, ROW * len(series))
    for number, (name, off, on) in enumerate(series):
        _panel(canvas, number * ROW, name, off, on)
    return canvas.png()


def _panel(canvas: Canvas, top: int, name: str, off: list[int], on: list[int]) -> None:
    most = max(*off, *on, 1)
    down, across = ROW - TOP - BOTTOM, WIDTH - LEFT - RIGHT
    base = top + TOP + down
    for share in (0.0, 0.5, 1.0):
        y = base - round(down * share)
        canvas.line((LEFT, y), (WIDTH - RIGHT, y), GRID)
        canvas.text((8, y - 3), f"{round(most * share)}", INK)
    canvas.text((LEFT, top + 10), name.replace("__", "/"), INK)
    canvas.text((LEFT + 330, top + 10), "without the lifecycle", OFF)
    canvas.text((LEFT + 530, top + 10), "with it", ON)
    for week in range(0, len(on), 13):
        canvas.text(
            (LEFT + round(across * week / (len(on) - 1)), base + 8), f"week {week + 1}", INK
        )
    _line(canvas, off, OFF, most, base)
    _line(canvas, on, ON, most, base)


def _line(canvas: Canvas, sizes: list[int], colour: Colour, most: int, base: int) -> None:
    down, across = ROW - TOP - BOTTOM, WIDTH - LEFT - RIGHT
    places = [
        (LEFT + round(across * week / (len(sizes) - 1)), base - round(down * size / most))
        for week, size in enumerate(sizes)
    ]
    for one, two in pairwise(places):
        canvas.line(one, two, colour, thick=True)
