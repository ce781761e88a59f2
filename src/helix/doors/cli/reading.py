"""Reading what was typed or piped: texts, and attributes."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from helix.model.errors import BadInput

MOST_READ = 1 << 22
"""Bytes taken from a pipe: far more than is ever kept, and little enough to hold."""


def said(words: Sequence[str], what: str = "text") -> str:
    """Return the words joined or, without words or for `-`, what is piped in."""
    if not is_piped(words):
        return repaired(" ".join(words))
    if sys.stdin is None or (not words and sys.stdin.isatty()):
        raise _nothing(what)
    text = sys.stdin.buffer.read(MOST_READ).decode("utf-8-sig", "replace")
    if not text.strip():
        raise _nothing(what)
    return text


def is_piped(words: Sequence[str]) -> bool:
    """Return whether words leave it to standard input to say something."""
    return not words or tuple(words) == ("-",)


def repaired(text: str) -> str:
    """Return an argument as text, bytes that are not UTF-8 replaced by a visible mark."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def attributes(pairs: Iterable[str]) -> dict[str, object]:
    """Return `key=value` pairs as a table, or raise `BadInput`."""
    table: dict[str, object] = {}
    for pair in pairs:
        key, equals, value = repaired(pair).partition("=")
        if not (key.strip() and equals):
            raise BadInput(
                f"{pair!r} is not an attribute",
                code="unreadable_attribute",
                remedy="write --attribute key=value",
            )
        table[key.strip()] = value
    return table


def share(points: int | None) -> float | None:
    """Return an importance of 1 to 10 as Helix keeps it."""
    return None if points is None else points / 10


def _nothing(what: str) -> BadInput:
    return BadInput(
        f"no {what} was given",
        code="no_text",
        remedy=f"write the {what} after the command, or pipe it in",
    )
