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
    ],
)
def test_words_count_days_from_now(text, days):
    assert moment_from(text, NOW) == NOW + timedelta(days=days)


def test_iso_texts_mean_what_they_mean_everywhere():
    assert moment_from("2026-05-14", NOW) == datetime(2026, 5, 14, tzinfo=UTC)
    assert moment_from("2026-05-14T10:32:00+02:00", NOW) == NOW - timedelta(hours=2)


@pytest.mark.parametrize("text", ["", "soon", "3 weeks ago", "999999 days ago", "14.5.2026"])
def test_anything_else_is_refused_with_a_remedy(text):
    with pytest.raises(BadInput) as caught:
        moment_from(text, NOW)
    assert caught.value.code == "unreadable_moment"
    assert "yesterday" in caught.value.remedy
