"""The clock as a trigger: what has waited for six hours is owed, and nothing else."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.spec.conftest import clock, memory, seen_from, store  # noqa: F401
from tests.spec.reading import HOUR

from helix.app.settings import load
from helix.app.sleep_settings import sleep_of
from helix.model.errors import BadInput
from helix.sleep.queue import Slept
from helix.sleep.timing import EVERY, TIMER, is_owed
from helix.testing.builders import HERE
from helix.testing.clock import SOME_MOMENT

hours = st.floats(0, 1000).map(lambda each: SOME_MOMENT + timedelta(hours=each))


@given(hours, st.none() | hours, hours)
def test_something_must_wait_and_nobody_have_slept(waiting, slept, now):
    """Nothing waits: never owed. Otherwise once nobody has slept for so long."""
    assert not is_owed(None, slept, now, EVERY)
    assert is_owed(waiting, slept, now, EVERY) == (now - (slept or waiting) >= EVERY)


@given(hours, st.none() | hours, hours, st.timedeltas(timedelta(), timedelta(days=9)))
def test_what_is_owed_stays_owed(waiting, slept, now, later):
    """Time alone never takes a debt back."""
    if is_owed(waiting, slept, now, EVERY):
        assert is_owed(waiting, slept, now + later, EVERY)


def test_six_hours_after_the_first_episode_sleep_is_owed_once(memory, clock):  # noqa: F811
    """Before that nothing; then one piece of work for each scope, however often one looks."""
    memory.capture("the nightly build failed")
    clock.move(EVERY - timedelta(seconds=1))
    assert memory.sleeping.owe_what_waits() == []
    clock.move(timedelta(seconds=1))
    (owed,) = memory.sleeping.owe_what_waits()
    assert (owed.reason, owed.realm) == (TIMER, HERE)
    assert memory.sleeping.owe_what_waits() == []
    assert memory.sleeping.due()


def test_after_a_run_time_begins_anew(memory, clock):  # noqa: F811
    """Slept over, nothing is owed until something new has come and six hours have passed."""
    memory.capture("the nightly build failed")
    assert isinstance(memory.sleeping.sleep(), Slept)
    clock.move(2 * EVERY)
    assert memory.sleeping.owe_what_waits() == []
    memory.capture("the nightly build failed again")
    clock.move(HOUR)
    # The last run is long past, and something waits.
    (owed,) = memory.sleeping.owe_what_waits()
    assert owed.reason == TIMER
    (done,) = memory.sleeping.drain()
    assert isinstance(done, Slept)
    assert not memory.sleeping.due()
    memory.capture("and again")
    clock.move(EVERY - HOUR)
    assert memory.sleeping.owe_what_waits() == []


def test_every_scope_keeps_its_own_time(memory, clock, seen_from):  # noqa: F811
    """One scope's run does not put off another's."""
    there = seen_from(HERE.in_scope("project:there"))
    memory.capture("one thing here")
    there.capture("one thing there")
    clock.move(EVERY + HOUR)
    assert {each.realm.scope for each in memory.sleeping.owe_what_waits()} == {
        HERE.scope,
        "project:there",
    }
    assert len(memory.sleeping.drain()) == 2


def test_work_that_somebody_is_at_is_not_due(memory, clock, store):  # noqa: F811
    """A live lease is left alone; one that ran out is taken up."""
    memory.capture("one thing")
    memory.sleeping.owe_what_waits(timedelta())
    with store.writing() as unit:
        assert unit.jobs.lease("somebody", clock.now(), HOUR)
    assert not memory.sleeping.due()
    clock.move(HOUR)
    assert memory.sleeping.due()


@pytest.mark.parametrize(
    "given_",
    [3, {"every_hours": -1}, {"every_hours": True}, {"every_hours": "often"}, {"often": 1},
     {"ask_agent": "yes"}, {"look_seconds": 0}, {"in_background": 1}],
)  # fmt: skip
def test_settings_of_sleep_are_checked(given_):
    """Every fault is named, and the defaults hold meanwhile."""
    chosen, faults = sleep_of(given_)
    assert len(faults) == 1
    assert chosen.every == EVERY


def test_settings_of_sleep_are_read(tmp_path: Path):
    """0 hours: time alone owes nothing."""
    (tmp_path / "settings.toml").write_text("[sleep]\nevery_hours = 0\nask_agent = true\n")
    chosen = load({"HELIX_HOME": str(tmp_path)}, tmp_path).sleep
    assert (chosen.every, chosen.ask_agent, chosen.in_background) == (None, True, True)
    (tmp_path / "settings.toml").write_text("sleep = 3\n")
    with pytest.raises(BadInput):
        load({"HELIX_HOME": str(tmp_path)}, tmp_path)
