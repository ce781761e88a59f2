"""A pass is applied in short transactions: nobody waits long, and nothing changes by it."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import replace

import pytest
from benchmarks.sleeping.kills import SCOPE, concluded, fill

from helix.adapters.sqlite.store import SqliteStore
from helix.model.run import RunState
from helix.model.scope import local_realm
from helix.sleep.reverting import revert
from helix.sleep.workflow import LeaseLost, Sleeper, sleep
from helix.testing import invariants
from helix.testing.clock import SettableClock

HERE = local_realm(SCOPE)
AT_ONCE = 4


class CutShort(Exception):
    """The sleeper died between two transactions."""


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    return fill(tmp_path_factory.mktemp("parts") / "filled.db", 400, seed=3)


@pytest.fixture
def copied(filled, tmp_path):
    def copy(name="copy"):
        path = tmp_path / f"{name}.db"
        shutil.copy(filled, path)
        return path

    return copy


@pytest.fixture(scope="module")
def whole(filled, tmp_path_factory):
    """What is concluded when every pass is one transaction, and the parts it could have."""
    path = tmp_path_factory.mktemp("whole") / "whole.db"
    shutil.copy(filled, path)
    run, rests = slept(path, at_once=1_000_000)
    assert rests == 0
    assert all(len(each.entries) <= 1 for each in run.passes)
    return run, concluded(path)


def slept(path, *, at_once=AT_ONCE, die_after=None, store=None):
    """Sleep; return the run and how often it rested."""
    rests = 0

    def rest(seconds):
        nonlocal rests
        assert seconds > 0
        rests += 1
        if rests == die_after:
            raise CutShort

    with closing(store or SqliteStore(path)) as opened:
        sleeper = Sleeper(opened, SettableClock(), at_once=at_once, rest=rest)
        return sleep(sleeper, HERE, "manual"), rests


def counts(run):
    return [(r.name, r.read, r.proposed, r.applied, r.skipped, r.decisions) for r in run.passes]


def test_parts_come_to_the_same_as_the_whole(copied, whole):
    """The same conclusions, the same report; several entries in the journal."""
    path = copied()
    run, rests = slept(path)
    assert rests > 5
    assert concluded(path) == whole[1]
    assert counts(run) == counts(whole[0])
    assert max(len(each.entries) for each in run.passes) > 2
    with closing(SqliteStore(path)) as store:
        invariants.all_hold(store)


def test_cut_short_between_any_two_parts_it_comes_to_the_same_end(copied, whole):
    """It goes on with the same pass as it stood when it began, wherever it was cut."""
    _, rests = slept(copied("counting"))
    for number in range(1, rests + 1, max(1, rests // 12)):
        path = copied(f"cut-{number}")
        with pytest.raises(CutShort):
            slept(path, die_after=number)
        with closing(SqliteStore(path)) as store, store.reading() as unit:
            begun = unit.runs.unfinished(HERE)
        assert begun is not None
        run, _ = slept(path)
        assert run.number == begun.number
        assert concluded(path) == whole[1], number
        assert [(r.name, r.applied) for r in run.passes] == [
            (r.name, r.applied) for r in whole[0].passes
        ], number


def test_a_run_in_parts_is_taken_back_as_one(copied):
    """Reverting leads back to what stood before the run, whatever number of parts it had."""
    path = copied()
    before = concluded(path)
    run, _ = slept(path)
    assert run.state is RunState.FINISHED
    assert concluded(path) != before
    with closing(SqliteStore(path)) as store:
        revert(store, SettableClock(), HERE, run.number)
        invariants.all_hold(store)
    assert concluded(path) == before


def test_somebody_who_went_on_with_the_run_is_noticed_at_the_next_part(copied):
    """Two sleepers never apply the same pass twice, even when a lease was lost unnoticed."""
    path = copied()
    with closing(SqliteStore(path)) as other:

        def meddle(_):
            with other.writing() as unit:
                run = unit.runs.unfinished(HERE)
                begun = replace(run.begun, applied=run.begun.applied + 1)
                unit.runs.save(replace(run, begun=begun))

        with closing(SqliteStore(path)) as store, pytest.raises(LeaseLost):
            sleep(Sleeper(store, SettableClock(), at_once=AT_ONCE, rest=meddle), HERE, "manual")
