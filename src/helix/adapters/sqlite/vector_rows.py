"""The vectors of one place in memory, one to a row: as they are where they fit, coarsely always.

Few are kept as they are compared, more as finely as in the file, and of very many only a coarse
form. A memory whose vector was made anew has two rows; the newer one speaks for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from helix.adapters.sqlite.comparison import Comparison
from helix.rules.similarity import (
    Coarse,
    Codes,
    Room,
    Short,
    Vectors,
    coarse,
    lengthened,
    nearest_rows,
    shortened,
)

Kind = TypeVar("Kind", bound=np.generic)
Keys = npt.NDArray[np.int64]

EXACT_UP_TO = 20_000
"""Vectors that are searched exactly; 20,000 of 384 dimensions take 30 MB and 3 ms."""

KEPT_BYTES = 100_663_296
"""Bytes that vectors may take in memory, at two a dimension: 131,072 of 384 dimensions. Reading
the short list from the file instead takes as long as all the comparing."""

SHORT_LIST = 600
"""Rows that go from the coarse form to exact measuring, where no more than this are wanted."""

_NO_ROW = -1


class Filled(NamedTuple):
    """The vectors of a place up to a moment.

    Never written to where it can be read, but for a vector that is kept more coarsely: whoever
    reads it just then reads of both forms, which stand for the same and have one scale.
    """

    memories: Keys
    sequences: Keys
    coarse: Coarse
    exact: Vectors | None
    short: Short | None
    scales: Vectors
    bits: npt.NDArray[np.uint8]
    row_of: npt.NDArray[np.int32]
    last: dict[tuple[int, bytes], Comparison]
    rooms: list[Room]

    def __len__(self) -> int:
        return len(self.memories)

    def comparison(self, asked: Vectors) -> Comparison:
        """Return the question's comparison with every vector, coarsely where there are many.

        The same question comes several times in a row: ahead of being asked, more widely, and
        for another view.
        """
        question = (len(self), asked.tobytes())
        found = self.last.get(question)
        if found is None:
            among = self.coarse if self.exact is None else self.exact
            # Whoever else asks it at this moment is given the same one.
            found = self.last.setdefault(question, Comparison(among, asked, self.rooms))
            for other in list(self.last):
                if other != question:
                    self.last.pop(other, None)
        return found

    def nearest(self, asked: Vectors, count: int) -> tuple[Keys, Vectors] | None:
        """Return memories and their cosines, nearest first; None if the file must be read."""
        if self.exact is None and self.short is None:
            return None
        rows = self.short_list(asked, count)
        newest = self.row_of[self.memories[rows]]
        rows = rows[(newest == rows) | (newest >= len(self))]
        return self.memories[rows], np.vecdot(self._vectors(rows), asked)

    def short_list(self, asked: Vectors, count: int) -> npt.NDArray[np.intp]:
        """Return the rows that are to be measured to find the nearest."""
        return nearest_rows(-self.comparison(asked).products(), max(SHORT_LIST, 2 * count))

    def held(self, memories: Keys) -> tuple[Keys, Vectors, npt.NDArray[np.uint8]] | None:
        """Return those of these memories that have a vector, it and its bits; or None, as above."""
        if self.exact is None and self.short is None:
            return None
        within = memories[memories < len(self.row_of)]
        rows = self.row_of[within]
        there = (rows != _NO_ROW) & (rows < len(self))
        rows = rows[there]
        return within[there], self._vectors(rows), self.bits[rows]

    def _vectors(self, rows: npt.NDArray[np.integer[Any]]) -> Vectors:
        if self.exact is not None:
            return np.asarray(self.exact[rows])
        assert self.short is not None  # or nobody would ask
        return lengthened(self.short[rows], self.scales[rows])


class VectorRows:
    """What is known of one place's vectors, grown by doubling."""

    def __init__(self, dimension: int, exact_up_to: int, kept_up_to: int) -> None:
        """Take how many vectors are compared as they are, and how many are kept at all."""
        self.watermark = 0
        self._dimension = dimension
        self._exact_up_to = exact_up_to
        self._kept_up_to = kept_up_to
        self._count = 0
        self._memories = np.empty(0, np.int64)
        self._sequences = np.empty(0, np.int64)
        self._planes: Codes = np.empty((2 * -(-dimension // 64), 0), np.uint64)
        self._sums = np.empty(0, np.uint16)
        self._scales = np.empty(0, np.float32)
        self._bits = np.empty(0, np.uint8)
        self._row_of = np.empty(0, np.int32)
        self._exact: Vectors | None = np.empty((0, dimension), np.float32)
        self._short: Short | None = None
        self._last: dict[tuple[int, bytes], Comparison] = {}
        self._rooms: list[Room] = []

    def add(
        self,
        sequences: Sequence[int],
        memories: Sequence[int],
        vectors: Vectors,
        bits: Sequence[int],
    ) -> None:
        """Take in a batch of vectors."""
        start, end = self._count, self._count + len(memories)
        self._make_room(end, max(memories))
        self._memories[start:end] = memories
        self._sequences[start:end] = sequences
        self._planes[:, start:end], self._sums[start:end] = coarse(vectors)
        if self._in_memory():
            self._bits[start:end] = bits
            self._row_of[list(memories)] = np.arange(start, end)
        if self._exact is not None:
            self._exact[start:end] = vectors
        elif self._short is not None:
            self._short[start:end], self._scales[start:end] = shortened(vectors)
        self._count = end
        self.watermark = sequences[-1]

    def replace(self, memories: Sequence[int], vectors: Vectors, bits: int) -> None:
        """Hear that vectors are kept more coarsely now."""
        if not self._in_memory():
            return
        for memory, vector in zip(memories, vectors, strict=True):
            row = self._row_of[memory] if memory < len(self._row_of) else _NO_ROW
            if row == _NO_ROW:
                continue
            self._bits[row] = bits
            if self._exact is not None:
                self._exact[row] = vector
            elif self._short is not None:
                self._short[row], _ = shortened(vector, self._scales[row])
        self._last.clear()

    def _in_memory(self) -> bool:
        return self._exact is not None or self._short is not None

    def filled(self) -> Filled:
        """Return what there is now. What is added later lies beyond it."""
        end = self._count
        return Filled(
            self._memories[:end],
            self._sequences[:end],
            Coarse(self._planes[:, :end], self._sums[:end]),
            None if self._exact is None else self._exact[:end],
            None if self._short is None else self._short[:end],
            self._scales[:end],
            self._bits[:end],
            self._row_of,
            self._last,
            self._rooms,
        )

    def _make_room(self, rows: int, memory: int) -> None:
        if rows > self._kept_up_to:
            self._exact = self._short = None
            self._scales, self._bits = np.empty(0, np.float32), np.empty(0, np.uint8)
            self._row_of = np.empty(0, np.int32)
        elif rows > self._exact_up_to and self._exact is not None:
            self._short, self._scales = shortened(self._exact[: self._count])
            self._exact = None
        if rows > len(self._memories):
            self._grow(max(1024, 1 << (rows - 1).bit_length()))
        if self._short is not None and len(self._short) < len(self._memories):
            self._short = _grown(self._short, (len(self._memories), self._dimension))
            self._scales = _grown(self._scales, (len(self._memories),))
        if self._in_memory() and memory >= len(self._row_of):
            before = len(self._row_of)
            self._row_of = _grown(self._row_of, (max(1024, 1 << memory.bit_length()),))
            self._row_of[before:] = _NO_ROW

    def _grow(self, room: int) -> None:
        self._memories = _grown(self._memories, (room,))
        self._sequences = _grown(self._sequences, (room,))
        self._planes = _grown(self._planes, (len(self._planes), room))
        self._sums = _grown(self._sums, (room,))
        if self._in_memory():
            self._bits = _grown(self._bits, (room,))
        if self._exact is not None:
            self._exact = _grown(self._exact, (room, self._dimension))


def _grown(array: npt.NDArray[Kind], shape: tuple[int, ...]) -> npt.NDArray[Kind]:
    larger = np.empty(shape, dtype=array.dtype)
    larger[tuple(slice(0, size) for size in array.shape)] = array
    return larger
