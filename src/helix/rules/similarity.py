"""Closeness in meaning: unit vectors, their half-precision form, and their signs.

A vector is kept in half precision; searching many of them goes by signs first. Two unit
vectors that point alike agree in most signs, so counting differing bits finds a short list
that is then measured exactly. numpy does the arithmetic.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
Codes = npt.NDArray[np.uint64]


def packed(vector: Vectors) -> bytes:
    """Return a vector in half precision, as it is kept."""
    return vector.astype(np.float16).tobytes()


def unpacked(body: bytes) -> Vectors:
    """Return a kept vector, or several kept one after another, as one row."""
    return np.frombuffer(body, dtype=np.float16).astype(np.float32)


def as_kept(vectors: Vectors) -> Vectors:
    """Return vectors as they will be once they were kept, so that comparing gives the same."""
    return vectors.astype(np.float16).astype(np.float32)


def signs(vectors: Vectors) -> Codes:
    """Return the signs of each row, 64 to a word; a dimension that is no multiple is filled up."""
    rows, width = vectors.shape
    bits = np.zeros((rows, -(-width // 64) * 64), dtype=bool)
    bits[:, :width] = vectors > 0
    return np.packbits(bits, axis=1).view(np.uint64)


def differing(codes: Codes, asked: Codes) -> npt.NDArray[np.uint16]:
    """Return in how many signs each row differs from the one asked about."""
    return np.asarray(np.bitwise_count(codes ^ asked).sum(axis=1, dtype=np.uint16))


def nearest_rows(distances: npt.NDArray[np.generic], count: int) -> npt.NDArray[np.intp]:
    """Return the rows with the smallest distances, in no particular order."""
    if len(distances) <= count:
        return np.arange(len(distances))
    return np.argpartition(distances, count)[:count]


def cosines(vectors: Vectors) -> list[list[float]]:
    """Return the cosine of every row with every row."""
    found: list[list[float]] = (vectors @ vectors.T).tolist()
    return found


def unit(vectors: Vectors) -> Vectors:
    """Return the rows at unit length; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, 1e-12), dtype=np.float32)
