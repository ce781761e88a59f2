"""What cannot be taken is refused in words, with a remedy, and nothing is written."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import pytest
from tests.spec.reading import current, head, kept

from helix.app.facade import Helix
from helix.model.errors import BadInput, HelixError, NotFound
from helix.model.memory import EventTime

HALF = "\ud800"
"""Half a character, as a shell hands it over when a name is not UTF-8."""

HUGE = 2**80

Act = Callable[[Helix], object]


@pytest.mark.parametrize("memory_id", [HALF, "\x00", "", "mem_x" * 1000, "'; DROP TABLE memories"])
@pytest.mark.parametrize("act", ["why", "confirm", "forget", "restore", "pin"])
def test_no_id_is_too_strange_to_be_unknown(memory: Helix, act: str, memory_id: str) -> None:
    """Whatever is given as an id, it is found or it is not."""
    with pytest.raises(NotFound):
        getattr(memory, act)(memory_id)
    assert head(memory) == 0


@pytest.mark.parametrize(
    "act",
    [
        lambda memory: memory.recall("otter", view="sideways"),
        lambda memory: memory.recall("otter", view="as_of"),
        lambda memory: memory.recall("otter", types=["nothing"]),
        lambda memory: memory.recall("otter", limit=0),
        lambda memory: memory.recall("otter", limit=HUGE),
        lambda memory: memory.recall("otter", true_on="tomorrow"),
        lambda memory: memory.list(types=["nothing"]),
        lambda memory: memory.list(types=[HALF]),
        lambda memory: memory.list(statuses=["asleep"]),
        lambda memory: memory.list(limit=-1),
        lambda memory: memory.list(limit=HUGE),
        lambda memory: memory.history.log(-1),
        lambda memory: memory.history.log(HUGE),
        lambda memory: memory.remember("otter", importance_hint=1.5),
        lambda memory: memory.remember("otter", confidence=float("nan")),
        lambda memory: memory.remember("otter", valid_from="2026-02-01", valid_to="2026-01-01"),
        lambda memory: memory.remember("otter", attributes={"a": object()}),
        lambda memory: memory.remember("otter", attributes={"a": 10**5000}),
        lambda memory: memory.remember("otter", attributes={"a": float("inf")}),
        lambda memory: memory.remember("otter", attributes={1: "a"}),
        lambda memory: memory.remember("otter " * 100_000),
        lambda memory: memory.capture("otter", tool="x" * 501),
        lambda memory: memory.capture("otter", files=["f"] * 1001),
        lambda memory: memory.capture("otter", session="two\nlines"),
        lambda memory: memory.session(HALF),
        lambda memory: memory.session("x" * 501),
    ],
)  # fmt: skip
def test_what_cannot_be_taken_is_refused(memory: Helix, act: Act) -> None:
    """The refusal says what to do instead, and nothing was written."""
    with pytest.raises(BadInput) as refused:
        act(memory)
    assert refused.value.remedy
    assert refused.value.code
    assert head(memory) == 0


@pytest.mark.parametrize(
    "act",
    [
        lambda memory: memory.history.rollback(HUGE),
        lambda memory: memory.history.rollback(-1),
        lambda memory: memory.history.rollback(to=HUGE),
        lambda memory: memory.history.rollback(to=-HUGE),
    ],
)
def test_no_position_is_too_large_to_be_unknown(memory: Helix, act: Act) -> None:
    """Whatever is given as a position, it is there or it is not."""
    with pytest.raises(HelixError) as refused:
        act(memory)
    assert refused.value.code == "unknown_position"


@pytest.mark.parametrize("before", [-HUGE, -1, 0, HUGE])
def test_paging_from_anywhere_is_answered(memory: Helix, before: int) -> None:
    """A page before the beginning is empty, one from beyond the end is the first."""
    memory.remember("otter")
    expected = int(before > 0)
    assert len(memory.list(before=before)) == expected
    assert len(memory.history.log(before=before)) == expected


@pytest.mark.parametrize("given", [f"why{HALF}not", "bell\x07", "  spaces  "])
def test_remarks_are_cleaned_like_every_text(memory: Helix, given: str) -> None:
    """Reasons, attributes and event times may hold anything; what is kept is readable."""
    happening = EventTime(text=given, timezone=given)
    held = kept(memory.remember("otter", attributes={given: [given]}, event_time=happening))
    memory.forget(held.id, given)
    memory.history.rollback(head(memory), reason=given)
    (again,) = memory.list()
    assert again == memory.why(held.id).memory
    assert current(memory) == {"otter"}


def test_event_times_are_understood_like_every_moment(memory: Helix) -> None:
    """What has no zone is meant in UTC, and every moment is kept in it."""
    east = timezone(timedelta(hours=2))
    happening = EventTime(
        start=datetime(2026, 7, 1, 12),  # noqa: DTZ001 - the point of the test
        end=datetime(2026, 7, 1, 16, tzinfo=east),
    )
    held = kept(memory.remember("the launch", event_time=happening))
    expected = EventTime(
        start=datetime(2026, 7, 1, 12, tzinfo=UTC), end=datetime(2026, 7, 1, 14, tzinfo=UTC)
    )
    assert held.event_time == expected
    assert memory.why(held.id).memory.event_time == expected
