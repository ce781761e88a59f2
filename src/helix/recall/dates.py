"""Days, weeks, months and years as half-open spans of time, in UTC.

Arithmetic that would leave the calendar stops at its ends (`EARLIEST`, `LATEST`) instead of
failing: a question may ask for "9999 years ago".
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

Bounds = tuple[datetime, datetime]
"""From the first moment to just before the second."""

EARLIEST = datetime.min.replace(tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)
_MONTHS = 12
_LAST_MONTH = 9999 * _MONTHS + _MONTHS - 1  # counted from year 0, as `months` does


def in_utc(moment: datetime) -> datetime:
    """Return the same moment in UTC; a moment without a zone is taken as UTC already."""
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # the first and last hours of the calendar, seen from another zone
        return moment.replace(tzinfo=UTC)


def shifted(moment: datetime, by: timedelta) -> datetime:
    """Return a moment moved by a duration, at most to the ends of the calendar."""
    try:
        return moment + by
    except OverflowError:
        return LATEST if by > timedelta() else EARLIEST


def days(moment: datetime, count: int = 1) -> Bounds:
    """Return whole days from the one that contains a moment."""
    start = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return start, shifted(start, timedelta(days=count))


def date(year: int, month: int, day: int) -> Bounds | None:
    """Return one day, or None when there is no such date."""
    try:
        return days(datetime(year, month, day, tzinfo=UTC))
    except ValueError:
        return None


def week(moment: datetime, weeks_on: int = 0) -> Bounds:
    """Return the week, Monday to Sunday, that contains a moment, or one some weeks on."""
    monday = shifted(moment, timedelta(days=7 * weeks_on - moment.weekday()))
    return days(monday, 7)


def weekend(moment: datetime, weeks_on: int = 0) -> Bounds:
    """Return Saturday and Sunday of the week that contains a moment, or of one some weeks on."""
    saturday = shifted(moment, timedelta(days=7 * weeks_on + 5 - moment.weekday()))
    return days(saturday, 2)


def months(year: int, month: int, count: int = 1) -> Bounds:
    """Return whole months; `month` may run past 12 or below 1 into other years."""
    index = year * _MONTHS + month - 1
    return _first_of(index), _first_of(index + count)


def months_on(moment: datetime, count: int) -> datetime:
    """Return the same day some months on, or that month's last day when it is shorter."""
    start, end = months(moment.year, moment.month + count)
    return min(shifted(start, timedelta(days=moment.day - 1)), shifted(end, timedelta(days=-1)))


def third(bounds: Bounds, which: int) -> Bounds:
    """Return the first (0), middle (1) or last (2) third of a span; a short one stays whole."""
    start, end = bounds
    part = timedelta(days=(end - start).days // 3)
    if not part:
        return bounds
    if which == 0:
        return start, shifted(start, part)
    last = shifted(end, -part)
    return (last, end) if which > 1 else (shifted(start, part), last)


def widened(bounds: Bounds) -> Bounds:
    """Return a span with the margin that "around" gives it: half its length, 3 to 92 days."""
    start, end = bounds
    margin = min(max((end - start) / 2, timedelta(days=3)), timedelta(days=92))
    return shifted(start, -margin), shifted(end, margin)


def _first_of(index: int) -> datetime:
    if index < _MONTHS:
        return EARLIEST
    if index > _LAST_MONTH:
        return LATEST
    return datetime(index // _MONTHS, index % _MONTHS + 1, 1, tzinfo=UTC)
