"""Finding by meaning: vectors in the file are the truth, an index in memory is a cache.

Each (place, model) has an index of its own, so another scope's vectors are never looked at.
An index catches up by watermark: vectors are only ever added, in the order of `sequence`,
by whichever process embeds. Small indexes are searched exactly; large ones by a coarse form
first, and the short list is measured with the vectors read from the file. Vectors that are
kept coarsely have such a form as well, so any mixture of precisions works.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

import apsw
import numpy as np
import numpy.typing as npt

from helix.adapters.sqlite.rows import Row
from helix.rules.precision import read
from helix.rules.similarity import (
    Coarse,
    Codes,
    Vectors,
    coarse,
    coarse_products,
    nearest_rows,
)

Kind = TypeVar("Kind", bound=np.generic)
Products = npt.NDArray[np.float32] | npt.NDArray[np.int32]

EXACT_UP_TO = 20_000
"""Vectors that are searched exactly; 20,000 of 384 dimensions take 30 MB and 3 ms."""

SHORT_LIST = 600
"""Rows that go from the coarse form to exact measuring, where no more than this are wanted."""

BRIEF_LIST = 48
"""The same for comparing a new memory with its five nearest, where a miss costs little."""

CATCH_UP = (
    "SELECT sequence, memory, vector, bits FROM vectors INDEXED BY vectors_places"
    " WHERE place = ? AND model = ? AND sequence > ? ORDER BY sequence"
)
VECTORS = (
    "SELECT v.memory, v.vector, v.bits FROM json_each(?) wanted"
    " CROSS JOIN vectors v ON v.sequence = wanted.value"
)
_BATCH = 4096


class _Filled(NamedTuple):
    """The vectors of a place up to a moment. Never written to where it can be read."""

    memories: npt.NDArray[np.int64]
    sequences: npt.NDArray[np.int64]
    coarse: Coarse
    exact: Vectors | None
    last: dict[tuple[int, bytes], Products]

    def __len__(self) -> int:
        return len(self.memories)

    def compared(self, asked: Vectors) -> Products:
        """Return every vector measured against the question, coarsely where there are many.

        The same question comes several times in a row: more widely, and for another view.
        """
        question = (len(self), asked.tobytes())
        found = self.last.get(question)
        if found is None:
            # Not by a matrix product: BLAS would keep another core busy long after it.
            found = (
                coarse_products(self.coarse, asked)
                if self.exact is None
                else np.vecdot(self.exact, asked)
            )
            self.last.clear()
            self.last[question] = found
        return found


class _Index:
    """What is known of one place's vectors, grown by doubling."""

    def __init__(self, dimension: int, exact_up_to: int) -> None:
        self.watermark = 0
        self._dimension = dimension
        self._exact_up_to = exact_up_to
        self._count = 0
        self._memories = np.empty(0, np.int64)
        self._sequences = np.empty(0, np.int64)
        self._planes: Codes = np.empty((2 * -(-dimension // 64), 0), np.uint64)
        self._sums = np.empty(0, np.uint16)
        self._exact: Vectors | None = np.empty((0, dimension), np.float32)
        self._last: dict[tuple[int, bytes], Products] = {}

    def add(self, sequences: Sequence[int], memories: Sequence[int], vectors: Vectors) -> None:
        """Take in a batch of vectors."""
        start, end = self._count, self._count + len(memories)
        self._make_room(end)
        self._memories[start:end] = memories
        self._sequences[start:end] = sequences
        self._planes[:, start:end], self._sums[start:end] = coarse(vectors)
        if self._exact is not None:
            self._exact[start:end] = vectors
        self._count = end
        self.watermark = sequences[-1]

    def filled(self) -> _Filled:
        """Return what there is now. What is added later lies beyond it."""
        end = self._count
        return _Filled(
            self._memories[:end],
            self._sequences[:end],
            Coarse(self._planes[:, :end], self._sums[:end]),
            None if self._exact is None else self._exact[:end],
            self._last,
        )

    def _make_room(self, rows: int) -> None:
        if rows > self._exact_up_to:
            self._exact = None
        if rows <= len(self._memories):
            return
        room = max(1024, 1 << (rows - 1).bit_length())
        self._memories = _grown(self._memories, (room,))
        self._sequences = _grown(self._sequences, (room,))
        self._planes = _grown(self._planes, (len(self._planes), room))
        self._sums = _grown(self._sums, (room,))
        if self._exact is not None:
            self._exact = _grown(self._exact, (room, self._dimension))


class MeaningIndex:
    """The vector indexes of one process, shared by its threads."""

    def __init__(self, exact_up_to: int = EXACT_UP_TO) -> None:
        """Begin with nothing; indexes fill when they are first asked."""
        self._exact_up_to = exact_up_to
        self._indexes: dict[tuple[int, int], _Index] = {}
        self._lock = threading.Lock()

    def forget(self) -> None:
        """Drop every index; they fill again from the file."""
        with self._lock:
            self._indexes.clear()

    def nearest(
        self, connection: apsw.Connection, place: int, model: int, asked: Vectors, count: int
    ) -> list[tuple[int, float]]:
        """Return (memory key, cosine) of the nearest vectors of a place, nearest first."""
        # Only filling is done in turn: threads search at the same time.
        with self._lock:
            filled = self._caught_up(connection, place, model, len(asked))
        if not len(filled):
            return []
        products = filled.compared(asked)
        if filled.exact is not None:
            rows = nearest_rows(-products, count)
            memories, cosines = filled.memories[rows], products[rows]
        else:
            rows = nearest_rows(-products, max(SHORT_LIST, 2 * count))
            memories, cosines = _measured(connection, filled.sequences[rows], asked)
        best = np.lexsort((memories, -cosines))[:count]
        return list(zip(memories[best].tolist(), cosines[best].tolist(), strict=True))

    def nearest_of_each(
        self, connection: apsw.Connection, place: int, model: int, asked: Vectors, count: int
    ) -> list[list[tuple[int, float]]]:
        """Return the same for several vectors at once, from a shorter list."""
        with self._lock:
            filled = self._caught_up(connection, place, model, asked.shape[1])
        if not len(filled):
            return [[] for _ in asked]
        found = []
        every = None if filled.exact is None else asked @ filled.exact.T
        for row, vector in enumerate(asked):
            if every is not None:
                rows = nearest_rows(-every[row], count)
                memories, cosines = filled.memories[rows], every[row][rows]
            else:
                rows = nearest_rows(-coarse_products(filled.coarse, vector), BRIEF_LIST)
                memories, cosines = _measured(connection, filled.sequences[rows], vector)
            best = np.lexsort((memories, -cosines))[:count]
            found.append(list(zip(memories[best].tolist(), cosines[best].tolist(), strict=True)))
        return found

    def _caught_up(
        self, connection: apsw.Connection, place: int, model: int, dimension: int
    ) -> _Filled:
        index = self._indexes.get((place, model))
        if index is None:
            index = self._indexes[place, model] = _Index(dimension, self._exact_up_to)
        rows: Iterator[Row] = connection.execute(CATCH_UP, (place, model, index.watermark))
        while batch := list(islice(rows, _BATCH)):
            sequences, memories, bodies, bits = zip(*batch, strict=True)
            index.add(sequences, memories, read(bodies, bits, dimension))
        return index.filled()


def _measured(
    connection: apsw.Connection, sequences: npt.NDArray[np.int64], asked: Vectors
) -> tuple[npt.NDArray[np.int64], Vectors]:
    """Return the memories of some vectors and their exact cosines, reading them from the file."""
    # In the order of the file: neighbours in it are read together.
    wanted = str(np.sort(sequences).tolist())
    found: list[Row] = connection.execute(VECTORS, (wanted,)).fetchall()
    memories = np.array([row[0] for row in found], np.int64)
    vectors = read([row[1] for row in found], [row[2] for row in found], len(asked))
    return memories, np.asarray(vectors @ asked)


def _grown(array: npt.NDArray[Kind], shape: tuple[int, ...]) -> npt.NDArray[Kind]:
    larger = np.empty(shape, dtype=array.dtype)
    larger[tuple(slice(0, size) for size in array.shape)] = array
    return larger
