"""Concluding anew takes minutes, and writes over nothing that was decided in them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, closing

import pytest
from tests.concluding import concluded
from tests.spec.intruding import Intruder
from tests.spec.reading import DAY, HOUR, current, head, kept, sound

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.model.errors import Conflict
from helix.model.run import Run, RunState
from helix.sleep.queue import Slept
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SettableClock

MOVED = "We moved from Zanzibarcloud to Hetzner"


@pytest.fixture
def other(store: SqliteStore, clock: SettableClock):
    """Another process with the same store open."""
    with closing(SqliteStore(store.path)) as beside:
        yield open_memory(beside, clock=clock)


@pytest.fixture
def run(memory: Helix, clock: SettableClock) -> Run:
    memory.capture(MOVED, attributes={"role": "user"})
    memory.remember("The runners are rented by the month")
    clock.move(HOUR)
    done = memory.sleeping.sleep()
    assert isinstance(done, Slept)
    clock.move(HOUR)
    return done.run


def journal(memory: Helix) -> list[object]:
    with memory.context.store.reading() as unit:
        return [*unit.journal.entries(HERE.tenant, 0), unit.journal.head(HERE.tenant)]


def refused(memory: Helix, meanwhile: Callable[[], object]) -> Conflict:
    """Return why nothing was put in place, with something done while it was under way."""
    with pytest.raises(Conflict) as error:
        memory.sleeping.rederive(lambda _: (meanwhile(), None)[1])
    assert error.value.code == "changed_meanwhile"
    return error.value


def test_what_was_erased_meanwhile_does_not_come_back(
    memory: Helix, other: Helix, run: Run
) -> None:
    """Neither as a memory nor in the journal; concluding anew is refused, and can be repeated."""
    refused(memory, lambda: other.erasing.about("Zanzibarcloud"))
    for _ in range(2):
        assert not [each for each in current(memory) if "Zanzibar" in each]
        assert "Zanzibar" not in str(journal(memory))
        sound(memory)
        memory.sleeping.rederive()


def test_what_was_concluded_alone_and_erased_meanwhile_does_not_come_back(
    memory: Helix, other: Helix, run: Run
) -> None:
    """It had no record of its own; that it was erased is on record all the same."""
    (said,) = [each for each in memory.list() if each.position == 0]
    before = head(memory)
    refused(memory, lambda: other.erasing.memory(said.id))
    assert head(memory) == before + 1
    assert said.content not in current(memory)
    sound(memory)


def test_what_was_rejected_meanwhile_is_not_concluded_over(
    memory: Helix, other: Helix, run: Run
) -> None:
    """Its words may not be concluded again, and the copy did not know."""
    held = kept(memory.quoting("import:json", "x.json#1", "import-json", "x.json").remember("Foo"))
    refused(memory, lambda: other.reviewing.reject(held.id))
    sound(memory)


def test_a_run_that_a_person_took_back_meanwhile_stays_taken_back(
    memory: Helix, other: Helix, run: Run
) -> None:
    """The revert is there afterwards, and so is what it left of the projection."""
    refused(memory, lambda: other.sleeping.revert(run.number))
    assert memory.sleeping.runs()[0].state is RunState.REVERTED
    assert MOVED not in [each.content for each in memory.list() if each.position == 0]
    sound(memory)


def test_a_run_that_was_slept_meanwhile_is_kept(
    memory: Helix, other: Helix, clock: SettableClock, run: Run
) -> None:
    """Also one that concluded nothing."""
    refused(memory, other.sleeping.sleep)
    assert [each.number for each in memory.sleeping.runs()] == [run.number + 1, run.number]
    sound(memory)


def test_what_was_captured_meanwhile_is_kept(memory: Helix, other: Helix, run: Run) -> None:
    """New records speak of themselves: they are folded behind what was concluded anew."""
    before = journal(memory)
    held = current(memory)

    def meanwhile(_: int) -> None:
        other.capture("The pipeline was red for an hour")
        other.remember("The pipeline is run by Buildkite")

    memory.sleeping.rederive(meanwhile)
    assert current(memory) == {
        *held, "The pipeline was red for an hour", "The pipeline is run by Buildkite"
    }  # fmt: skip
    assert journal(memory) == before
    sound(memory)


def test_what_was_purged_just_before_it_began_is_looked_at(
    memory: Helix, clock: SettableClock, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the grounds are there is asked of the copy, and not of what stood before it."""
    episode = kept(memory.capture("The deploy took five minutes"))
    (fact,) = concluded(memory, "Deploys take five minutes", ground=episode.position)
    memory.forget(fact.id)
    memory.life.demote(episode.id)
    clock.move(400 * DAY)
    before = journal(memory)
    real = store.snapshot

    def purged_first() -> AbstractContextManager[SqliteStore]:
        assert memory.retaining.purge(store.path.with_name("old.jsonl"), 30)
        return real()

    monkeypatch.setattr(store, "snapshot", purged_first)
    with pytest.raises(Conflict) as error:
        memory.sleeping.rederive()
    monkeypatch.undo()
    assert error.value.code == "ground_purged"
    assert journal(memory) == before
    sound(memory)


def test_a_damaged_seal_does_not_bar_the_way_out(
    memory: Helix, store: SqliteStore, run: Run
) -> None:
    """Concluding anew is what mends a journal, whatever its last entry looks like."""
    with store.writing() as unit:
        Intruder(unit.connection).does("UPDATE journal SET seal = 'no seal at all'")
    memory.sleeping.rederive()
    sound(memory)
