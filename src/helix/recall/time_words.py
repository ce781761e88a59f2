"""When a question means: "last week", "in March 2025", "since Monday", in UTC.

Each expression becomes a half-open span [start, end) as seen from a given moment. Questions
to a memory look back, so an expression without a direction ("on Monday", "in March") means
the latest one that has begun. Spans say where to look, not what is true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache
from itertools import islice

from helix.model.frozen import dataclass
from helix.recall.dates import EARLIEST, LATEST, Bounds, in_utc, shifted, third, week, widened
from helix.recall.time_forms import Moment, moments
from helix.recall.time_meanings import COUNT, MONTH, SEASON, WEEKDAY, ago, stretch
from helix.rules.patterns import lazy
from helix.rules.vocabulary import listed

SPANS_LIMIT = 16
"""Spans taken from one question; a pasted log has one on every line."""

_LETTERS_READ = 4_000
_LOOK_BACK = 40  # letters before an expression, enough for "a couple of weeks prior to the "

_LETTERS = lazy(r"[a-z]+")
_YEAR = lazy(r"(?:19|20)\d\d")
_TIME_WORDS = frozenset((*MONTH, *WEEKDAY, *SEASON, "q")) | listed(
    "afternoon ago back decade decades evening fortnight hour hours minute minutes month months"
    " morning night quarter quarters today tomorrow tonight week weekend weeks year years yesterday"
    " day days"
)

_RANGE = lazy(r",? ?(?:to|through|thru|until|till|-|\u2013|\u2014) ?(?:the )?", re.IGNORECASE)
_PAIR = lazy(r",? and (?:the )?", re.IGNORECASE)
_LONGEST_JOINT = 16
_BETWEEN = lazy(r"\bbetween (?:the )?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time that a question means, with the words that said so.

    `start` is in it, `end` is not; an open end is the first or last moment of the calendar.
    """

    start: datetime
    end: datetime
    text: str


def spans(question: str, now: datetime) -> tuple[Span, ...]:
    """Return the stretches of time a question speaks of, in order of appearance.

    At most `SPANS_LIMIT`, read from the beginning of a long question.
    """
    text, now = question[:_LETTERS_READ], in_utc(now)
    if _TIME_WORDS.isdisjoint(_LETTERS.findall(text.lower())) and not _YEAR.search(text):
        return ()
    found: list[Span] = []
    ended = 0
    for first, last in _ranges(text):
        bounds = _bounds(first, last, now)
        if bounds is not None:
            start, bounds = _modified(text[ended : first.start], first, last, bounds)
            found.append(Span(*bounds, text[start : last.end]))
        ended = last.end
    return tuple(found[:SPANS_LIMIT])


def _ranges(text: str) -> Iterator[tuple[Moment, Moment]]:
    """Yield each moment with itself, or with the moment that a range runs to."""
    first: Moment | None = None
    for moment in islice(moments(text), 2 * SPANS_LIMIT):
        if first is None:
            first = moment
        elif _joins(text, first, moment):
            yield first, moment
            first = None
        else:
            yield first, first
            first = moment
    if first is not None:
        yield first, first


def _joins(text: str, first: Moment, second: Moment) -> bool:
    if second.start - first.end > _LONGEST_JOINT:
        return False
    joint = text[first.end : second.start]
    if _PAIR.fullmatch(joint):
        return _BETWEEN.search(text[max(0, first.start - _LOOK_BACK) : first.start]) is not None
    return _RANGE.fullmatch(joint) is not None


def _bounds(first: Moment, last: Moment, now: datetime) -> Bounds | None:
    begin, end = first.meaning(now), last.meaning(now)
    if begin is None or end is None:
        return begin or end
    if begin[0] > end[0]:  # "March" of "between March and May 2024" is that year's
        begin = first.meaning(end[0]) or begin
    return min(begin[0], end[0]), max(begin[1], end[1])


@cache
def _modifier() -> re.Pattern[str]:
    """Return the pattern of what may stand before an expression and changes it."""
    hows = "|".join(map(re.escape, sorted(_MODIFIED, key=len, reverse=True)))
    counts = "|".join((*_THE, *COUNT))
    return lazy(
        rf"(?:\b(?P<n>\d{{1,4}}|{counts})(?: of)? (?P<u>day|week|month|year)s? )?"
        rf"\b(?P<how>{hows})[ -](?:the )?$",
        re.IGNORECASE | re.ASCII,
    )


def _modified(before: str, first: Moment, last: Moment, bounds: Bounds) -> tuple[int, Bounds]:
    """Return where the expression begins with its modifiers, and what they make of it."""
    start = first.start
    for _ in range(_MOST_MODIFIERS):
        before = before[-_LOOK_BACK:]
        if not before.lower().endswith(_ENDINGS):
            break  # nearly always, and far cheaper than the pattern
        match = _modifier().search(before)
        if match is None:
            break
        how = match["how"].lower()
        counted = match["n"] is not None and how in _OFFSETS
        if how in _OF_RANGES and first is last:
            break
        if counted:
            bounds = _offset(bounds, match["n"].lower(), match["u"].lower(), how)
        else:
            bounds = _MODIFIED[how](bounds)
        cut = match.start() if counted else match.start("how")
        start -= len(before) - cut
        before = before[:cut]
    return start, bounds


def _offset(bounds: Bounds, count: str, unit: str, how: str) -> Bounds:
    """Return the time some units before or after a span: "two days after 8 May".

    "The week before" it is all of that week; "a week before" is a day, or a few.
    """
    parts = {"n": count, "u": unit, "on": "on" if how in _AFTER else ""}
    if count in _THE:
        return stretch(parts, bounds)
    if how in _AFTER:
        return ago(parts, shifted(bounds[1], timedelta(days=-1)))
    return ago(parts, bounds[0])


_THE = ("the last", "the next", "the", "last", "next")
_AFTER = ("after", "following")
_OFFSETS = ("before", "prior to", *_AFTER)
_OF_RANGES = ("between", "from")
_MOST_MODIFIERS = 3  # "since around early March"


def _part(which: int) -> Callable[[Bounds], Bounds]:
    return lambda bounds: third(bounds, which)


def _before(bounds: Bounds) -> Bounds:
    return EARLIEST, bounds[0]


def _until(bounds: Bounds) -> Bounds:
    return EARLIEST, bounds[1]


def _after(bounds: Bounds) -> Bounds:
    return bounds[1], LATEST


def _since(bounds: Bounds) -> Bounds:
    return bounds[0], LATEST


def _week_of(bounds: Bounds) -> Bounds:
    return week(bounds[0])


def _as_it_is(bounds: Bounds) -> Bounds:
    return bounds


_MODIFIED: dict[str, Callable[[Bounds], Bounds]] = {
    "before": _before, "prior to": _before,
    "until": _until, "till": _until, "up to": _until, "by": _until,
    "after": _after, "following": _after,
    "since": _since,
    "around": widened, "circa": widened, "roughly": widened, "approximately": widened,
    "early": _part(0), "early in": _part(0), "beginning of": _part(0), "start of": _part(0),
    "mid": _part(1), "middle of": _part(1),
    "late": _part(2), "late in": _part(2), "end of": _part(2),
    "week of": _week_of,
    "between": _as_it_is, "from": _as_it_is,
}  # fmt: skip
_ENDINGS = tuple(how + mark for how in _MODIFIED for mark in (" ", "-", " the "))
