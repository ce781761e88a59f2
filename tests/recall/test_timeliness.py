"""A question that names a time is answered by what is of that time, or tells of it soon after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from helix import Helix
from helix.app.wiring import open_context
from helix.recall.scoring import Tuning
from helix.testing.clock import SettableClock

TOLD_ON = {
    "long before": datetime(2023, 3, 2, 12, tzinfo=UTC),
    "the day": datetime(2023, 8, 15, 12, tzinfo=UTC),
    "two days after": datetime(2023, 8, 17, 12, tzinfo=UTC),
    "long after": datetime(2023, 11, 4, 12, tzinfo=UTC),
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Helix]:
    """The same thing said on four days, in sessions of their own."""
    clock = SettableClock(datetime(2023, 1, 1, tzinfo=UTC))
    context = open_context(tmp_path / "memory.db", scope="project:p", background=False)
    with Helix(replace(context, clock=clock, embedder=lambda: None)) as memory:
        for number, (name, moment) in enumerate(TOLD_ON.items()):
            clock.move(moment - clock.now())
            memory.capture(f"the release of version {number} went well", session=name)
        clock.move(datetime(2024, 1, 1, tzinfo=UTC) - clock.now())
        yield memory


def order(memory: Helix, question: str, *, off: frozenset[str] = frozenset()) -> list[str]:
    answer = memory.recall(question, tuning=Tuning(switched_off=off, abstains=False))
    return [
        each.memory.circumstances.session for each in answer.remembered if each.memory.circumstances
    ]


def test_what_is_of_the_day_comes_first_and_what_tells_of_it_next(memory: Helix) -> None:
    """Words and sessions are alike: only when it was told differs."""
    found = order(memory, "how did the release of 15 August 2023 go?")
    assert found[:2] == ["the day", "two days after"]
    without = order(memory, "how did the release of 15 August 2023 go?", off=frozenset({"time"}))
    assert without[:2] != ["the day", "two days after"]


def test_what_follows_a_long_time_does_not_tell_of_it(memory: Helix) -> None:
    """A year is its own witness; the first weeks of the next one speak of themselves."""
    found = order(memory, "how did the release go between January and July 2023?")
    assert found[0] == "long before"
    assert found.index("the day") > 0
