"""Vectors kept coarsely: 8, 4 or 2 bits a dimension, for memories that have faded.

Eight bits are evenly spaced up to the largest coordinate. Four and two bits use the levels
that lose least on normally distributed coordinates (Lloyd and Max), which is how the
coordinates of embeddings are spread. Every coordinate goes to its nearest level.

A coarse vector points almost where the fine one did, but rounding alone would make it seem
less similar to everything. Each therefore carries a scale chosen so that its product with
the fine vector is what the fine one's own would be: coarse and fine vectors can be compared
with one question by the same dot product, and none is favoured for its precision.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
_Codes = npt.NDArray[np.uint8]

COARSE_BITS = (8, 4, 2)
HALF = 16
"""Bits a dimension of a vector as it came: half precision, which is as good as 32."""

SCALE_BYTES = 4
_EIGHT = 127

_HALF_LEVELS = {
    4: (0.1284, 0.3881, 0.6568, 0.9424, 1.2562, 1.6181, 2.0691, 2.7326),
    2: (0.4528, 1.5104),
}
"""The levels above zero, in standard deviations (Max 1960, table I)."""


ERROR = {4: 0.0979, 2: 0.3649}
"""How long the error of rounding a unit vector is, lying across it: √(D / (1 - D)) of the
distortions D in Max's table, 0.009497 and 0.1175.

Eight bits are not among them: what they round away changes no order that anybody would miss.
"""

DOUBTED_WITHIN = 2.0
"""Standard deviations of that error within which a place counts as uncertain. With three, half
as many texts more are read again, for one more of a thousand found."""


def doubtful(
    cosines: Sequence[float], bits: Sequence[int], dimension: int, places: int, at_most: int
) -> list[int]:
    """Return which vectors rounding may have put on the wrong side of the first `places`.

    The most doubtful first, up to a bound. In so many dimensions the error points nowhere
    in particular, so it moves a cosine by about its length over the root of their number.
    """
    if len(cosines) <= places or places < 1:
        return []
    best = sorted(cosines, reverse=True)
    line = (best[places - 1] + best[places]) / 2
    doubts = sorted(
        (abs(cosine - line) * dimension**0.5 / ERROR[own], place)
        for place, (cosine, own) in enumerate(zip(cosines, bits, strict=True))
        if own in ERROR
    )
    return [place for doubt, place in doubts[:at_most] if doubt < DOUBTED_WITHIN]


def _levels(bits: int) -> Vectors:
    if bits == COARSE_BITS[0]:
        return np.arange(-_EIGHT, _EIGHT + 1, dtype=np.float32)
    half = np.array(_HALF_LEVELS[bits], dtype=np.float32)
    return np.concatenate([-half[::-1], half])


LEVELS = {bits: _levels(bits) for bits in COARSE_BITS}
_BOUNDS = {bits: (each[1:] + each[:-1]) / 2 for bits, each in LEVELS.items()}


def coded(vectors: Vectors, bits: int) -> tuple[_Codes, Vectors]:
    """Return the nearest level of each coordinate, and what one unit of level stands for."""
    if bits == COARSE_BITS[0]:
        unit = np.abs(vectors).max(axis=1) / _EIGHT
    else:
        unit = np.sqrt(np.mean(np.square(vectors), axis=1))
    unit = np.maximum(unit, np.finfo(np.float32).tiny).astype(np.float32)
    return np.searchsorted(_BOUNDS[bits], vectors / unit[:, None]).astype(np.uint8), unit


def coarse(vectors: Vectors, bits: int) -> list[bytes]:
    """Return each row with so many bits a dimension: its scale, then its levels, packed."""
    vectors = np.asarray(vectors, dtype=np.float32)
    codes, unit = coded(vectors, bits)
    levels = LEVELS[bits][codes]
    along = np.einsum("ij,ij->i", levels, vectors)
    whole = np.einsum("ij,ij->i", vectors, vectors)
    scale = np.where(along > 0, whole / np.maximum(along, np.finfo(np.float32).tiny), unit)
    scale = np.where(whole > 0, scale, 0).astype(np.float32)
    rows = _packed(codes, bits)
    return [scale[row].tobytes() + rows[row].tobytes() for row in range(len(vectors))]


def fine(bodies: Sequence[bytes], bits: int, dimension: int) -> Vectors:
    """Return coarse vectors as rows to compare with; what was rounded away stays away."""
    joined = np.frombuffer(b"".join(bodies), dtype=np.uint8).reshape(len(bodies), -1)
    scale = joined[:, :SCALE_BYTES].copy().view(np.float32)
    codes = _unpacked(joined[:, SCALE_BYTES:], bits)[:, :dimension]
    return np.asarray(LEVELS[bits][codes] * scale, dtype=np.float32)


def read(bodies: Sequence[bytes], bits: Sequence[int], dimension: int) -> Vectors:
    """Return kept vectors as rows, each of its own precision."""
    rows = np.empty((len(bodies), dimension), dtype=np.float32)
    for each in set(bits):
        places = [place for place, own in enumerate(bits) if own == each]
        chosen = [bodies[place] for place in places]
        if each == HALF:
            whole = np.frombuffer(b"".join(chosen), dtype=np.float16).astype(np.float32)
            rows[places] = whole.reshape(len(chosen), dimension)
        else:
            rows[places] = fine(chosen, each, dimension)
    return rows


def _packed(codes: _Codes, bits: int) -> _Codes:
    if bits == COARSE_BITS[0]:
        return codes
    per_byte = 8 // bits
    rows, width = codes.shape
    filled = np.zeros((rows, -(-width // per_byte) * per_byte), dtype=np.uint8)
    filled[:, :width] = codes
    whole = np.zeros((rows, filled.shape[1] // per_byte), dtype=np.uint8)
    for place in range(per_byte):
        whole |= filled[:, place::per_byte] << (place * bits)
    return whole


def _unpacked(packed: _Codes, bits: int) -> _Codes:
    if bits == COARSE_BITS[0]:
        return packed
    per_byte = 8 // bits
    codes = np.empty((packed.shape[0], packed.shape[1] * per_byte), dtype=np.uint8)
    mask = (1 << bits) - 1
    for place in range(per_byte):
        codes[:, place::per_byte] = (packed >> (place * bits)) & mask
    return codes
