"""A long text, cut so that signs add up only where they stand near one another.

A book holds one of everything: with all signs in one sum, three of twelve pieces of 100,000
letters of honest coding sessions were held back. So a text is judged by its worst window.
"""

from __future__ import annotations

from collections.abc import Iterator

WINDOW = 40_000
"""Letters that are judged as one text; set where honest texts do not yet add up to a mark."""

OVERLAP = 4_000
"""Letters that two windows share, so that an order no longer than that is whole in one."""


def windows(text: str) -> Iterator[str]:
    """Yield a text in pieces of `WINDOW` letters; each begins `OVERLAP` before the last ends."""
    yield text[:WINDOW]
    for start in range(WINDOW - OVERLAP, len(text) - OVERLAP, WINDOW - OVERLAP):
        yield text[start : start + WINDOW]
