"""Whatever is noted, read, dropped and kept, in whatever order and time: each note ends once.

Checked on a real file against a plain model: a note becomes one episode at its thirtieth minute
or its second reading, whichever comes first, or nothing if it was dropped before.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.stores import sqlite_store

from helix.app.facade import Helix
from helix.model.errors import Conflict, NotFound
from helix.model.note import Noted
from helix.rules.promotion import SCRATCH_AGE, SCRATCH_READS, goes_for_good, leaves_the_scratchpad
from helix.testing import invariants
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SettableClock

JUST = timedelta(microseconds=1)
WAITS = (JUST, timedelta(minutes=10), SCRATCH_AGE - JUST, SCRATCH_AGE, SCRATCH_AGE + JUST)

STEPS = st.one_of(
    st.just(("add", 0)),
    st.tuples(st.sampled_from(["read", "drop", "keep"]), st.integers(0, 5)),
    st.tuples(st.just("wait"), st.integers(0, len(WAITS) - 1)),
    st.tuples(st.sampled_from(["list", "settle", "session"]), st.just(0)),
)


@given(st.timedeltas(timedelta(days=-1), timedelta(days=1)), st.integers(0, 5))
def test_a_note_leaves_at_exactly_thirty_minutes_or_two_reads(age: timedelta, reads: int) -> None:
    """And not a microsecond or a reading before."""
    assert leaves_the_scratchpad(age, reads) == (age >= timedelta(minutes=30) or reads >= 2)
    assert goes_for_good(age) == (age >= timedelta(minutes=30))


@dataclass
class Expected:
    """What the plain model knows of a note."""

    id: str
    noted_at: datetime
    reads: int = 0
    dropped_at: datetime | None = None
    state: str = "noted"  # noted, dropped, episode, gone

    def settle(self, now: datetime) -> None:
        if self.state == "noted" and now - self.noted_at >= SCRATCH_AGE:
            self.state = "episode"
        if self.state == "dropped" and self.dropped_at and now - self.dropped_at >= SCRATCH_AGE:
            self.state = "gone"


@settings(max_examples=150, deadline=None)
@given(st.lists(STEPS, max_size=25))
def test_every_note_ends_once(steps: list[tuple[str, int]]) -> None:
    """The scratchpad and the ledger always hold what the plain model says, each note once."""
    clock = SettableClock()
    with sqlite_store() as store:
        memory = open_memory(store, clock=clock)
        expected: list[Expected] = []
        for kind, number in steps:
            _step(memory, clock, expected, kind, number)
            _compare(memory, expected)
        invariants.all_hold(store)


def _step(
    memory: Helix, clock: SettableClock, expected: list[Expected], kind: str, number: int
) -> None:
    if kind == "wait":
        clock.move(WAITS[number])
        return
    now = _now(memory)
    match kind:
        case "add":
            done = memory.scratch.add(f"note number {len(expected)}")
            assert isinstance(done, Noted)
            _settle(expected, now)
            expected.append(Expected(done.note.id, done.note.noted_at))
        case "list":
            memory.scratch.notes()
            _settle(expected, now)
        case "settle":
            memory.scratch.settle()
            _settle(expected, now)
        case "session":
            memory.session("s").end()
            _settle(expected, now)
        case _ if expected:
            _touch(memory, expected, expected[number % len(expected)], kind, now)


def _touch(
    memory: Helix, expected: list[Expected], note: Expected, kind: str, now: datetime
) -> None:
    """Read, drop or keep one; what is not on the scratchpad is refused and changes nothing."""
    act = {"read": memory.scratch.read, "drop": memory.scratch.drop, "keep": memory.scratch.keep}
    allowed = note.state == "noted" or (note.state == "dropped" and kind == "keep")
    try:
        act[kind](note.id)
    except (NotFound, Conflict):
        assert not allowed
        return
    assert allowed
    if kind == "drop":
        note.state, note.dropped_at = "dropped", now
    elif kind == "keep":
        note.state = "episode"
    else:
        note.reads += 1
        if note.reads >= SCRATCH_READS:
            note.state = "episode"
    _settle(expected, now)


def _settle(expected: list[Expected], now: datetime) -> None:
    for each in expected:
        each.settle(now)


def _compare(memory: Helix, expected: list[Expected]) -> None:
    with memory.context.store.reading() as unit:
        notes = unit.scratchpad.notes(HERE)
    standing = {each.id for each in notes if each.dropped_at is None}
    dropped = {each.id for each in notes if each.dropped_at is not None}
    assert standing == {each.id for each in expected if each.state == "noted"}
    assert dropped == {each.id for each in expected if each.state == "dropped"}
    episodes = sorted(each.content for each in memory.list(limit=1000))
    wanted = [f"note number {n}" for n, each in enumerate(expected) if each.state == "episode"]
    assert episodes == sorted(wanted)


def _now(memory: Helix) -> datetime:
    with memory.context.store.reading() as unit:
        return max(memory.context.clock.now(), unit.ledger.head(HERE.tenant).recorded_at)
