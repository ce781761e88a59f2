"""Where the sections of an exported file begin, and what stands before the first. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

HEADING = "## "
MARK = re.compile(r"^<!-- helix: ([0-9a-f]{16}) .*-->$")
_FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_FRONT = re.compile(r"\A---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*\n\s*")


class Cut(NamedTuple):
    """A file in parts: what an editor put first, what stands in no section, the sections."""

    front: str
    before: str
    sections: tuple[str, ...]


def cut(text: str) -> Cut:
    """Return a file cut at its headings; a line in a block of code is no heading."""
    front, lines = _front(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    starts = [*_starts(lines), len(lines)]
    sections = ("\n".join(lines[a:b]) for a, b in pairwise(starts))
    return Cut(front, "\n".join(lines[: starts[0]]), tuple(sections))


def _front(text: str) -> tuple[str, list[str]]:
    found = _FRONT.match(text)
    front = found[0] if found else ""
    return front, text[len(front) :].split("\n")


def _starts(lines: Sequence[str]) -> list[int]:
    marked = [number for number in range(len(lines)) if _is_marked(lines, number)]
    # A block of code that a memory never closes must not swallow the memories after it.
    edges = [0, *marked, len(lines)]
    spans = pairwise(edges)
    return sorted({*marked, *(each for a, b in spans for each in _outside(lines, a, b))})


def _is_marked(lines: Sequence[str], number: int) -> bool:
    if not lines[number].startswith(HEADING):
        return False
    below = (lines[each].strip() for each in range(number + 1, len(lines)))
    return MARK.match(next(filter(None, below), "")) is not None


def _outside(lines: Sequence[str], start: int, end: int) -> Iterator[int]:
    """Yield the headings that stand in no block of code."""
    never_closed: dict[str, int] = {}  # so that many of them are not looked for again and again
    number = start
    while number < end:
        fence = _FENCE.match(lines[number])
        if fence and len(fence[1]) < never_closed.get(fence[1][0], len(lines[number]) + 1):
            after = _end_of(fence[1], lines, number + 1, end)
            if after is None:
                never_closed[fence[1][0]] = len(fence[1])
            else:
                number = after
        elif lines[number].startswith(HEADING):
            yield number
        number += 1


def _end_of(fence: str, lines: Sequence[str], start: int, end: int) -> int | None:
    for number in range(start, end):
        closing = _FENCE.match(lines[number])
        if closing and not closing[2].strip() and closing[1].startswith(fence):
            return number
    return None
