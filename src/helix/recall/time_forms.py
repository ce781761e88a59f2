"""The forms a single time expression takes in English.

Finds expressions one by one; how they combine ("between A and B", "since A") is for
`helix.recall.time_words`. Words that only sometimes mean a time ("may", "march", "fall",
"sat", "2000") need the company that gives them that meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import NamedTuple

from helix.recall import time_meanings as meanings
from helix.recall.dates import Bounds
from helix.recall.time_meanings import (
    COUNT,
    HOURS,
    MONTH,
    NTH,
    ORDINAL,
    SEASON,
    WAY,
    WEEKDAY,
    Words,
)
from helix.rules.patterns import lazy
from helix.rules.vocabulary import MONTHS, WEEKDAYS, listed


class Moment(NamedTuple):
    """A time expression in a question: where it stands, and what it means when asked."""

    start: int
    end: int
    meaning: Callable[[datetime], Bounds | None]


def _any(words: Mapping[str, object]) -> str:
    """Return a pattern for one of some words; most positions are ruled out by a first letter."""
    letters = "".join(sorted({word[0] for word in words}))
    return f"(?=[{letters}])(?:{'|'.join(sorted(words, key=len, reverse=True))})"


_M = rf"(?P<m>{_any(MONTH)}\b\.?)"
_Y = r"(?P<y>(?:19|20)\d\d)(?![\d-])"
_D = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?(?![\d:])"
_N = rf"(?:an? )?(?P<n>\d{{1,4}}|{_any(COUNT)})(?: of)?"
_U = r"(?P<u>minute|hour|day|week|fortnight|month|quarter|year|decade)s?"
_PART = rf"(?: (?P<part>{_any(HOURS)}))?"

_FORMS: dict[str, tuple[str, Callable[[Words, datetime], Bounds | None]]] = {
    "iso_day": (
        r"(?P<y>(?:19|20)\d\d)[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?!\d)",
        meanings.written_date,
    ),
    "slashed": (r"(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>(?:19|20)\d\d)(?!\d)", meanings.slashed_date),
    "nth_of_month": (
        rf"(?:the )?(?P<nth>{_any(NTH)}) (?P<u>week|weekend|half|{_any(WEEKDAY)})"
        rf" (?:of|in) {_M}(?:,? (?:of )?{_Y})?",
        meanings.nth_of_month,
    ),
    "iso_month": (r"(?P<y>(?:19|20)\d\d)-(?P<m>0[1-9]|1[0-2])(?![\d-])", meanings.month),
    "day_month": (rf"{_D} (?:of )?{_M}(?:,? {_Y})?", meanings.written_date),
    "month_day": (rf"{_M} (?:the )?{_D}(?:,? {_Y})?", meanings.written_date),
    "month_year": (rf"{_M},? (?:of )?{_Y}", meanings.month),
    "way_month": (rf"(?P<way>{_any(WAY)}) {_M}", meanings.month),
    "month": (_M, meanings.month),
    "year_quarter": (r"(?P<y>(?:19|20)\d\d)[ -]?q(?P<q>[1-4])", meanings.quarter),
    "quarter_year": (rf"q(?P<q>[1-4])(?: of|,)?[ /-]?{_Y}", meanings.quarter),
    "quarter": (r"q(?P<q>[1-4])", meanings.quarter),
    "nth_quarter": (rf"(?P<q>{_any(ORDINAL)}) quarter of {_Y}", meanings.quarter),
    "season": (
        rf"(?:(?P<way>{_any(WAY)}) )?(?P<s>{_any(SEASON)})(?:(?: of|,)? {_Y})?",
        meanings.season,
    ),
    "ago": (rf"{_N} {_U} (?:ago|back|(?P<on>from now))", meanings.ago),
    "rolling": (
        rf"(?:the )?(?P<way>last|past|previous|next|coming) {_N} {_U}",
        meanings.rolling,
    ),
    "rolling_unit": (rf"(?:the (?P<way>last|past)|past) {_U}", meanings.rolling),
    "unit": (
        rf"(?P<way>{_any(WAY)}) (?P<u>weekend|week|month|quarter|year|decade)",
        meanings.calendar_unit,
    ),
    "weekend": (r"(?:the|over the|on the) weekend", meanings.the_weekend),
    "last_night": (r"last night", meanings.last_night),
    "today_part": (rf"tonight|this (?P<part>{_any(HOURS)})", meanings.part_of_today),
    "near_day": (
        rf"(?:(?:the )?day (?P<far>before|after) )?(?P<day>today|yesterday|tomorrow){_PART}",
        meanings.near_day,
    ),
    "weekday": (
        rf"(?:(?P<way>on|{_any(WAY)}) )?(?P<w>{_any(WEEKDAY)})\b{_PART}",
        meanings.weekday,
    ),
    "decade": (r"(?P<y>(?:19|20)\d)0s", meanings.decade),
    "year": (_Y, meanings.year),
}


_FLAGS = re.IGNORECASE | re.ASCII  # with ASCII, no letter beyond it counts as another case
_GROUP_NAME = lazy(r"\?P<\w+>")


@cache
def _every() -> re.Pattern[str]:
    """Return the pattern of all forms, compiled when a question first speaks of time.

    It costs milliseconds, and a hook that asks no such question should not pay for them.
    """
    forms = (f"(?P<{name}>{_GROUP_NAME.sub('?:', form)})" for name, (form, _) in _FORMS.items())
    return lazy(rf"(?<![\w.$/])(?<!\d-)(?:{'|'.join(forms)})(?![\w$])", _FLAGS)


@cache
def _form(name: str) -> re.Pattern[str]:
    return lazy(_FORMS[name][0], _FLAGS)


_LOOK_BACK = 16  # letters, enough for "throughout the "
_LED = lazy(
    r"\b(?:in|since|before|after|until|till|by|of|from|during|through|throughout|around|between"
    r"|early|mid|late|circa|year|last|this|next)(?: the)?[ -]$",
    re.IGNORECASE,
)
_LED_DAY = lazy(r"\b(?:since|before|after|until|till|by|from|between) $", re.IGNORECASE)
_JOINED = lazy(r",? ?(?:and|or|to|through|until|-|\u2013|,) ?", re.IGNORECASE)
_LONGEST_JOINT = 10
_ENDS_HERE = lazy(r"\s*(?:[?.!,;)]|$)")
_FRAMEWORK = lazy(r" (?:batch|boot|cloud|data|framework|mvc|security)\b", re.IGNORECASE)
_THINGS = lazy(
    r" ?(?:bits?|bytes|calls|characters|chars|commits|connections|documents|dollars|entries|errors"
    r"|events|files|items|iterations|jobs|kb|lines|mb|messages|ms|people|px|queries|records"
    r"|requests|rows|seconds|steps|tests|times|tokens|users|words)\b",
    re.IGNORECASE,
)
_FROM_A_DATE = lazy(
    rf" (?:before|prior to|after|following) (?:the )?(?:\d|{_any(MONTH)}\b)", _FLAGS
)
_VERBS_TOO = listed("may march mar")
_SURE_MONTHS = frozenset(MONTHS) - _VERBS_TOO
_SURE_WEEKDAYS = frozenset(WEEKDAYS)


class _Parts(dict[str, str]):
    """The named parts of a match; what it leaves out, or has no name for, is empty."""

    def __missing__(self, key: str) -> str:
        return ""


def moments(text: str) -> Iterator[Moment]:
    """Yield the time expressions of a text, in order; they do not overlap."""
    ended = -_LONGEST_JOINT
    for match in _every().finditer(text):
        name = match.lastgroup or ""
        inner = _form(name).fullmatch(match[0])
        if inner is None:
            continue
        parts = _Parts({k: v.lower() for k, v in inner.groupdict().items() if v})
        gap = text[ended : match.start()] if match.start() - ended <= _LONGEST_JOINT else ""
        joined = ended > 0 and _JOINED.fullmatch(gap) is not None
        if joined or _is_time(name, parts, match):
            ended = match.end()
            yield Moment(match.start(), ended, _bound(_FORMS[name][1], parts))


def _bound(
    meaning: Callable[[Words, datetime], Bounds | None], parts: Words
) -> Callable[[datetime], Bounds | None]:
    return lambda now: meaning(parts, now)


def _is_time(name: str, parts: Words, match: re.Match[str]) -> bool:
    check = _CHECKS.get(name)
    return check is None or check(parts, match)


def _led(match: re.Match[str], by: re.Pattern[str] = _LED) -> bool:
    before = match.string[max(0, match.start() - _LOOK_BACK) : match.start()]
    return by.search(before) is not None


def _ends_here(match: re.Match[str]) -> bool:
    return _ENDS_HERE.match(match.string, match.end()) is not None


def _month_meant(parts: Words, match: re.Match[str]) -> bool:
    if parts["m"] in _SURE_MONTHS or _led(match):
        return True
    # "the May release": after an article, a capital cannot be the verb's.
    before = match.string[max(0, match.start() - _LOOK_BACK) : match.start()]
    return match[0][0].isupper() and before.lower().endswith(("the ", "our ", "my "))


def _day_and_month_meant(parts: Words, match: re.Match[str]) -> bool:
    """Tell "8 May" from "at least 3 may fail"."""
    if parts["m"] not in _VERBS_TOO or parts["y"] or parts["m"] not in match[0]:
        return True
    return _ends_here(match) or not match[0].split()[0].isdecimal() or _led(match)


def _way_month_meant(parts: Words, match: re.Match[str]) -> bool:
    return parts["m"] != "may" or parts["way"] != "this" or _ends_here(match)


def _season_meant(parts: Words, match: re.Match[str]) -> bool:
    if _FRAMEWORK.match(match.string, match.end()):
        return False
    return bool(parts["way"] or parts["y"]) or _led(match)


def _weekday_meant(parts: Words, match: re.Match[str]) -> bool:
    return parts["w"] in _SURE_WEEKDAYS or bool(parts["way"]) or _led(match, _LED_DAY)


def _year_meant(parts: Words, match: re.Match[str]) -> bool:
    return _led(match) and not _THINGS.match(match.string, match.end())


def _counts_from_now(_: Words, match: re.Match[str]) -> bool:
    """Tell "last week" from "last week before 23 January", which counts from that day."""
    return _FROM_A_DATE.match(match.string, match.end()) is None


_CHECKS: dict[str, Callable[[Words, re.Match[str]], bool]] = {
    "month": _month_meant,
    "day_month": _day_and_month_meant,
    "way_month": _way_month_meant,
    "quarter": lambda _, match: _led(match),
    "season": _season_meant,
    "weekday": _weekday_meant,
    "year": _year_meant,
    "unit": _counts_from_now,
    "rolling_unit": _counts_from_now,
}
