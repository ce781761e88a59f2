"""What every `Store` promises of its transactions."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read
# ruff: noqa: PT012 - what a transaction did before it failed is what these rules are about

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TypeVar

import pytest

from helix.model.changes import PutMemory
from helix.model.errors import StoreUnavailable
from helix.model.question import Standpoint, View
from helix.ports.projection import Stamp
from helix.ports.store import Store, Unit
from helix.testing.builders import HERE, a_memory
from helix.testing.clock import SOME_MOMENT
from helix.testing.contracts.journal import a_change_set
from helix.testing.contracts.ledger import record_after

T = TypeVar("T")


class Oops(Exception):
    """What goes wrong inside a transaction."""


def write_everywhere(unit: Unit, name: str = "one") -> None:
    """Write something through each of the four ports."""
    head = unit.ledger.head(HERE.tenant)
    unit.ledger.append(record_after(head, f"ev_{name}", HERE))
    memory = a_memory(f"mem_{name}", f"{name} deploys on Fridays", position=head.position + 1)
    unit.projection.apply(HERE.tenant, [PutMemory(memory)], Stamp(SOME_MOMENT, head.position + 1))
    unit.jobs.enqueue(HERE, f"kind_{name}", "", SOME_MOMENT)
    unit.journal.record(HERE.tenant, a_change_set(), SOME_MOMENT, 1)


def seen(unit: Unit) -> tuple[int, int, int, int, list[str]]:
    """Return how much each of the four ports shows, and what is found by words."""
    hits = unit.projection.by_words(HERE, ["fridays"], Standpoint(View.HISTORY, SOME_MOMENT))
    return (
        unit.ledger.head(HERE.tenant).position,
        unit.projection.checkpoint(HERE.tenant),
        len(unit.jobs.waiting(HERE.tenant)),
        len(unit.journal.entries(HERE.tenant)),
        sorted(hit.memory.id for hit in hits),
    )


NOTHING: tuple[int, int, int, int, list[str]] = (0, 0, 0, 0, [])
ONE = (1, 1, 1, 1, ["mem_one"])
TWO = (2, 2, 2, 2, ["mem_one", "mem_two"])


def elsewhere(work: Callable[[], T]) -> T:
    """Do something in another thread, and wait for it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def looked_at(store: Store) -> tuple[int, int, int, int, list[str]]:
    """Return what a reading transaction sees."""
    with store.reading() as unit:
        return seen(unit)


def written_to(store: Store, name: str = "one") -> None:
    """Write something through each of the four ports, in one transaction."""
    with store.writing() as unit:
        write_everywhere(unit, name)


class StoreContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_a_new_store_is_empty(self, store: Store) -> None:
        """Where nothing was written, every port is empty."""
        assert looked_at(store) == NOTHING

    def test_a_transaction_is_kept(self, store: Store) -> None:
        """What all four ports wrote is there afterwards, in this thread and in others."""
        written_to(store)
        assert looked_at(store) == ONE
        assert elsewhere(lambda: looked_at(store)) == ONE

    def test_a_transaction_sees_its_own_writes(self, store: Store) -> None:
        """Inside a transaction, what was written is read at once."""
        with store.writing() as unit:
            write_everywhere(unit)
            assert seen(unit) == ONE

    def test_an_exception_undoes_everything(self, store: Store) -> None:
        """A transaction that fails leaves nothing behind in any port, and the error comes out."""
        with pytest.raises(Oops), store.writing() as unit:
            write_everywhere(unit)
            raise Oops
        assert looked_at(store) == NOTHING

    def test_a_failed_transaction_does_not_harm_the_next(self, store: Store) -> None:
        """After a failure the same things can be written, found and read."""
        for _ in range(2):
            with pytest.raises(Oops), store.writing() as unit:
                write_everywhere(unit)
                assert seen(unit) == ONE
                raise Oops
        written_to(store)
        assert looked_at(store) == ONE

    def test_a_failed_view_does_not_harm_the_next(self, store: Store) -> None:
        """An error raised while reading leaves the store as usable as before."""
        written_to(store)
        for _ in range(2):
            with pytest.raises(Oops), store.reading() as unit:
                assert seen(unit) == ONE
                raise Oops
        assert looked_at(store) == ONE

    def test_a_view_stands_still(self, store: Store) -> None:
        """Nothing that is written meanwhile is seen in an open view."""
        written_to(store)
        with store.reading() as unit:
            assert seen(unit) == ONE
            elsewhere(lambda: written_to(store, "two"))
            assert seen(unit) == ONE
        assert looked_at(store) == TWO

    def test_an_unfinished_transaction_is_not_seen(self, store: Store) -> None:
        """Others see a transaction when it is finished, not before."""
        with store.writing() as unit:
            write_everywhere(unit)
            assert elsewhere(lambda: looked_at(store)) == NOTHING
        assert elsewhere(lambda: looked_at(store)) == ONE

    def test_writers_take_turns(self, store: Store) -> None:
        """Many writers at once each find the head they continue: no position is lost or doubled."""

        def write(worker: int) -> None:
            for turn in range(10):
                written_to(store, f"w{worker}t{turn}")

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(write, range(4)))
        with store.reading() as unit:
            records = unit.ledger.read(HERE.tenant)
            assert [record.position for record in records] == list(range(1, 41))
            assert unit.projection.checkpoint(HERE.tenant) == 40

    def test_who_will_not_wait_is_told_at_once(self, store: Store) -> None:
        """Without waiting, a busy store is refused by name; a free one is written."""

        def hurried() -> str:
            try:
                with store.writing(wait=False) as unit:
                    write_everywhere(unit, "two")
            except StoreUnavailable as error:
                return error.code
            return "written"

        with store.writing() as unit:
            write_everywhere(unit)
            started = monotonic()
            assert elsewhere(hurried) == "store_busy"
            assert monotonic() - started < 1.0
        assert elsewhere(hurried) == "written"
        assert looked_at(store) == TWO

    def test_a_snapshot_is_a_private_copy(self, store: Store) -> None:
        """A copy shows everything as of now; neither side sees what the other writes after."""
        written_to(store)
        with store.snapshot() as copy:
            assert looked_at(copy) == ONE
            written_to(store, "two")
            assert looked_at(copy) == ONE
            with copy.writing() as unit:
                unit.projection.clear(HERE.tenant)
            assert looked_at(copy) == (1, 0, 1, 1, [])
        assert looked_at(store) == TWO

    def test_examining_finds_no_fault_in_a_sound_store(self, store: Store) -> None:
        """A store that was only ever written through its ports has no fault."""
        written_to(store)
        assert "fault" not in {finding.state for finding in store.examine()}
        assert looked_at(store) == ONE

    def test_closing_twice_is_harmless(self, store: Store) -> None:
        """A closed store can be closed again; using it says that it is unavailable."""
        written_to(store)
        store.close()
        store.close()
        with pytest.raises(StoreUnavailable), store.reading() as unit:
            seen(unit)
        with pytest.raises(StoreUnavailable), store.writing() as unit:
            write_everywhere(unit, "two")
