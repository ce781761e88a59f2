"""When two memories hold at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from helix.model.memory import Memory
from helix.rules.spans import ends_at, ever_together, over_by
from helix.testing.builders import a_memory

START = datetime(2026, 5, 1, tzinfo=UTC)


def holding(first: int, last: int | None = None, expires: int | None = None) -> Memory:
    made = a_memory()
    to = None if last is None else START + timedelta(days=last)
    belief = replace(made.belief, valid_from=START + timedelta(days=first), valid_to=to)
    gone = None if expires is None else START + timedelta(days=expires)
    return replace(made, belief=belief, expires_at=gone)


def test_a_memory_ends_where_its_validity_or_its_keeping_does():
    """The earlier of the two counts; without either it does not end."""
    assert ends_at(holding(0)) is None
    assert ends_at(holding(0, 9, 5)) == ends_at(holding(0, 5, 9)) == START + timedelta(days=5)
    assert over_by(holding(0, 5), START + timedelta(days=5))
    assert not over_by(holding(0, 5), START + timedelta(days=4))


def test_spans_that_only_touch_share_no_moment():
    """One ends exactly where the other begins; one day more, and they meet."""
    for end in ({"last": 5}, {"expires": 5}):
        assert not ever_together(holding(0, **end), holding(5))
        assert not ever_together(holding(5), holding(0, **end))
        assert ever_together(holding(0, **end), holding(4))
    assert ever_together(holding(0), holding(9))


def test_what_never_held_meets_nothing():
    """An empty span holds at no moment, not even beside itself."""
    assert not ever_together(holding(3, 3), holding(0))
