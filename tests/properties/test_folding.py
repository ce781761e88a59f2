"""However a ledger is folded, the same projection comes out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.stores import sqlite_store

from helix.ledger.workflow import tell
from helix.ports.store import Store
from helix.projection.workflow import follow, rebuild
from helix.testing import invariants
from helix.testing.histories import TENANT, Move, Player, contents, copy_record, fold_in_pieces
from helix.testing.reference_store import ReferenceStore
from helix.testing.strategies import histories

CUTS = st.lists(st.integers(1, 30), max_size=6)


def folded_again(store: Store, cuts: list[int], into: Store) -> list[str]:
    """Return what comes out when the same record is folded elsewhere, in other pieces."""
    copy_record(store, into)
    fold_in_pieces(into, cuts)
    return contents(into)


@given(histories(), CUTS)
def test_any_split_folds_to_the_same_projection(moves: list[Move], cuts: list[int]) -> None:
    """Folding at once, in random pieces, one by one and by rebuilding gives the same lines."""
    with sqlite_store() as live, sqlite_store() as pieces, sqlite_store() as whole:
        Player(live).play(moves)
        expected = contents(live)
        assert folded_again(live, cuts, pieces) == expected
        assert folded_again(live, [], whole) == expected
        rebuild(live, TENANT)
        assert contents(live) == expected


@given(histories())
def test_folding_twice_changes_nothing(moves: list[Move]) -> None:
    """Every record folded a second time, in order, leaves the projection as it was."""
    with sqlite_store() as store:
        Player(store).play(moves)
        expected = contents(store)
        with store.writing() as unit:
            for told in tell(unit.ledger, TENANT):
                follow(unit, told)
        assert contents(store) == expected


@given(histories(), CUTS, st.sets(st.integers(1, 30), max_size=4))
def test_a_ledger_with_erased_payloads_folds_the_same(
    moves: list[Move], cuts: list[int], erased: set[int]
) -> None:
    """Where payloads are gone, any split of what is left still gives the same projection."""
    with sqlite_store() as live:
        player = Player(live)
        player.play(moves)
        with live.reading() as unit:
            records = [unit.ledger.at(TENANT, position) for position in sorted(erased)]
        for record in records:
            if record is not None:
                player.scribe.erase(record.position, record.realm)
        rebuild(live, TENANT)
        expected = contents(live)
        with live.writing() as unit:
            unit.projection.clear(TENANT)
        fold_in_pieces(live, cuts)
        assert contents(live) == expected
        invariants.chain_verifies(live, TENANT)


@given(histories())
def test_invariants_hold_after_any_history(moves: list[Move]) -> None:
    """Seals, moments, rebuilding, beliefs, witnesses and edges are in order, on both backends."""
    with sqlite_store() as sqlite:
        for store in (sqlite, ReferenceStore()):
            Player(store).play(moves)
            invariants.chain_verifies(store, TENANT)
            invariants.moments_rise(store, TENANT)
            invariants.projection_equals_rebuild(store, TENANT)
            invariants.every_memory_reaches_a_record(store, TENANT)
            invariants.every_edge_joins_two_memories(store, TENANT)
