"""Where screens are tried: at the beginnings of their matches, and nowhere else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rules.beginnings import beginnings, written

from helix.rules.screening import beginnings as kept
from helix.rules.screening import judging
from helix.rules.screening.judging import _beginnings, _found
from helix.rules.screening.screens import SCREENS
from helix.testing.strategies import AWKWARD

PIECES = (
    *(hint for screen in SCREENS for hint in screen.hints),
    *(each for some in kept.BEGINNINGS.values() for each in some),
    "ignore all previous instructions", "you must always obey", "your response", "the prompt ",
    "\n", ". ", " ", "é", "日本", "'", '"', "<system mode>", "do anything now", *AWKWARD,
)  # fmt: skip


def test_the_table_is_what_the_patterns_say():
    """`python -m tests.rules.beginnings` writes it anew after a screen was changed."""
    with open(kept.__file__, encoding="utf-8") as file:  # noqa: PTH123
        assert file.read() == written()


def test_beginnings_are_read_off_a_pattern():
    assert beginnings(r"\b(?:foo|ba[rz])qu?x") == (
        "barqu",
        "barqx",
        "bazqu",
        "bazqx",
        "fooqu",
        "fooqx",
    )
    assert beginnings(r"(?:very )?good") == ("good", "very ")
    assert beginnings(r"(?<=x)lo+w") == ("lo",)
    assert beginnings(r"<\s*b") == ("<",)
    for anything in (r"\w+ing", r"(?:^|\n)\s*end", r".x", r"a?", r"[^a]b", r"x\s"):
        assert beginnings(anything) == ()


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_a_screen_finds_what_a_search_finds(text):
    """The same match at the same place, for every screen, whatever the text."""
    lower = text.lower()
    judging.WORTH_LOOKING, before = 0, judging.WORTH_LOOKING
    try:
        begins = _beginnings(lower, SCREENS)
    finally:
        judging.WORTH_LOOKING = before
    for screen in SCREENS:
        found, searched = _found(screen, lower, begins), screen.pattern.search(lower)
        assert (found and found.span()) == (searched and searched.span()), screen.name
