"""What every `Runs` promises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helix.model.night import Passed
from helix.model.run import PassReport, Run, RunState
from helix.model.scope import Realm
from helix.ports.store import Store
from helix.testing.builders import HERE
from helix.testing.clock import SOME_MOMENT

THERE = HERE.in_scope("project:there")
FOREIGN = Realm("other", "ann", "global")
REPORT = PassReport(
    "distil", 10, 3, 1, 2, {"add": 1}, (Passed("venv é 🦉", "only two episodes"),), 4, 0.25
)


def a_run(realm: Realm = HERE) -> Run:
    """Return a run that has just begun."""
    return Run(realm, "flush", "heuristic", 7, SOME_MOMENT)


class RunsContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_numbers_rise_by_one_per_tenant(self, store: Store) -> None:
        """Each tenant counts its own runs from 1."""
        with store.writing() as unit:
            numbers = [unit.runs.begin(a_run(realm)).number for realm in (HERE, THERE, FOREIGN)]
        assert numbers == [1, 2, 1]

    def test_what_was_saved_is_read_back(self, store: Store) -> None:
        """Reports and reasons come back as they were saved."""
        with store.writing() as unit:
            run = unit.runs.begin(a_run())
            run = replace(run, passes=(REPORT,), state=RunState.FINISHED, finished_at=SOME_MOMENT)
            unit.runs.save(run)
        with store.reading() as unit:
            assert unit.runs.run("local", 1) == run
            assert unit.runs.run("local", 2) is None
            assert unit.runs.run("other", 1) is None

    def test_an_unfinished_run_is_found_in_its_own_realm_only(self, store: Store) -> None:
        """A run that was cut short is resumed where it belongs, and nowhere else."""
        with store.writing() as unit:
            run = unit.runs.begin(a_run())
        with store.writing() as unit:
            assert unit.runs.unfinished(HERE) == run
            assert unit.runs.unfinished(THERE) is None
            unit.runs.save(replace(run, state=RunState.FINISHED))
            assert unit.runs.unfinished(HERE) is None

    def test_the_newest_come_first(self, store: Store) -> None:
        """Runs are listed per realm, newest first, those taken back among them."""
        with store.writing() as unit:
            first = replace(unit.runs.begin(a_run()), state=RunState.REVERTED)
            unit.runs.save(first)
            unit.runs.begin(a_run(THERE))
            unit.runs.begin(a_run())
        with store.reading() as unit:
            assert [each.number for each in unit.runs.latest(HERE)] == [3, 1]
            assert [each.number for each in unit.runs.latest(HERE, limit=1)] == [3]
            assert list(unit.runs.reverted(HERE)) == [first]
            assert list(unit.runs.reverted(THERE)) == []

    def test_clearing_keeps_other_tenants(self, store: Store) -> None:
        """Concluding anew forgets the runs of one tenant only."""
        with store.writing() as unit:
            unit.runs.begin(a_run())
            unit.runs.begin(a_run(FOREIGN))
            unit.runs.clear("local")
        with store.reading() as unit:
            assert unit.runs.run("local", 1) is None
            assert unit.runs.run("other", 1) is not None
