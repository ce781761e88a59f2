"""What every `Journal` promises."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from helix.model.changes import (
    AddImportance,
    ChangeSet,
    DropEdge,
    DropMemory,
    PutEdge,
    PutMemory,
    PutSession,
    SpendImportance,
)
from helix.model.memory import Circumstances, EventTime
from helix.model.scope import Realm
from helix.model.session import Session
from helix.ports.store import Store
from helix.testing.builders import HERE, a_memory, an_edge
from helix.testing.clock import SOME_MOMENT

FOREIGN = Realm("other", "ann", "global")


def a_change_set(realm: Realm = HERE, reverts: int | None = None) -> ChangeSet:
    """Return a change set with every kind of change in it."""
    memory = replace(
        a_memory(realm=realm, expires_at=SOME_MOMENT),
        event_time=EventTime(start=SOME_MOMENT, text="naïve 🦉"),
        circumstances=Circumstances(event_id="ev1", files=("a.py", "b.py"), exit_status=1),
        attributes={"alternatives": ["x", {"y": [1, 2.5, None, True]}]},
    )
    session = Session("s1", realm, SOME_MOMENT, SOME_MOMENT, "agent", 3, "ep_x")
    edge = replace(an_edge("mem_a", "mem_b", realm=realm), ended_at=SOME_MOMENT, ended_by=3)
    return ChangeSet(
        realm=realm,
        reason="importance_budget",
        concluded_by="heuristic:1",
        read_to=7,
        changes=(
            PutMemory(memory),
            PutEdge(edge),
            PutSession(session),
            AddImportance(realm, 5),
            SpendImportance(realm),
        ),
        undo=(DropEdge(realm, edge.id), DropMemory(realm, memory.id)),
        reverts=reverts,
        part_of=3,
    )


class JournalContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_numbers_rise_by_one_per_tenant(self, store: Store) -> None:
        """Entries are numbered from 1, each tenant apart."""
        with store.writing() as unit:
            numbers = [
                unit.journal.record(realm.tenant, a_change_set(realm), SOME_MOMENT, 0).number
                for realm in (HERE, HERE, FOREIGN, HERE)
            ]
        assert numbers == [1, 2, 1, 3]

    def test_an_entry_is_given_back_as_recorded(self, store: Store) -> None:
        """Every kind of change, its undo and its place come back equal."""
        later = SOME_MOMENT + timedelta(microseconds=1)
        with store.writing() as unit:
            entry = unit.journal.record(HERE.tenant, a_change_set(), later, 7)
            assert (entry.recorded_at, entry.after) == (later, 7)
            assert entry.change_set == a_change_set()
        with store.reading() as unit:
            assert unit.journal.entry(HERE.tenant, 1) == entry
            assert list(unit.journal.entries(HERE.tenant)) == [entry]

    def test_entries_are_read_in_order_after_a_number(self, store: Store) -> None:
        """Up to `limit` entries after a number are returned, in the order of application."""
        with store.writing() as unit:
            for after in range(5):
                unit.journal.record(HERE.tenant, a_change_set(), SOME_MOMENT, after)
            entries = unit.journal.entries
            assert [each.number for each in entries(HERE.tenant)] == [1, 2, 3, 4, 5]
            assert [each.number for each in entries(HERE.tenant, 2, 2)] == [3, 4]
            assert list(entries(HERE.tenant, 5)) == []
            assert (unit.journal.last(HERE.tenant), unit.journal.last(FOREIGN.tenant)) == (5, 0)

    def test_the_moment_of_the_newest_entry_is_known(self, store: Store) -> None:
        """Each tenant's own; there is none without an entry."""
        later = SOME_MOMENT + timedelta(microseconds=1)
        with store.writing() as unit:
            assert unit.journal.latest(HERE.tenant) is None
            unit.journal.record(HERE.tenant, a_change_set(), SOME_MOMENT, 0)
            unit.journal.record(HERE.tenant, a_change_set(), later, 0)
            assert unit.journal.latest(HERE.tenant) == later
            assert unit.journal.latest(FOREIGN.tenant) is None

    def test_every_entry_is_sealed_with_the_one_before(self, store: Store) -> None:
        """The head moves with each; what was sealed keeps its seal."""
        with store.writing() as unit:
            journal = unit.journal
            assert journal.head(HERE.tenant) == (0, b"")
            heads = []
            for _ in range(3):
                journal.record(HERE.tenant, a_change_set(), SOME_MOMENT, 0)
                heads.append(journal.head(HERE.tenant))
            journal.record(FOREIGN.tenant, a_change_set(FOREIGN), SOME_MOMENT, 0)
            assert [number for number, _ in heads] == [1, 2, 3]
            assert len({seal for _, seal in heads}) == 3
            assert [journal.seal_at(HERE.tenant, each) for each, _ in heads] == [
                seal for _, seal in heads
            ]
            assert journal.seal_at(HERE.tenant, 4) is None
            assert journal.first_broken(HERE.tenant) is None
            assert journal.first_broken("nobody") is None

    def test_what_is_rewritten_is_sealed_again_from_there_on(self, store: Store) -> None:
        """Erasing leaves a journal that bears its seals, and the earlier ones as they were."""
        with store.writing() as unit:
            journal = unit.journal
            for _ in range(3):
                journal.record(HERE.tenant, a_change_set(), SOME_MOMENT, 0)
            before = [journal.seal_at(HERE.tenant, each) for each in (1, 2, 3)]
            less = replace(a_change_set(), changes=(), undo=(), reason="(erased in part)")
            journal.rewrite(HERE.tenant, {2: less})
            after = [journal.seal_at(HERE.tenant, each) for each in (1, 2, 3)]
            assert [one == other for one, other in zip(before, after, strict=True)] == [
                True, False, False,
            ]  # fmt: skip
            assert journal.first_broken(HERE.tenant) is None
            entry = journal.entry(HERE.tenant, 2)
            assert entry is not None
            assert entry.change_set == less
            journal.rewrite(HERE.tenant, {})
            journal.clear(HERE.tenant)
            assert journal.head(HERE.tenant) == (0, b"")

    def test_what_is_not_there_is_not_found(self, store: Store) -> None:
        """Another number and another tenant find nothing."""
        with store.writing() as unit:
            unit.journal.record(HERE.tenant, a_change_set(), SOME_MOMENT, 0)
            assert unit.journal.entry(HERE.tenant, 2) is None
            assert unit.journal.entry(FOREIGN.tenant, 1) is None
            assert list(unit.journal.entries(FOREIGN.tenant)) == []

    def test_a_revert_is_known_to_what_it_takes_back(self, store: Store) -> None:
        """An entry names the one that took it back, if any, within its own tenant."""
        with store.writing() as unit:
            unit.journal.record(HERE.tenant, a_change_set(), SOME_MOMENT, 0)
            unit.journal.record(HERE.tenant, a_change_set(), SOME_MOMENT, 0)
            unit.journal.record(HERE.tenant, a_change_set(reverts=1), SOME_MOMENT, 0)
            assert unit.journal.reverted_by(HERE.tenant, 1) == 3
            assert unit.journal.reverted_by(HERE.tenant, 2) is None
            assert unit.journal.reverted_by(FOREIGN.tenant, 1) is None
