"""Working something out while something else is done."""

from __future__ import annotations

import threading

import pytest

from helix.recall.meanwhile import Meanwhile


def test_nobody_waits_for_what_is_done_with_it_then() -> None:
    """The result is there at once; what follows goes on in the thread."""
    may_end, ended = threading.Event(), threading.Event()

    def then(found: int) -> None:
        assert found == 42
        may_end.wait(5)
        ended.set()

    asked = Meanwhile(lambda: 42, then=then)
    assert asked.result() == 42
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(5)


def test_what_fails_then_is_nobodys_failure() -> None:
    """It was only to save time: the result stands."""

    def then(_: int) -> None:
        raise ValueError("later")

    asked = Meanwhile(lambda: 42, then=then)
    assert [asked.result(), asked.result()] == [42, 42]


def test_what_fails_itself_is_raised_where_it_is_waited_for() -> None:
    """And nothing is done with what is not there."""
    done: list[object] = []

    def fail() -> int:
        raise ValueError("now")

    asked = Meanwhile(fail, then=done.append)
    with pytest.raises(ValueError, match="now"):
        asked.result()
    assert done == []
