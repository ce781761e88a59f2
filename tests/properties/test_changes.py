"""Changes can be applied twice, and conclusions can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.stores import sqlite_store

from helix.model.changes import AddImportance, JournalEntry
from helix.model.memory import Memory
from helix.model.question import Standpoint, View
from helix.ports.projection import Stamp
from helix.ports.store import Store
from helix.projection.workflow import rebuild
from helix.testing.histories import REALMS, TENANT, Move, Player, contents
from helix.testing.reference_store import ReferenceStore
from helix.testing.strategies import histories, plain_text


def last_entry(store: Store) -> JournalEntry | None:
    with store.reading() as unit:
        entries = unit.journal.entries(TENANT)
    return entries[-1] if entries else None


def conclusions() -> st.SearchStrategy[Move]:
    return st.builds(
        Move,
        kind=st.just("concluded"),
        realm=st.sampled_from(REALMS),
        content=plain_text(),
        picks=st.tuples(*[st.integers(0, 100)] * 3),
    )


def but_past_beliefs(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("beliefs ")]


@given(histories(20), conclusions(), st.booleans())
def test_applying_a_change_set_twice_equals_once(
    moves: list[Move], conclusion: Move, in_sqlite: bool
) -> None:
    """A conclusion applied again, as after a crash, leaves the projection as it was."""
    with sqlite_store() as sqlite:
        store = sqlite if in_sqlite else ReferenceStore()
        Player(store).play([*moves, conclusion])
        once = contents(store)
        entry = last_entry(store)
        assert entry is not None
        assert not any(isinstance(each, AddImportance) for each in entry.change_set.changes)
        with store.writing() as unit:
            stamp = Stamp(entry.recorded_at, None)
            unit.projection.apply(TENANT, entry.change_set.changes, stamp)
        assert contents(store) == once


@given(histories(20), conclusions())
def test_reverting_what_was_added_restores_the_projection(
    moves: list[Move], conclusion: Move
) -> None:
    """Memories, edges and words that a run added are gone without a trace once it is reverted."""
    with sqlite_store() as store:
        player = Player(store)
        player.play(moves)
        # Only what was added: picking "mem_unknown" leaves nothing to archive.
        adding = replace(conclusion, picks=(conclusion.picks[0], 0, 0))
        before = contents(store)
        player.play([adding])
        assert contents(store) != before
        revert(player, last_entry(store))
        assert contents(store) == before


@given(histories(20), conclusions())
def test_reverting_what_was_changed_restores_what_is_believed(
    moves: list[Move], conclusion: Move
) -> None:
    """After a revert everything is believed as before, and rebuilding agrees.

    The belief held in between stays readable for its own time, as every belief does.
    """
    with sqlite_store() as store:
        player = Player(store)
        player.play(moves)
        before = contents(store)
        moment = player.scribe.clock.now()
        then = [listed(store, moment, index) for index in range(len(REALMS))]
        player.play([conclusion])
        revert(player, last_entry(store))
        assert but_past_beliefs(contents(store)) == but_past_beliefs(before)
        assert set(before) <= set(contents(store))
        assert [listed(store, moment, index) for index in range(len(REALMS))] == then
        reverted = contents(store)
        rebuild(store, TENANT)
        assert contents(store) == reverted


def revert(player: Player, entry: JournalEntry | None) -> None:
    assert entry is not None
    concluded = entry.change_set
    player.scribe.conclude(concluded.undo, realm=concluded.realm, reverts=entry.number)


def listed(store: Store, moment: datetime, index: int) -> Sequence[Memory]:
    as_of = Standpoint(View.AS_OF, moment, moment)
    with store.reading() as unit:
        return unit.projection.listing(REALMS[index], as_of, limit=1_000)
