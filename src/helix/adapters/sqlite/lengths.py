"""How long a kept vector is; one of another length cannot be read.

Without numpy: who looks after vectors need not compare them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from helix.adapters.sqlite.rows import Row
from helix.adapters.sqlite.schema import HALF

COARSE = (8, 4, 2)
SCALE = 4
"""Bits a dimension that vectors may be kept with, and the bytes of a scale (`rules.precision`)."""


def lengths(dimension: int) -> Mapping[int, int]:
    """Return, by precision, how many bytes a vector takes."""
    return {
        HALF: dimension * HALF // 8,
        **{bits: SCALE + -(-dimension * bits // 8) for bits in COARSE},
    }


def readable(rows: Sequence[Row], dimension: int) -> list[Row]:
    """Return the rows whose vector is as long as it should be; it and its bits come last."""
    known = lengths(dimension)
    return [
        row for row in rows if isinstance(row[-2], bytes) and len(row[-2]) == known.get(row[-1])
    ]
