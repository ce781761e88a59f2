"""Moments: aware UTC datetimes, kept to the microsecond.

One convention for every time in Helix, whichever axis it stands on. Reading the real
clock is the business of the `Clock` port.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from helix.model.errors import BadInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

FIRST_MOMENT = datetime.min.replace(tzinfo=UTC)
"""Before everything: for things that were always true."""


LAST_MOMENT = datetime.max.replace(tzinfo=UTC)
"""The end of the calendar."""


def to_micros(moment: datetime) -> int:
    """Return whole microseconds since 1970, the form in which stores keep moments."""
    return (moment - EPOCH) // _MICROSECOND


@lru_cache(maxsize=1024)
def from_micros(micros: int) -> datetime:
    """Return the moment that `to_micros` turned into a number.

    A memory is recorded, true and believed from the same moment as a rule: made once.
    """
    return EPOCH + timedelta(microseconds=micros)


def next_moment(moment: datetime) -> datetime:
    """Return the earliest moment after this one."""
    return moment + _MICROSECOND


def moved(moment: datetime, by: timedelta) -> datetime:
    """Return the moment so much later or earlier, or the end of the calendar on that side."""
    try:
        return moment + by
    except OverflowError:
        return FIRST_MOMENT if by < timedelta(0) else LAST_MOMENT


def last_moment_before(moment: datetime) -> datetime:
    """Return the latest moment before this one; the first of all has none and is returned."""
    return moment if moment <= FIRST_MOMENT else moment - _MICROSECOND


def as_moment(value: datetime | date | str) -> datetime:
    """Return an aware UTC moment for a datetime, a date or ISO 8601 text.

    A value without a zone is taken as UTC and a bare date as its first instant, so
    that the same words mean the same moment on every machine.
    """
    if isinstance(value, str):
        value = _parse(value)
    if not isinstance(value, datetime):
        value = datetime.combine(value, time.min)
    if value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    try:
        return value.astimezone(UTC)
    except OverflowError as error:
        raise _unreadable(str(value)) from error


def text_of(moment: datetime) -> str:
    """Return the moment as ISO 8601 with a trailing Z."""
    return moment.isoformat().replace("+00:00", "Z")


def _parse(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise _unreadable(text) from error


def _unreadable(text: str) -> BadInput:
    return BadInput(
        f"{text!r} is not a date or time",
        code="unreadable_moment",
        remedy="write 2026-05-14 or 2026-05-14T10:32:00Z",
    )
