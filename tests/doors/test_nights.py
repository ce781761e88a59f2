"""Residents sleep by themselves: in a child, one at a time, and nobody waits for it."""

from __future__ import annotations

import os
import sys
import time

import pytest

from helix.app.facade import Helix
from helix.app.sleep_settings import SleepSettings
from helix.doors.nights import Nights

SOON = SleepSettings(every_hours=1e-9)
SECONDS = 60.0


@pytest.fixture
def memory(tmp_path, monkeypatch):
    monkeypatch.setenv("HELIX_HOME", str(tmp_path / "home"))
    with Helix.open(tmp_path / "memory.db", scope="project:shop", background=False) as opened:
        opened.capture("we decided to use pnpm instead of npm", session="s1")
        yield opened


@pytest.fixture
def nights(tmp_path):
    made = Nights(tmp_path / "memory.db", SOON)
    yield made
    made.stop()


def over(nights):
    until = time.monotonic() + SECONDS
    while nights.asleep and time.monotonic() < until:
        time.sleep(0.02)
    return not nights.asleep


def test_what_is_owed_is_slept_over_by_a_child(memory, nights):
    """The caller goes on at once; the run is there when the child is through."""
    began = time.perf_counter()
    assert nights.look(memory)
    assert time.perf_counter() - began < 1.0, "only starting a process is paid for"
    assert nights.asleep
    assert not nights.look(memory), "one child is enough"
    assert over(nights)
    (run,) = memory.sleeping.runs()
    assert (run.reason, run.state.value) == ("timer", "finished")
    assert not nights.look(memory), "nothing is owed any more"


def test_one_child_does_for_all_residents(memory, nights, tmp_path):
    """While one of them sleeps, no other starts."""
    other = Nights(tmp_path / "memory.db", SOON)
    assert nights.look(memory)
    assert not other.look(memory)
    assert over(nights)


def test_a_child_that_is_stopped_loses_nothing(memory, nights):
    """The work stays owed, and the next one does it."""
    assert nights.look(memory)
    nights.stop()
    assert not nights.asleep
    until = time.monotonic() + SECONDS
    while not memory.sleeping.runs() or memory.sleeping.runs()[0].state.value != "finished":
        nights.look(memory)  # a lease that the child took has to run out first
        time.sleep(0.1)
        assert time.monotonic() < until


def test_who_does_not_want_it_is_left_alone(memory, tmp_path):
    """With `in_background = false` no child is ever started."""
    off = Nights(tmp_path / "memory.db", SleepSettings(every_hours=1e-9, in_background=False))
    assert not off.look(memory)
    assert len(memory.sleeping.owed().waiting) == 1, "it is owed, for whoever sleeps by hand"
    assert memory.sleeping.runs() == []


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority elsewhere")
def test_a_sleeper_computes_aside_and_writes_at_once(memory):
    """Whoever holds the store must not be the one that is set aside."""
    import threading

    from helix.app.stepping_aside import NICENESS, aside

    def niceness():
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    usual = niceness()
    assert aside()(niceness) == min(19, usual + NICENESS)
    assert niceness() == usual
    with pytest.raises(ValueError, match="as it is"):
        aside()(lambda: (_ for _ in ()).throw(ValueError("as it is")))
    memory.sleeping.step_aside()
    seen = []
    memory.sleeping.sleep(watch=lambda _: seen.append(niceness()))
    assert set(seen) == {usual}
    assert memory.sleeping.runs()[0].state.value == "finished"
