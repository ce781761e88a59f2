"""A question's time expressions become spans of time, as seen from the moment of asking."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from helix.recall.time_words import SPANS_LIMIT, Span, spans

NOW = datetime(2025, 6, 18, 14, 30, tzinfo=UTC)  # a Wednesday
EVER, NEVER = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


def at(text: str) -> datetime:
    return {"ever": EVER, "never": NEVER}.get(text) or datetime.fromisoformat(text).replace(
        tzinfo=UTC
    )


@pytest.mark.parametrize(
    ("question", "start", "end", "words"),
    [
        # days
        ("what did we do today?", "2025-06-18", "2025-06-19", "today"),
        ("what broke yesterday?", "2025-06-17", "2025-06-18", "yesterday"),
        ("the deploy of the day before yesterday", "2025-06-16", "2025-06-17",
         "the day before yesterday"),
        ("what is due tomorrow?", "2025-06-19", "2025-06-20", "tomorrow"),
        ("what broke last night?", "2025-06-17T18:00", "2025-06-18T06:00", "last night"),
        ("this morning's standup", "2025-06-18T05:00", "2025-06-18T12:00", "this morning"),
        ("yesterday afternoon", "2025-06-17T12:00", "2025-06-17T18:00", "yesterday afternoon"),
        # weeks, months, years by the calendar
        ("what changed this week?", "2025-06-16", "2025-06-23", "this week"),
        ("what changed last week?", "2025-06-09", "2025-06-16", "last week"),
        ("plans for next week", "2025-06-23", "2025-06-30", "next week"),
        ("last month's decisions", "2025-05-01", "2025-06-01", "last month"),
        ("this month", "2025-06-01", "2025-07-01", "this month"),
        ("last year", "2024-01-01", "2025-01-01", "last year"),
        ("this year", "2025-01-01", "2026-01-01", "this year"),
        ("last quarter", "2025-01-01", "2025-04-01", "last quarter"),
        ("what happened last weekend?", "2025-06-14", "2025-06-16", "last weekend"),
        ("over the weekend", "2025-06-14", "2025-06-16", "over the weekend"),
        # up to now
        ("in the past week", "2025-06-11", "2025-06-19", "the past week"),
        ("bugs of the last week", "2025-06-11", "2025-06-19", "the last week"),
        ("in the last 10 days", "2025-06-08", "2025-06-19", "the last 10 days"),
        ("over the past few months", "2025-03-18", "2025-06-19", "the past few months"),
        ("the last couple of weeks", "2025-06-04", "2025-06-19", "the last couple of weeks"),
        ("in the last 2 hours", "2025-06-18T12:30", "2025-06-18T14:30", "the last 2 hours"),
        ("the next two weeks", "2025-06-18", "2025-07-03", "the next two weeks"),
        # ago
        ("what did we try 3 days ago?", "2025-06-15", "2025-06-16", "3 days ago"),
        ("two weeks ago", "2025-06-01", "2025-06-08", "two weeks ago"),
        ("a month ago", "2025-05-03", "2025-06-03", "a month ago"),
        ("an hour ago", "2025-06-18T13:00", "2025-06-18T14:00", "an hour ago"),
        ("three days from now", "2025-06-21", "2025-06-22", "three days from now"),
        # weekdays
        ("who was on call on Monday?", "2025-06-16", "2025-06-17", "on Monday"),
        ("last Friday", "2025-06-13", "2025-06-14", "last Friday"),
        ("on Wednesday", "2025-06-11", "2025-06-12", "on Wednesday"),
        ("this Thursday", "2025-06-19", "2025-06-20", "this Thursday"),
        ("next Tuesday", "2025-06-24", "2025-06-25", "next Tuesday"),
        ("on fri evening", "2025-06-13T18:00", "2025-06-14", "on fri evening"),
        # months
        ("what did we decide in March?", "2025-03-01", "2025-04-01", "March"),
        ("in June", "2025-06-01", "2025-07-01", "June"),
        ("in August", "2024-08-01", "2024-09-01", "August"),
        ("last June", "2024-06-01", "2024-07-01", "last June"),
        ("next April", "2026-04-01", "2026-05-01", "next April"),
        ("in March 2025", "2025-03-01", "2025-04-01", "March 2025"),
        ("the Sept. 2024 release", "2024-09-01", "2024-10-01", "Sept. 2024"),
        ("in may", "2025-05-01", "2025-06-01", "may"),
        ("the May outage", "2025-05-01", "2025-06-01", "May"),
        ("2024-11", "2024-11-01", "2024-12-01", "2024-11"),
        # dates
        ("8 May 2023", "2023-05-08", "2023-05-09", "8 May 2023"),
        ("the 8th of May, 2023", "2023-05-08", "2023-05-09", "8th of May, 2023"),
        ("May 8, 2023", "2023-05-08", "2023-05-09", "May 8, 2023"),
        ("what happened may 8", "2025-05-08", "2025-05-09", "may 8"),
        ("on December 24", "2024-12-24", "2024-12-25", "December 24"),
        ("February 29", "2024-02-29", "2024-03-01", "February 29"),
        ("2023-05-08", "2023-05-08", "2023-05-09", "2023-05-08"),
        ("2023/05/08", "2023-05-08", "2023-05-09", "2023/05/08"),
        ("13/05/2023", "2023-05-13", "2023-05-14", "13/05/2023"),
        # years, quarters, seasons, decades
        ("in 2022", "2022-01-01", "2023-01-01", "2022"),
        ("Q2 2024", "2024-04-01", "2024-07-01", "Q2 2024"),
        ("2024-Q3", "2024-07-01", "2024-10-01", "2024-Q3"),
        ("the goals for Q1, since Q4", "2024-10-01", "never", "since Q4"),
        ("the second quarter of 2024", "2024-04-01", "2024-07-01", "second quarter of 2024"),
        ("the summer of 2023", "2023-06-01", "2023-09-01", "summer of 2023"),
        ("winter 2023", "2023-12-01", "2024-03-01", "winter 2023"),
        ("last summer", "2024-06-01", "2024-09-01", "last summer"),
        ("next spring", "2026-03-01", "2026-06-01", "next spring"),
        ("in the 1990s", "1990-01-01", "2000-01-01", "1990s"),
        # combined
        ("between March and May 2024", "2024-03-01", "2024-06-01", "between March and May 2024"),
        ("between 2023-01-02 and 2023-02-03", "2023-01-02", "2023-02-04",
         "between 2023-01-02 and 2023-02-03"),
        ("from Monday to Tuesday", "2025-06-16", "2025-06-18", "from Monday to Tuesday"),
        ("May 3 - May 5, 2023", "2023-05-03", "2023-05-06", "May 3 - May 5, 2023"),
        ("before May 2023", "ever", "2023-05-01", "before May 2023"),
        ("until 2022", "ever", "2023-01-01", "until 2022"),
        ("by Friday", "ever", "2025-06-14", "by Friday"),
        ("after yesterday", "2025-06-18", "never", "after yesterday"),
        ("since last week", "2025-06-09", "never", "since last week"),
        ("since early March", "2025-03-01", "never", "since early March"),
        ("around 8 May 2023", "2023-05-05", "2023-05-12", "around 8 May 2023"),
        ("late 2023", "2023-09-02", "2024-01-01", "late 2023"),
        ("mid-August 2023", "2023-08-11", "2023-08-22", "mid-August 2023"),
        ("at the end of May", "2025-05-22", "2025-06-01", "end of May"),
        ("the week of 10 May 2023", "2023-05-08", "2023-05-15", "week of 10 May 2023"),
        ("two days after 8 May 2023", "2023-05-10", "2023-05-11", "two days after 8 May 2023"),
        ("the day before 8 May 2023", "2023-05-07", "2023-05-08", "the day before 8 May 2023"),
        ("the week before 16 May 2023", "2023-05-09", "2023-05-16", "the week before 16 May 2023"),
        ("finished last week before 16 May, 2023", "2023-05-09", "2023-05-16",
         "last week before 16 May, 2023"),
        ("the month after 8 May 2023", "2023-05-09", "2023-06-09", "the month after 8 May 2023"),
        # parts of a month, counted
        ("in the last week of August 2023", "2023-08-25", "2023-09-01",
         "the last week of August 2023"),
        ("the second week of March", "2025-03-08", "2025-03-15", "the second week of March"),
        ("first week in January 2023", "2023-01-01", "2023-01-08",
         "first week in January 2023"),
        ("the 3rd weekend of May 2025", "2025-05-17", "2025-05-19",
         "the 3rd weekend of May 2025"),
        ("the last weekend of May 2025", "2025-05-31", "2025-06-02",
         "the last weekend of May 2025"),
        ("on the first Monday of May 2025", "2025-05-05", "2025-05-06",
         "the first Monday of May 2025"),
        ("the last Friday in May 2025", "2025-05-30", "2025-05-31",
         "the last Friday in May 2025"),
        ("the second half of April 2025", "2025-04-16", "2025-05-01",
         "the second half of April 2025"),
    ],
)  # fmt: skip
def test_a_time_expression(question: str, start: str, end: str, words: str) -> None:
    assert spans(question, NOW) == (Span(at(start), at(end), words),)


@pytest.mark.parametrize(
    "question",
    [
        "it may fail, and this may break",
        "May I ask? may we march on?",
        "at least 3 may fail",
        "does Spring Boot run in spring boot mode?",
        "they sat in the sun",
        "will it fall back to the second node?",
        "in 2000 files and after 2024 requests",
        "port 2022, line 2001, version 2023.05.08, v2023-05",
        "Q1: what is the name?",
        "2023-13-45, Feb 30, 2023, 05/08/2023",
        "how many hours per week?",
        "the mondays of our lives",
        "who is Jan?",
        "which secondary index does it use?",
        "",
    ],
)
def test_not_a_time(question: str) -> None:
    assert spans(question, NOW) == ()


def test_several_expressions_come_in_order() -> None:
    found = spans("did last week differ from March 2024, or since 2022?", NOW)
    assert [span.text for span in found] == ["last week", "March 2024", "since 2022"]


def test_a_moment_in_another_zone_is_read_in_utc() -> None:
    evening_in_new_york = datetime(2025, 6, 18, 21, 0, tzinfo=timezone(timedelta(hours=-4)))
    (today,) = spans("today", evening_in_new_york)
    assert today.start == datetime(2025, 6, 19, tzinfo=UTC)
    assert spans("today", NOW.replace(tzinfo=None)) == spans("today", NOW)


def test_the_latest_month_may_be_last_year() -> None:
    january = datetime(2025, 1, 10, tzinfo=UTC)
    (march,) = spans("in March", january)
    assert march.start == datetime(2024, 3, 1, tzinfo=UTC)
    (winter,) = spans("this winter", january)
    assert winter.start == datetime(2024, 12, 1, tzinfo=UTC)
    (last,) = spans("last winter", january)
    assert last.start == datetime(2023, 12, 1, tzinfo=UTC)


def test_the_calendar_has_ends() -> None:
    assert spans("9999 years ago", NOW)[0].start == EVER
    assert spans("9000 years from now", NOW)[0].end == NEVER
    for moment in (EVER, NEVER):
        for question in ("today", "last week", "next year", "3 months ago", "last night"):
            for span in spans(question, moment):
                assert span.start <= span.end


def test_spans_are_bounded() -> None:
    assert len(spans(" or ".join(["2023-05-08"] * 99), NOW)) == SPANS_LIMIT


# --- properties ---------------------------------------------------------------------------

WORDS = st.sampled_from(
    """
    between and from to - , before after since until by around early mid late end of week the
    in on last next this past previous a an couple few 1 2 12 31 99 0 2023 1999 2024-02 2023-05-08
    8th may May March february jan mon Friday sunday spring fall winter Q2 quarter day days week
    weeks months year years hour minutes ago back yesterday today tomorrow tonight night morning
    weekend decade 1990s 05/13/2023 first second ? . \u017funday K İ
    """.split()  # noqa: SIM905 - a list of this length reads better as words
)
QUESTIONS = st.one_of(
    st.lists(WORDS, max_size=14).map(" ".join), st.lists(WORDS, max_size=8).map("".join), st.text()
)
MOMENTS = st.datetimes(timezones=st.just(UTC))


@given(QUESTIONS, MOMENTS)
@example("early 8 May 2023", NOW)
@example("between february 29 and last winter", EVER)
@example("99 days after next decade", NEVER)
def test_any_question_gives_ordered_bounded_spans(question: str, now: datetime) -> None:
    found = spans(question, now)
    assert len(found) <= SPANS_LIMIT
    position = 0
    for span in found:
        assert span.start <= span.end
        assert span.start.tzinfo is UTC
        assert span.end.tzinfo is UTC
        position = question.index(span.text, position) + len(span.text)
    assert found == spans(question, now)


@given(MOMENTS)
def test_what_has_no_direction_has_begun(now: datetime) -> None:
    for question in ("on Monday", "in March", "in the summer", "since Q3", "May 8"):
        for span in spans(question, now):
            assert span.start <= now or now.year == 1


@given(MOMENTS)
def test_last_this_and_next_are_neighbours(now: datetime) -> None:
    for unit in ("week", "month", "quarter", "year"):
        last, this, after = (spans(f"{way} {unit}", now)[0] for way in ("last", "this", "next"))
        assert this.start <= now < this.end or this.end == NEVER
        assert last.end == this.start
        assert this.end in {after.start, NEVER}


@pytest.mark.parametrize(
    "unit",
    [
        "a", "1", "2023", "2023-05-08 ", "may ", "last ", "the last ", "between ", "and ", " ",
        "a couple of ", "week of ", "monday ", "12/", "19", "since early ", "q1 ", "\n", "é",
        "8 may ",
    ],
)  # fmt: skip
def test_a_hundred_thousand_hostile_letters_take_linear_time(unit: str) -> None:
    hostile = (unit * 100_000)[:100_000]
    started = time.perf_counter()
    spans(hostile, NOW)
    spans(hostile + " last week", NOW)
    assert time.perf_counter() - started < 5
