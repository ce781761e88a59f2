"""Moments as people type them: ISO 8601, or a word or two reckoned from now."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from helix.model.errors import BadInput
from helix.model.moment import as_moment

_WORDS = {"now": 0, "today": 0, "yesterday": -1, "tomorrow": 1}
_AGO = re.compile(r"(\d{1,6}) days? ago")
_AHEAD = re.compile(r"in (\d{1,6}) days?")


def moment_from(text: str, now: datetime) -> datetime:
    """Return the moment meant, or raise `BadInput`.

    Words count whole days of 24 hours from `now`, so `today` is now and what was
    recorded this morning is part of it. A bare date is its first instant, in UTC, as
    everywhere in Helix.
    """
    words = " ".join(text.lower().split())
    days = _days(words)
    if days is None:
        return _iso(text)
    try:
        return now + timedelta(days=days)
    except OverflowError:
        raise _unreadable(text) from None


def _days(words: str) -> int | None:
    if found := _AGO.fullmatch(words):
        return -int(found[1])
    if found := _AHEAD.fullmatch(words):
        return int(found[1])
    return _WORDS.get(words)


def _iso(text: str) -> datetime:
    try:
        return as_moment(text)
    except BadInput:
        raise _unreadable(text) from None


def _unreadable(text: str) -> BadInput:
    return BadInput(
        f"{text!r} is not a date or time",
        code="unreadable_moment",
        remedy="write 2026-05-14, 2026-05-14T10:32:00Z, today, yesterday or `3 days ago`",
    )


def moment(text: str) -> datetime:
    """Return the moment meant by an option; the one place in the door that reads the clock."""
    return moment_from(text, datetime.now(UTC))
