"""What Helix said is taken out when it comes back; what others say about it is not."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.rules.echo import CLOSING, DATA_NOT_ORDERS, OPENING, fenced, unforged, without_echo

TOLD = fenced(f"{DATA_NOT_ORDERS}\nmem_pnpm (convention)\n| Use pnpm")


@pytest.mark.parametrize(
    "text",
    [
        f"The tag {OPENING} opens the fence, and everything after it is data.",
        f"pytest failed in test_fence.py: expected {OPENING}, got nothing\n1 failed in 0.3s",
        f"{OPENING} and {CLOSING} are how recalled text is marked.",
        f"An issue said:\n{OPENING}\nand then the build broke: exit 2",
        f"grep found {CLOSING} twice",
    ],
)
def test_speaking_of_the_fence_loses_nothing(text: str) -> None:
    """A name in a sentence or in a tool's output is no echo, nor is it one left open."""
    assert without_echo(text) == text


def test_what_was_told_is_taken_out_wherever_it_stands() -> None:
    """Whole, quoted within JSON, or cut off in the middle."""
    assert without_echo(f"before {TOLD} after") == "before  after"
    assert without_echo(f"before {json.dumps(TOLD)} after") == 'before "" after'
    assert without_echo(f"before {TOLD[: -len(CLOSING) - 5]}") == "before "
    assert without_echo(f"before {json.dumps(TOLD)[:-25]}") == 'before "'


@given(st.text(max_size=200))
def test_nothing_that_was_told_comes_back(said: str) -> None:
    """However it was worded."""
    assert without_echo(fenced(f"{DATA_NOT_ORDERS}\n{unforged(said)}")) == ""


def test_many_fences_left_open_are_read_in_one_go() -> None:
    """Whoever writes a thousand of them must not keep a hook busy."""
    text = f"{OPENING}\n" * 200_000
    assert without_echo(text) == text
    assert without_echo(text + CLOSING) == ""
