"""Moments as people type them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from helix.doors.cli.moments import moment_from
from helix.model.errors import BadInput

NOW = datetime(2026, 5, 14, 10, 32, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("now", 0),
        ("today", 0),
        ("Yesterday", -1),
        ("tomorrow", 1),
        ("1 day ago", -1),
        ("  3  days ago ", -3),
        ("in 30 days", 30),
        ("3 weeks ago", -21),
        ("in a week", 7),
        ("an hour ago", -1 / 24),
        ("in 90 minutes", 1 / 16),
    ],
)
def test_words_count_days_from_now(text, days):
    assert moment_from(text, NOW) == NOW + timedelta(days=days)


@pytest.mark.parametrize(
    ("text", "said_on", "day"),
    [
        ("2 months ago", "2026-05-14", "2026-03-14"),
        ("a month ago", "2026-03-31", "2026-02-28"),
        ("in 1 month", "2026-12-31", "2027-01-31"),
        ("a year ago", "2024-02-29", "2023-02-28"),
        ("in 2 years", "2026-05-14", "2028-05-14"),
    ],
)
def test_months_and_years_go_by_the_calendar(text, said_on, day):
    """The same day of the month, or its last."""
    assert moment_from(text, datetime.fromisoformat(f"{said_on}T10:32+00:00")) == (
        datetime.fromisoformat(f"{day}T10:32+00:00")
    )


def test_iso_texts_mean_what_they_mean_everywhere():
    assert moment_from("2026-05-14", NOW) == datetime(2026, 5, 14, tzinfo=UTC)
    assert moment_from("2026-05-14T10:32:00+02:00", NOW) == NOW - timedelta(hours=2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "last week",
        "999999 days ago",
        "999999 years ago",
        "in 999999 months",
        "14.5.2026",
    ],
)
def test_anything_else_is_refused_with_a_remedy(text):
    with pytest.raises(BadInput) as caught:
        moment_from(text, NOW)
    assert caught.value.code == "unreadable_moment"
    assert "yesterday" in caught.value.remedy
