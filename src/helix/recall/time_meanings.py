"""What each form of time expression means at a given moment.

An expression without a direction means the latest one that has begun: "March" in January is
last year's. "Last week" is the calendar week before this one; "the last week" and "the past
week" are the seven days up to now. A meaning is None when there is no such date.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from helix.recall.dates import Bounds, date, days, months, months_on, shifted, week, weekend
from helix.rules.vocabulary import ABBREVIATED_MONTHS, MONTHS, WEEKDAYS

Words = Mapping[str, str]
"""The parts of an expression, lower-cased; "" for what it leaves out."""

MONTH = {month: number for number, month in enumerate(MONTHS, 1)}
MONTH |= {short: MONTH[full] for short, full in ABBREVIATED_MONTHS.items()}
WEEKDAY = {day: number for number, day in enumerate(WEEKDAYS)}
WEEKDAY |= {day[:3]: number for number, day in enumerate(WEEKDAYS)}
WEEKDAY |= {"tues": 1, "thur": 3, "thurs": 3}
SEASON = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
ORDINAL = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
NTH = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1, "final": -1,
    "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5,
}  # fmt: skip
COUNT = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "couple": 2, "few": 3,
    "several": 4,
}  # fmt: skip
WAY = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
HOURS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}
_MONTHS_IN = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_DAYS_IN = {"day": 1, "week": 7, "fortnight": 14}


def written_date(words: Words, now: datetime) -> Bounds | None:
    """Return the day of a month, in the year given or the latest one in which it has come."""
    month = _month_number(words["m"])
    day = int(words["d"])
    if words["y"]:
        return date(int(words["y"]), month, day)
    # The 29th of February may be eight years back.
    for year in range(now.year, max(now.year - 9, 0), -1):
        found = date(year, month, day)
        if found and found[0] <= now:
            return found
    return None


def slashed_date(words: Words, now: datetime) -> Bounds | None:
    """Return the day of 13/05/2023 or 05/13/2023; None for 05/08/2023, which is two days."""
    first, second = int(words["a"]), int(words["b"])
    if (first > 12) == (second > 12):  # noqa: PLR2004 - 05/08 is in May or in August
        return None
    month, day = (second, first) if first > second else (first, second)
    return date(int(words["y"]), month, day)


def month(words: Words, now: datetime) -> Bounds | None:
    """Return a month of the year given, or the latest, this year's, the last or the next."""
    month = _month_number(words["m"])
    if words["y"]:
        return months(int(words["y"]), month) if 1 <= month <= 12 else None  # noqa: PLR2004
    way = WAY.get(words["way"])
    if way == 0:
        return months(now.year, month)
    if way == 1:
        return months(now.year + (month <= now.month), month)
    before_now = month < now.month or (way is None and month == now.month)
    return months(now.year - (not before_now), month)


def nth_of_month(words: Words, now: datetime) -> Bounds | None:
    """Return a week, weekend, weekday or half of a month by its number, or the last one.

    Weeks of a month are its first seven days, the next seven, and so on; the last, its last.
    """
    whole = month(words, now)
    if whole is None:
        return None
    start, end = whole
    nth, unit = NTH[words["nth"]], words["u"]
    if unit == "half":
        middle = shifted(start, timedelta(days=15))
        return {1: (start, middle), 2: (middle, end), -1: (middle, end)}.get(nth)
    if unit == "week":
        begin = shifted(start if nth > 0 else end, timedelta(days=7 * nth - 7 * (nth > 0)))
        return (begin, min(days(begin, 7)[1], end)) if begin < end else None
    wanted = WEEKDAY.get(unit, WEEKDAY["saturday"])
    first = shifted(start, timedelta(days=(wanted - start.weekday()) % 7))
    such = [day for n in range(5) if (day := shifted(first, timedelta(days=7 * n))) < end]
    if nth > len(such):
        return None
    return days(such[nth - (nth > 0)], 2 if unit == "weekend" else 1)


def stretch(words: Words, bounds: Bounds) -> Bounds:
    """Return the unit that ends where a span begins, or begins where it ends."""
    if words["on"]:
        return bounds[1], _moved(bounds[1], words["u"], 1)
    return _moved(bounds[0], words["u"], -1), bounds[0]


def quarter(words: Words, now: datetime) -> Bounds | None:
    """Return three months, of the year given or the latest that have begun."""
    quarter = ORDINAL.get(words["q"]) or int(words["q"])
    first = quarter * 3 - 2
    year = int(words["y"]) if words["y"] else now.year - (first > now.month)
    return months(year, first, 3)


def season(words: Words, now: datetime) -> Bounds | None:
    """Return a season of the northern half of the world; winter begins in the year named."""
    first = SEASON[words["s"]]
    if words["y"]:
        return months(int(words["y"]), first, 3)
    way = WAY.get(words["way"])
    # The season that lasts may have begun last year: winter, in January.
    begun = now.year - (now.month < first)
    lasts = months(begun, first, 3)[1] > now
    if way == 1:
        return months(begun + 1, first, 3)
    if way == 0:
        return months(begun if lasts else now.year, first, 3)
    return months(begun - (way == -1 and lasts), first, 3)


def year(words: Words, now: datetime) -> Bounds | None:
    """Return a calendar year."""
    return months(int(words["y"]), 1, 12)


def decade(words: Words, now: datetime) -> Bounds | None:
    """Return ten years: the 1990s."""
    return months(int(words["y"] + "0"), 1, 120)


def ago(words: Words, now: datetime) -> Bounds:
    """Return the time around a moment some units back, or on, as wide as the unit is vague."""
    unit, count = words["u"], _number(words["n"])
    moment = _moved(now, unit, count if words["on"] else -count)
    if unit in _DAYS_IN:
        margin = (_DAYS_IN[unit] - 1) // 2
        start = days(shifted(moment, timedelta(days=-margin)))[0]
        return days(start, 2 * margin + 1)
    if unit in _MONTHS_IN:
        margin = min(_MONTHS_IN[unit] * 15, 183)  # half the unit, in days
        return days(shifted(moment, timedelta(days=-margin)), 2 * margin + 1)
    half = timedelta(minutes=30 if unit == "hour" else 5)
    return shifted(moment, -half), shifted(moment, half)


def rolling(words: Words, now: datetime) -> Bounds | None:
    """Return some units up to now or from now; in whole days when the unit is a day or more."""
    unit, count = words["u"], _number(words["n"] or "one")
    ahead = words["way"] in ("next", "coming")
    moment = _moved(now, unit, count if ahead else -count)
    if unit not in _DAYS_IN and unit not in _MONTHS_IN:
        return (now, moment) if ahead else (moment, now)
    return (days(now)[0], days(moment)[1]) if ahead else (days(moment)[0], days(now)[1])


def calendar_unit(words: Words, now: datetime) -> Bounds | None:
    """Return this, the last or the next week, weekend, month, quarter, year or decade."""
    unit, way = words["u"], WAY[words["way"]]
    if unit == "week":
        return week(now, way)
    if unit == "weekend":
        return weekend(now, way)
    if unit == "quarter":
        return months(now.year, (now.month - 1) // 3 * 3 + 1 + 3 * way, 3)
    if unit == "month":
        return months(now.year, now.month + way)
    if unit == "decade":
        return months(now.year // 10 * 10 + 10 * way, 1, 120)
    return months(now.year + way, 1, 12)


def the_weekend(words: Words, now: datetime) -> Bounds | None:
    """Return the latest weekend that has begun."""
    this = weekend(now)
    return this if this[0] <= now else weekend(now, -1)


def near_day(words: Words, now: datetime) -> Bounds | None:
    """Return today, yesterday, tomorrow or the day beyond, or a part of it."""
    offset = {"yesterday": -1, "tomorrow": 1}.get(words["day"], 0) + _FURTHER.get(words["far"], 0)
    return _part_of(shifted(now, timedelta(days=offset)), words["part"])


_FURTHER = {"before": -1, "after": 1}


def part_of_today(words: Words, now: datetime) -> Bounds | None:
    """Return this morning, this evening, tonight."""
    return _part_of(now, words["part"] or "night")


def last_night(words: Words, now: datetime) -> Bounds | None:
    """Return the night that ended this morning."""
    return _part_of(shifted(now, timedelta(days=-1)), "night")


def weekday(words: Words, now: datetime) -> Bounds | None:
    """Return the latest such day before today, or this week's, or the next one."""
    weekday, way = WEEKDAY[words["w"]], WAY.get(words["way"])
    ahead = (weekday - now.weekday() - 1) % 7 + 1  # 1 to 7 days
    if way == 0:
        offset = weekday - now.weekday()
    elif way == 1:
        offset = ahead
    else:
        offset = ahead - (14 if ahead == 7 else 7)  # noqa: PLR2004 - today's name means last week's
    return _part_of(shifted(now, timedelta(days=offset)), words["part"])


def _part_of(moment: datetime, part: str) -> Bounds:
    start, end = days(moment)
    if not part:
        return start, end
    first, last = HOURS[part]
    return shifted(start, timedelta(hours=first)), shifted(start, timedelta(hours=last))


def _moved(now: datetime, unit: str, count: int) -> datetime:
    if unit in _MONTHS_IN:
        return months_on(now, _MONTHS_IN[unit] * count)
    if unit in _DAYS_IN:
        return shifted(now, timedelta(days=_DAYS_IN[unit] * count))
    return shifted(now, timedelta(hours=count) if unit == "hour" else timedelta(minutes=count))


def _month_number(word: str) -> int:
    word = word.rstrip(".")
    return int(word) if word.isdecimal() else MONTH[word]


def _number(word: str) -> int:
    return int(word) if word.isdecimal() else COUNT[word]
