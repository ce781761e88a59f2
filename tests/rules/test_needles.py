"""Looking for many strings at once finds what looking for each would."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from helix.rules.needles import Needles

LETTERS = st.text("abc -\N{LATIN SMALL LETTER E WITH ACUTE}\N{FIRE}", max_size=40)
FEW = st.lists(st.text("abc -\N{FIRE}", min_size=1, max_size=4), max_size=12)


@given(FEW, LETTERS)
def test_the_same_are_found_as_one_by_one(needles: list[str], text: str) -> None:
    """Also where they overlap, contain one another or are asked for twice."""
    assert Needles(needles).within(text) == {each for each in needles if each in text}


def test_half_a_character_is_no_obstacle() -> None:
    """File names may hold what is not Unicode; a search must not fail on them."""
    assert Needles(["key", "token"]).within("a key \udc80") == {"key"}
