"""Moments as people type them: ISO 8601, or a word or two reckoned from now."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from helix.model.errors import BadInput
from helix.model.moment import as_moment

_WORDS = {"now": 0, "today": 0, "yesterday": -1, "tomorrow": 1}
_COUNT = r"(\d{1,6}|an?) (minute|hour|day|week|month|year)s?"
_AGO = re.compile(rf"{_COUNT} ago")
_AHEAD = re.compile(rf"in {_COUNT}")
_LONG = {
    "minute": timedelta(minutes=1), "hour": timedelta(hours=1), "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}  # fmt: skip


def moment_from(text: str, now: datetime) -> datetime:
    """Return the moment meant, or raise `BadInput`.

    Days have 24 hours, counted from `now`, so `today` is now and what was recorded this
    morning is part of it; a month ago is the same day of the month, or its last. A bare date
    is its first instant, in UTC, as everywhere in Helix.
    """
    words = " ".join(text.lower().split())
    try:
        found = _reckoned(words, now)
    except (OverflowError, ValueError):  # before the first year, or after the last
        raise _unreadable(text) from None
    return _iso(text) if found is None else found


def _reckoned(words: str, now: datetime) -> datetime | None:
    if words in _WORDS:
        return now + timedelta(days=_WORDS[words])
    ahead = _AHEAD.fullmatch(words)
    found = ahead or _AGO.fullmatch(words)
    if found is None:
        return None
    count = (1 if ahead else -1) * (1 if found[1] in {"a", "an"} else int(found[1]))
    if found[2] in _LONG:
        return now + count * _LONG[found[2]]
    return _months_on(now, count * (12 if found[2] == "year" else 1))


def _months_on(now: datetime, months: int) -> datetime:
    from calendar import monthrange  # `recall` does not wait for it

    year, month = divmod(now.year * 12 + now.month - 1 + months, 12)
    last = monthrange(year, month + 1)[1]
    return now.replace(year=year, month=month + 1, day=min(now.day, last))


def _iso(text: str) -> datetime:
    try:
        return as_moment(text)
    except BadInput:
        raise _unreadable(text) from None


def _unreadable(text: str) -> BadInput:
    return BadInput(
        f"{text!r} is not a date or time",
        code="unreadable_moment",
        remedy="write 2026-05-14, 2026-05-14T10:32:00Z, yesterday, `2 weeks ago` or `in 3 hours`",
    )


def moment(text: str) -> datetime:
    """Return the moment meant by an option; the one place in the door that reads the clock."""
    return moment_from(text, datetime.now(UTC))
