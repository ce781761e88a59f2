"""The vector index: a cache over the rows that finds what an exact search finds."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from helix.adapters.sqlite.meaning import MeaningIndex
from helix.adapters.sqlite.store import SqliteStore
from helix.rules.similarity import Vectors, packed, unit

DIMENSION, PLACE, MODEL = 384, 1, 1


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store without memories: the index knows of none."""
    store = SqliteStore(tmp_path / "memory.db")
    yield store
    store.close()


def drawn(count: int, seed: int = 1) -> Vectors:
    return unit(np.random.default_rng(seed).standard_normal((count, DIMENSION), dtype=np.float32))


def keep(store: SqliteStore, vectors: Vectors, first: int, place: int = PLACE) -> None:
    rows = [(first + n, place, MODEL, packed(vector)) for n, vector in enumerate(vectors)]
    with store.writing() as unit_:
        unit_.connection.executemany(
            "INSERT INTO vectors (memory, place, model, vector) VALUES (?, ?, ?, ?)", rows
        )


def asked(store: SqliteStore, index: MeaningIndex, vector: Vectors, count: int = 10) -> list[int]:
    with store.reading() as unit_:
        near = index.nearest(unit_.connection, PLACE, MODEL, vector, count)
    cosines = [cosine for _, cosine in near]
    assert cosines == sorted(cosines, reverse=True)
    return [memory for memory, _ in near]


IN_MEMORY, IN_THE_FILE = 2 * DIMENSION * 10_000, 0


@pytest.mark.parametrize(
    ("exact_up_to", "kept_bytes"),
    [(0, IN_THE_FILE), (0, IN_MEMORY), (10_000, IN_MEMORY)],
    ids=["coarse, then the file", "coarse, then memory", "exact"],
)
def test_the_nearest_are_found_however_they_are_searched(
    store: SqliteStore, exact_up_to: int, kept_bytes: int
) -> None:
    """At least 97 of 100 of the ten nearest, best first, and of this place alone."""
    vectors, questions = drawn(5_000), drawn(20, seed=2)
    keep(store, vectors, first=1)
    keep(store, questions, first=9_000, place=2)
    index = MeaningIndex(exact_up_to, kept_bytes)
    found = 0
    for question in questions:
        truth = (np.argsort(-(vectors @ question))[:10] + 1).tolist()
        found += len({*asked(store, index, question)} & {*truth})
    assert found / 200 >= 0.97


@pytest.mark.parametrize("exact_up_to", [0, 1_500, 10_000])
@pytest.mark.parametrize("kept", [0, 2_500, 10_000])
def test_what_is_added_later_is_found(store: SqliteStore, exact_up_to: int, kept: int) -> None:
    """The index catches up, also across the sizes from which on it is searched otherwise."""
    vectors = drawn(3_000)
    index = MeaningIndex(exact_up_to, 2 * DIMENSION * kept)
    assert asked(store, index, vectors[0]) == []
    for start in range(0, 3_000, 1_000):
        keep(store, vectors[start : start + 1_000], first=start + 1)
        for row in (start, start + 999):
            assert asked(store, index, vectors[row], count=1) == [row + 1]
    assert asked(store, index, vectors[0], count=1) == [1]


def test_threads_search_while_one_fills(store: SqliteStore) -> None:
    """Nobody reads what is half written: every thread finds what it looks for."""
    vectors = drawn(4_000)
    keep(store, vectors[:2_000], first=1)
    index = MeaningIndex(0)

    def look(row: int) -> bool:
        if row == 500:
            keep(store, vectors[2_000:], first=2_001)
        return asked(store, index, vectors[row], count=1) == [row + 1]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(look, range(0, 2_000, 20)))


@pytest.mark.parametrize("kept_bytes", [IN_THE_FILE, IN_MEMORY])
def test_comparing_ahead_changes_nothing_that_is_found(store: SqliteStore, kept_bytes: int) -> None:
    """A question that was compared in another thread is answered as one that was not."""
    vectors = drawn(3_000)
    keep(store, vectors[:2_000], first=1)
    plain, ahead = MeaningIndex(0, kept_bytes), MeaningIndex(0, kept_bytes)
    for round_, question in enumerate(drawn(6, seed=3)):
        if round_ == 3:
            keep(store, vectors[2_000:], first=2_001)
        with store.reading() as unit_, ThreadPoolExecutor(1) as pool:
            compare = ahead.ahead(unit_.connection, [PLACE, 7], MODEL, DIMENSION)
            pool.submit(compare, question)
            found = ahead.nearest(unit_.connection, PLACE, MODEL, question, 10)
            assert found == plain.nearest(unit_.connection, PLACE, MODEL, question, 10)


@pytest.mark.parametrize("exact_up_to", [0, 10_000])
def test_a_memory_embedded_anew_stands_once_with_its_new_vector(
    store: SqliteStore, exact_up_to: int
) -> None:
    """As after scrubbing: the old vector is gone from the file, and must not speak for it."""
    vectors = drawn(1_000)
    keep(store, vectors, first=1)
    index = MeaningIndex(exact_up_to)
    assert asked(store, index, vectors[4], count=1) == [5]
    with store.writing() as unit_:
        unit_.connection.execute("DELETE FROM vectors WHERE memory = 5")
    keep(store, drawn(1, seed=9), first=5)
    assert 5 not in asked(store, index, vectors[4], count=50)
    assert asked(store, index, drawn(1, seed=9)[0], count=50).count(5) == 1
    with store.reading() as unit_:
        held = index.held(unit_.connection, PLACE, MODEL, DIMENSION, [5, 999_999])
    assert held is not None
    assert held[0].tolist() == [5]
    assert np.allclose(held[1][0], drawn(1, seed=9)[0], atol=1e-3)


@pytest.mark.parametrize("exact_up_to", [0, 10_000])
def test_what_is_kept_more_coarsely_is_held_so_in_memory(
    store: SqliteStore, exact_up_to: int
) -> None:
    """Otherwise figures for coarse vectors would be those of fine ones."""
    vectors = drawn(100)
    keep(store, vectors, first=1)
    index = MeaningIndex(exact_up_to)
    asked(store, index, vectors[0])
    index.replace(PLACE, MODEL, [3, 500], drawn(2, seed=5), bits=4)
    with store.reading() as unit_:
        held = index.held(unit_.connection, PLACE, MODEL, DIMENSION, [2, 3])
    assert held is not None
    assert held[2].tolist() == [16, 4]
    # What lies beyond the scale of the vector before it is cut to it.
    assert np.allclose(held[1][1], drawn(2, seed=5)[0], atol=0.06)
    assert float(held[1][1] @ drawn(2, seed=5)[0]) > 0.99
