"""Processes that die while they write take nothing with them."""

from __future__ import annotations

from pathlib import Path

from benchmarks.examining import examine
from benchmarks.faults import Slaughter, control
from benchmarks.texts import Author


def test_killing_writers_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """What a writer was told is kept stays kept, once, however its process dies."""
    slaughter = Slaughter(tmp_path, writers=3, seed=7)
    slaughter.run(kills=12)
    found = examine(slaughter.store, slaughter.promised())
    assert slaughter.errors == []
    assert slaughter.kills == 12
    assert found.acknowledged >= 60  # twenty each after the last death, at the least
    assert (found.lost, found.duplicated) == (0, 0)
    assert found.chain_ok
    assert found.rebuild_equal


def test_the_checks_catch_stores_that_are_broken_on_purpose(tmp_path: Path) -> None:
    """A lost, doubled or altered record does not pass the checks that sound stores pass."""
    found = control(tmp_path, seed=7)
    assert len(found) == 8
    assert all(found.values()), found


def test_a_writer_that_comes_back_says_the_same_again() -> None:
    """An operation's text depends on its mark alone, or a retry would be another event."""
    seasoned, fresh = Author(0), Author(0)
    for number in range(1_500):
        seasoned.begin_anew(f"mark_w0_{number}")
        text = seasoned.episode()
    fresh.begin_anew("mark_w0_1499")
    assert fresh.episode() == text
