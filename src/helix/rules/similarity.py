"""Closeness in meaning: unit vectors, their half-precision form, and a coarse form of them.

A vector is kept in half precision. Searching many of them goes by a coarse form first: each
component cut into four levels, two bits, and the question's into eight. Their product is
then a matter of counting bits, and finds a short list that is measured exactly. Signs alone
would be half as large, but find only 41 of 100 nearest vectors among 100,000 in directions
drawn evenly, where two bits find 99 (docs/adr/0060). numpy does the arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint64]
Short = npt.NDArray[np.int16]

STEP = 0.9957
"""The width of a level in standard deviations: the best for four levels of a normal spread."""

ASKED_BITS, STEP_ASKED = 3, 0.586
"""The question is cut finer, into eight levels; the best width for these."""

SAMPLED, SPARE = 64, 8
"""Every so many distances are looked at for a bound, and so many more of them lie within it."""

BLOCK = 32_768
"""Vectors counted at a time: what is worked on stays in the cache, and is not asked for often."""

_FIT_A_BYTE = 3  # words whose bits together count to less than 256


def packed(vector: Vectors) -> bytes:
    """Return a vector in half precision, as it is kept."""
    return vector.astype(np.float16).tobytes()


def unpacked(body: bytes) -> Vectors:
    """Return a kept vector, or several kept one after another, as one row."""
    return np.frombuffer(body, dtype=np.float16).astype(np.float32)


def stacked(vectors: Sequence[Vectors]) -> Vectors:
    """Return vectors as the rows of one array."""
    return np.stack(vectors)


def as_kept(vectors: Vectors) -> Vectors:
    """Return vectors as they will be once they were kept, so that comparing gives the same."""
    return vectors.astype(np.float16).astype(np.float32)


def unpacked_rows(bodies: Sequence[bytes]) -> Vectors:
    """Return kept vectors, one to a row."""
    return unpacked(b"".join(bodies)).reshape(len(bodies), -1 if bodies else 0)


def shortened(vectors: Vectors, scales: Vectors | None = None) -> tuple[Short, Vectors]:
    """Return vectors as whole numbers of 16 bits, and what one of them stands for in each.

    Finer than half precision, as large, and read six times as fast: numpy turns halves into
    floats one by one. What does not fit the `scales` given, if they are, is cut to them.
    """
    most = np.iinfo(np.int16).max
    if scales is None:
        highest = np.abs(vectors).max(axis=-1, initial=0.0) / most
        scales = np.maximum(highest, np.finfo(np.float32).tiny).astype(np.float32)
    whole = np.clip(np.rint(vectors / scales[..., None]), -most, most)
    return whole.astype(np.int16), scales


def lengthened(short: Short, scales: Vectors) -> Vectors:
    """Return vectors that were shortened."""
    return np.asarray(short.astype(np.float32) * scales[..., None], dtype=np.float32)


class Coarse(NamedTuple):
    """Vectors cut into levels: the low and the high bits, 64 to a word, and sums of levels.

    Words lie one after another for the same 64 components of all vectors, so that counting
    walks through memory in order.
    """

    planes: Codes
    sums: npt.NDArray[np.uint16]


def coarse(vectors: Vectors) -> Coarse:
    """Return the coarse form of unit vectors, one to a column."""
    levels = _levels(vectors, STEP, 2)
    planes = np.concatenate([_words(levels & 1), _words(levels >> 1)])
    return Coarse(planes, levels.sum(axis=1, dtype=np.uint16))


def coarse_products(among: Coarse, asked: Vectors) -> npt.NDArray[np.int32]:
    """Return how alike each coarse vector and the one asked about are; only the order counts."""
    question = CoarseQuestion(asked)
    products = np.empty(len(among.sums), np.int32)
    for start in range(0, len(products), BLOCK):
        block = Coarse(among.planes[:, start : start + BLOCK], among.sums[start : start + BLOCK])
        products[start : start + BLOCK] = question.products(block)
    return products


class Room(NamedTuple):
    """Where the bits of a block are counted: 1.7 MB that the system need not clear each time."""

    both: Codes
    counts: npt.NDArray[np.uint8]


def room(dimension: int) -> Room:
    """Return room to compare vectors of so many dimensions."""
    width = -(-dimension // 64)
    return Room(np.empty((width, BLOCK), np.uint64), np.empty((width, BLOCK), np.uint8))


class CoarseQuestion:
    """A vector asked about, cut into levels."""

    def __init__(self, asked: Vectors, within: Room | None = None) -> None:
        """Cut the vector; each thread that compares has a question, and room, of its own."""
        levels = _levels(asked[None, :], STEP_ASKED, ASKED_BITS)
        self._bits = [_words(levels >> bit & 1) for bit in range(ASKED_BITS)]
        self._width = len(self._bits[0])
        self._room = within or room(len(asked))

    def products(self, block: Coarse) -> npt.NDArray[np.int32]:
        """Return how alike it and each of at most `BLOCK` coarse vectors are.

        With a component a (level - 1.5) and one asked about b (level - 3.5), the sum of
        products is, but for a scale and a constant, 2 Σ ab - 7 Σ a over the levels.
        """
        total = np.zeros(len(block.sums), np.uint16)
        for high, plane in enumerate((block.planes[: self._width], block.planes[self._width :])):
            for place, wanted in enumerate(self._bits):
                total += self._counted(plane, wanted) << (high + place)
        highest = (1 << ASKED_BITS) - 1
        products = 2 * total.astype(np.int32) - highest * block.sums.astype(np.int32)
        return np.asarray(products, dtype=np.int32)

    def _counted(self, plane: Codes, wanted: Codes) -> npt.NDArray[np.uint16]:
        """Return in how many components both have a bit, per vector."""
        many = plane.shape[1]
        both, counts = self._room.both[:, :many], self._room.counts[:, :many]
        np.bitwise_and(plane, wanted, out=both)
        np.bitwise_count(both, out=counts)
        total = np.zeros(many, np.uint16)
        for start in range(0, len(counts), _FIT_A_BYTE):
            few = counts[start : start + _FIT_A_BYTE]
            total += np.add.reduce(few, axis=0, dtype=np.uint8)
        return total


def _levels(vectors: Vectors, step: float, bits: int) -> npt.NDArray[np.uint8]:
    scale = vectors.shape[1] ** 0.5 / step
    highest = (1 << bits) - 1
    levels = np.floor(vectors * scale + (highest + 1) / 2)
    return np.asarray(np.clip(levels, 0, highest), dtype=np.uint8)


def _words(bits: npt.NDArray[np.integer]) -> Codes:
    rows, width = bits.shape
    filled = np.zeros((rows, -(-width // 64) * 64), dtype=np.uint8)
    filled[:, :width] = bits
    return np.ascontiguousarray(np.packbits(filled, axis=1).view(np.uint64).T)


def nearest_rows(distances: npt.NDArray[np.generic], count: int) -> npt.NDArray[np.intp]:
    """Return the rows with the smallest distances, in no particular order."""
    if len(distances) <= count:
        return np.arange(len(distances))
    # Of many, most are ruled out by a bound that a sample gives: dividing all of them into
    # near and far takes ten times as long.
    sample = distances[::SAMPLED]
    place = 2 * count // SAMPLED + SPARE
    if place < len(sample):
        near = np.flatnonzero(distances <= np.partition(sample, place)[place])
        if len(near) >= count:
            return near[np.argpartition(distances[near], count - 1)[:count]]
    return np.argpartition(distances, count)[:count]


def cosines(vectors: Vectors) -> list[list[float]]:
    """Return the cosine of every row with every row."""
    found: list[list[float]] = (vectors @ vectors.T).tolist()
    return found


def closeness(
    asked: Vectors,
    vectors: Sequence[Vectors],
    groups: Sequence[Sequence[int]],
    shares: Sequence[float],
) -> list[tuple[float, float]]:
    """Return, for each group of vectors, the cosines of its first alone and of it with company.

    In company, the group's share of each other vector is added to the first.
    """
    if not groups:
        return []
    every = np.concatenate([*vectors, np.zeros_like(asked)]).reshape(-1, len(asked))
    first = [group[0] for group in groups]
    # One step to each place in the groups, with zeros for those that have none left: numpy sums
    # stretches of different lengths a third as fast.
    summed = every[first]
    for step in range(1, max(map(len, groups))):
        summed += every[[group[step] if step < len(group) else -1 for group in groups]]
    share = np.asarray(shares, dtype=np.float32)[:, None]
    together = unit(share * summed + (1.0 - share) * every[first]) @ asked
    return list(zip((every @ asked)[first].tolist(), together.tolist(), strict=True))


def unit(vectors: Vectors) -> Vectors:
    """Return the rows at unit length; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
