"""SQLite answers every question as the reference does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from tests.properties.stores import sqlite_store

from helix.model.memory import Memory, Status
from helix.model.question import Standpoint, View
from helix.model.scope import Realm
from helix.ports.projection import Hit
from helix.ports.store import Unit
from helix.testing.histories import REALMS, TENANT, Move, Player
from helix.testing.reference_store import ReferenceStore
from helix.testing.strategies import PLAIN_WORDS, histories

MOST = 1_000
ASKERS = (*REALMS, Realm("stranger", "ann", "global"))


def looked_up(unit: Unit, positions: range, ids: list[str], began: datetime) -> Iterator[object]:
    """Yield everything that folding may look up."""
    known = unit.projection
    for tenant in (TENANT, "stranger"):
        yield known.checkpoint(tenant)
        for position in positions:
            yield known.born_at(tenant, position)
            yield known.touched_by(tenant, position)
            yield unit.ledger.at(tenant, position)
            for asker in ASKERS:
                yield known.episode_of(asker, f"event{position}")
            yield known.awaiting(tenant, f"event{position}")
            yield known.edge(tenant, f"edge_{position}_1")
        for memory_id in ids:
            held = known.held(tenant, memory_id)
            yield held
            yield known.taken(tenant, memory_id)
            yield known.replaced_by(tenant, memory_id)
            yield known.earlier(tenant, memory_id)
            yield [known.belief_before(tenant, memory_id, position) for position in positions]
            if held is not None:
                for moment in (began, began + timedelta(seconds=9)):
                    yield known.alike(held.realm, held.fingerprint, moment)
                    yield known.alike(held.realm, held.fingerprint, moment, held.id)


def asked_by_id(unit: Unit, asker: Realm, moment: datetime, ids: list[str]) -> Iterator[object]:
    """Yield everything that can be asked about single memories."""
    for memory_id in ids:
        yield unit.projection.memory(asker, memory_id)
        yield unit.projection.memory(asker, memory_id, moment)
        yield unit.projection.beliefs(asker, memory_id)
        for believed_on in (None, moment):
            edges = unit.projection.neighbours(asker, memory_id, believed_on=believed_on)
            yield sorted(edges, key=lambda edge: edge.id)


def asked_in_general(
    unit: Unit, asker: Realm, moments: list[datetime], words: list[str]
) -> Iterator[object]:
    """Yield lists, finds, counts, sessions, sums and records, from every standpoint."""
    asked = unit.projection
    yield asked.counts(asker)
    yield asked.importance_budget(asker)
    yield [asked.session(asker, name) for name in ("s0", "s1", "s2")]
    yield unit.ledger.recent([asker], limit=5)
    for standpoint in standpoints(*moments):
        yield asked.listing(asker, standpoint, limit=MOST)
        yield asked.listing(asker, standpoint, limit=3, before=9)
        yield asked.listing(asker, standpoint, types=["fact", "episode"], limit=MOST)
        yield asked.listing(asker, standpoint, statuses=[Status.FORGOTTEN], limit=MOST)
        yield found(asked.by_words(asker, words, standpoint, limit=MOST))
        yield found(asked.by_words(asker, words, standpoint, types=["fact"], limit=MOST))


def standpoints(true_on: datetime, believed_on: datetime) -> list[Standpoint]:
    return [
        *(Standpoint(view, true_on) for view in View),
        Standpoint(View.AS_OF, true_on, believed_on),
        Standpoint(View.HISTORY, true_on, believed_on),
    ]


def found(hits: object) -> dict[str, tuple[Memory, tuple[str, ...]]]:
    """Return hits as a set: how well they fit is each backend's own business."""
    assert isinstance(hits, list)
    return {hit.memory.id: (hit.memory, hit.matched) for hit in hits if isinstance(hit, Hit)}


@given(
    histories(25),
    st.tuples(st.integers(-1, 26), st.integers(-1, 26)),
    st.lists(
        st.sampled_from([*PLAIN_WORDS, "kafka deploy", "token cache"]), min_size=1, max_size=4
    ),
)
def test_every_read_gives_the_same(
    moves: list[Move], seconds: tuple[int, int], words: list[str]
) -> None:
    """For the same history, every read method of both stores returns the same."""
    with sqlite_store() as sqlite:
        reference = ReferenceStore()
        player = Player(sqlite)
        began = player.scribe.clock.now()
        player.play(moves)
        Player(reference).play(moves)
        moments = [began + timedelta(seconds=each) for each in seconds]
        positions, ids = range(1, len(moves) + 2), list(player.ids)
        with sqlite.reading() as one, reference.reading() as other:
            ours, theirs = (list(looked_up(unit, positions, ids, began)) for unit in (one, other))
            assert ours == theirs
            for asker in ASKERS:
                ours, theirs = (
                    [
                        *asked_by_id(unit, asker, moments[0], ids),
                        *asked_in_general(unit, asker, moments, words),
                    ]
                    for unit in (one, other)
                )
                assert ours == theirs, asker
