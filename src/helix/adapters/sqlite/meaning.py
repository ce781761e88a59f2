"""Finding by meaning: vectors in the file are the truth, an index in memory is a cache.

Each (place, model) has an index of its own, so another scope's vectors are never looked at.
An index catches up by watermark: vectors are only ever added, in the order of `sequence`,
by whichever process embeds. Small indexes are searched exactly; large ones by signs first,
and the short list is measured with the vectors read from the file. Vectors that are kept
coarsely keep their signs, so both steps work with any mixture of precisions.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

import apsw
import numpy as np
import numpy.typing as npt

from helix.adapters.sqlite.rows import Row
from helix.rules.precision import read
from helix.rules.similarity import Codes, Vectors, differing, nearest_rows, signs

Kind = TypeVar("Kind", bound=np.generic)

EXACT_UP_TO = 20_000
"""Vectors that are searched exactly; 20,000 of 384 dimensions take 30 MB and 3 ms."""

SHORT_LIST = 400
"""Rows that go from signs to exact measuring."""

BRIEF_LIST = 48
"""The same for comparing a new memory with its five nearest, where a miss costs little."""

CATCH_UP = (
    "SELECT sequence, memory, vector, bits FROM vectors INDEXED BY vectors_places"
    " WHERE place = ? AND model = ? AND sequence > ? ORDER BY sequence"
)
VECTOR = "SELECT vector, bits FROM vectors WHERE memory = ? AND model = ?"
_BATCH = 4096


@dataclass
class _Index:
    """What is known of one place's vectors, grown by doubling."""

    dimension: int
    watermark: int = 0
    count: int = 0
    memories: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    codes: Codes = field(default_factory=lambda: np.empty((0, 0), np.uint64))
    exact: Vectors | None = field(default_factory=lambda: np.empty((0, 0), np.float32))

    def add(self, memories: Sequence[int], vectors: Vectors) -> None:
        """Take in a batch of vectors."""
        end = self.count + len(memories)
        self._make_room(end)
        self.memories[self.count : end] = memories
        self.codes[self.count : end] = signs(vectors)
        if self.exact is not None:
            if end > EXACT_UP_TO:
                self.exact = None
            else:
                self.exact[self.count : end] = vectors
        self.count = end

    def _make_room(self, rows: int) -> None:
        if rows <= len(self.memories):
            return
        room = max(1024, 1 << (rows - 1).bit_length())
        self.memories = np.resize(self.memories, room)
        words = -(-self.dimension // 64)
        self.codes = _grown(self.codes, (room, words))
        if self.exact is not None:
            self.exact = _grown(self.exact, (min(room, EXACT_UP_TO * 2), self.dimension))


class MeaningIndex:
    """The vector indexes of one process, shared by its threads."""

    def __init__(self) -> None:
        """Begin with nothing; indexes fill when they are first asked."""
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
        with self._lock:
            index = self._caught_up(connection, place, model, len(asked))
            if not index.count:
                return []
            if index.exact is not None:
                cosines = index.exact[: index.count] @ asked
                rows = nearest_rows(-cosines, count)
                found = [(int(index.memories[row]), float(cosines[row])) for row in rows]
            else:
                distances = differing(index.codes[: index.count], signs(asked[None, :]))
                rows = nearest_rows(distances, max(SHORT_LIST, 2 * count))
                keys = [int(index.memories[row]) for row in rows]
                found = measured(connection, model, keys, asked)
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:count]

    def nearest_of_each(
        self, connection: apsw.Connection, place: int, model: int, asked: Vectors, count: int
    ) -> list[list[tuple[int, float]]]:
        """Return the same for several vectors at once, from a short list cut to the count."""
        found = []
        with self._lock:
            index = self._caught_up(connection, place, model, asked.shape[1])
            if not index.count:
                return [[] for _ in asked]
            if index.exact is not None:
                cosines = asked @ index.exact[: index.count].T
                for row in cosines:
                    best = nearest_rows(-row, count)
                    found.append([(int(index.memories[each]), float(row[each])) for each in best])
                return found
        codes = signs(asked)
        for vector, code in zip(asked, codes, strict=True):
            # Let go in between: somebody may be waiting with a question.
            with self._lock:
                distances = differing(index.codes[: index.count], code[None, :])
                rows = nearest_rows(distances, BRIEF_LIST)
                keys = [int(index.memories[row]) for row in rows]
            near = measured(connection, model, keys, vector)
            found.append(sorted(near, key=lambda pair: -pair[1])[:count])
        return found

    def _caught_up(
        self, connection: apsw.Connection, place: int, model: int, dimension: int
    ) -> _Index:
        index = self._indexes.setdefault((place, model), _Index(dimension))
        rows: Iterator[Row] = connection.execute(CATCH_UP, (place, model, index.watermark))
        while batch := list(islice(rows, _BATCH)):
            memories = [row[1] for row in batch]
            bodies, bits = [row[2] for row in batch], [row[3] for row in batch]
            index.add(memories, read(bodies, bits, dimension))
            index.watermark = batch[-1][0]
        return index


def measured(
    connection: apsw.Connection, model: int, keys: Iterable[int], asked: Vectors
) -> list[tuple[int, float]]:
    """Return each memory's exact cosine, reading its vector from the file."""
    rows = [(key, connection.execute(VECTOR, (key, model)).fetchone()) for key in keys]
    kept = [(key, row) for key, row in rows if row is not None]
    cosines = read([row[0] for _, row in kept], [row[1] for _, row in kept], len(asked)) @ asked
    return [(key, float(cosine)) for (key, _), cosine in zip(kept, cosines, strict=True)]


def _grown(array: npt.NDArray[Kind], shape: tuple[int, int]) -> npt.NDArray[Kind]:
    larger = np.empty(shape, dtype=array.dtype)
    larger[: array.shape[0], : array.shape[1]] = array
    return larger
