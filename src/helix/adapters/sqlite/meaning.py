"""Finding by meaning: vectors in the file are the truth, an index in memory is a cache.

Each (place, model) has an index of its own, so another scope's vectors are never looked at.
An index catches up by watermark: vectors are added in the order of `sequence`, by whichever
process embeds. Where they went or changed otherwise, it is dropped (`generations`). Small
indexes are searched exactly; large ones by a coarse form first, and the short list is measured
with the vectors themselves, in memory where they fit and read from the file where they do not.
Vectors that are kept coarsely have such a form as well, so any mixture of precisions works.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import apsw
import numpy as np
import numpy.typing as npt

from helix.adapters.sqlite.generations import generation
from helix.adapters.sqlite.lengths import readable
from helix.adapters.sqlite.rows import Row
from helix.adapters.sqlite.vector_rows import (
    EXACT_UP_TO,
    KEPT_BYTES,
    Filled,
    Keys,
    VectorRows,
)
from helix.rules.precision import read
from helix.rules.similarity import Vectors, coarse_products, nearest_rows

BRIEF_LIST = 48
"""Rows measured to compare a new memory with its five nearest, where a miss costs little."""

CATCH_UP = (
    "SELECT sequence, memory, vector, bits FROM vectors INDEXED BY vectors_places"
    " WHERE place = ? AND model = ? AND sequence > ? ORDER BY sequence"
)
VECTORS = (
    "SELECT v.memory, v.vector, v.bits FROM json_each(?) wanted"
    " CROSS JOIN vectors v ON v.sequence = wanted.value"
)
_BATCH = 4096


class MeaningIndex:
    """The vector indexes of one process, shared by its threads."""

    def __init__(self, exact_up_to: int = EXACT_UP_TO, kept_bytes: int = KEPT_BYTES) -> None:
        """Begin with nothing; indexes fill when they are first asked."""
        self._exact_up_to = exact_up_to
        self._kept_bytes = kept_bytes
        self._indexes: dict[tuple[int, int], VectorRows] = {}
        self._generation = 0
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Drop every index; they fill again from the file."""
        with self._lock:
            self._indexes.clear()

    def ahead(
        self, connection: apsw.Connection, places: Sequence[int], model: int, dimension: int
    ) -> Callable[[Vectors], None]:
        """Return what compares a question with these places, before `nearest` is asked for it.

        The connection is used now; what is returned needs none, so another thread may call it.
        What is in memory catches up; reading all of a place for the first time can wait.
        """
        with self._lock:
            self._turn_to(generation(connection))
            every = [
                self._caught_up(connection, place, model, dimension)
                for place in places
                if (place, model) in self._indexes
            ]

        def compare(asked: Vectors) -> None:
            for filled in every:
                if len(filled):
                    filled.comparison(asked).work()

        return compare

    def nearest(
        self, connection: apsw.Connection, place: int, model: int, asked: Vectors, count: int
    ) -> list[tuple[int, float]]:
        """Return (memory key, cosine) of the nearest vectors of a place, nearest first."""
        filled = self._filled(connection, place, model, len(asked))
        if not len(filled):
            return []
        found = filled.nearest(asked, count)
        if found is None:
            rows = filled.short_list(asked, count)
            found = _measured(connection, filled.sequences[rows], asked)
        return _listed(found, count)

    def nearest_of_each(
        self, connection: apsw.Connection, place: int, model: int, asked: Vectors, count: int
    ) -> list[list[tuple[int, float]]]:
        """Return the same for several vectors at once, from a shorter list."""
        filled = self._filled(connection, place, model, asked.shape[1])
        if not len(filled):
            return [[] for _ in asked]
        if filled.exact is not None:
            every = asked @ filled.exact.T
            nearest = [nearest_rows(-products, count) for products in every]
            return [
                _listed((filled.memories[rows], products[rows]), count)
                for rows, products in zip(nearest, every, strict=True)
            ]
        found = []
        for vector in asked:
            rows = nearest_rows(-coarse_products(filled.coarse, vector), BRIEF_LIST)
            found.append(_listed(_measured(connection, filled.sequences[rows], vector), count))
        return found

    def held(
        self, connection: apsw.Connection, place: int, model: int, dimension: int,
        memories: Sequence[int],
    ) -> tuple[Keys, Vectors, npt.NDArray[np.uint8]] | None:  # fmt: skip
        """Return which of these memories have a vector, these and their bits.

        None where the vectors are too many to be in memory, and the file must be read.
        """
        filled = self._filled(connection, place, model, dimension)
        return filled.held(np.array(memories, np.int64))

    def replace(
        self, place: int, model: int, memories: Sequence[int], vectors: Vectors, bits: int
    ) -> None:
        """Hear that vectors of a place are kept more coarsely now."""
        with self._lock:
            index = self._indexes.get((place, model))
            if index is not None:
                index.replace(memories, vectors, bits)

    def _filled(
        self, connection: apsw.Connection, place: int, model: int, dimension: int
    ) -> Filled:
        # Only filling is done in turn: threads search at the same time.
        with self._lock:
            self._turn_to(generation(connection))
            return self._caught_up(connection, place, model, dimension)

    def _turn_to(self, wanted: int) -> None:
        # Not only to a later one: another thread may still read what was before.
        if wanted != self._generation:
            self._indexes.clear()
            self._generation = wanted

    def _caught_up(
        self, connection: apsw.Connection, place: int, model: int, dimension: int
    ) -> Filled:
        index = self._indexes.get((place, model))
        if index is None:
            kept = self._kept_bytes // (2 * max(1, dimension))
            index = self._indexes[place, model] = VectorRows(dimension, self._exact_up_to, kept)
        rows: Iterator[Row] = connection.execute(CATCH_UP, (place, model, index.watermark))
        while batch := list(islice(rows, _BATCH)):
            if sound := readable(batch, dimension):
                sequences, memories, bodies, bits = zip(*sound, strict=True)
                index.add(sequences, memories, read(bodies, bits, dimension), bits)
            index.watermark = batch[-1][0]
        return index.filled()


def _measured(
    connection: apsw.Connection, sequences: npt.NDArray[np.int64], asked: Vectors
) -> tuple[npt.NDArray[np.int64], Vectors]:
    """Return the memories of some vectors and their exact cosines, reading them from the file."""
    # In the order of the file: neighbours in it are read together.
    wanted = str(np.sort(sequences).tolist())
    rows: list[Row] = connection.execute(VECTORS, (wanted,)).fetchall()
    found = readable(rows, len(asked))
    memories = np.array([row[0] for row in found], np.int64)
    vectors = read([row[1] for row in found], [row[2] for row in found], len(asked))
    return memories, np.asarray(vectors @ asked)


def _listed(found: tuple[Keys, Vectors], count: int) -> list[tuple[int, float]]:
    memories, cosines = found
    best = np.lexsort((memories, -cosines))[:count]
    return list(zip(memories[best].tolist(), cosines[best].tolist(), strict=True))
