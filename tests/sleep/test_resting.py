"""Who sleeps leaves the store to others: nearly all of the time while they write."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix.sleep.resting import BESIDE_OTHERS, LONGEST, REMEMBERED, SHORTEST, Rests


def test_alone_a_sleeper_rests_as_long_as_it_wrote():
    """Nobody waits, and the run should end."""
    rests = Rests(7)
    assert rests.after(0.02, 7, now=1.0) == 0.02
    assert rests.after(0.0001, 7, now=1.1) == SHORTEST


def test_beside_others_the_store_is_held_for_a_hundredth_of_the_time():
    """Whoever has written a moment ago may write again."""
    rests = Rests(7)
    assert rests.after(0.002, 8, now=1.0) == 0.002 * BESIDE_OTHERS
    assert rests.after(0.002, 8, now=1.5) == 0.002 * BESIDE_OTHERS
    assert rests.after(0.02, 8, now=1.0 + REMEMBERED) == 0.02, "they have gone"


@given(
    st.lists(st.tuples(st.floats(0, 5), st.integers(0, 9), st.floats(0, 60)), max_size=30),
)
def test_a_rest_is_never_nothing_and_never_for_ever(parts):
    """Whatever happens beside it: others have their turn, and the run comes to its end."""
    rests = Rests(0)
    now = 0.0
    for held, position, passed in parts:
        now += passed
        assert SHORTEST <= rests.after(held, position, now) <= LONGEST
