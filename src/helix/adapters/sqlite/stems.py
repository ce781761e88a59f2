"""A memory's words as numbers, in order: what scoring reads instead of cutting texts anew.

Cutting a text into words, and its names into their parts, takes 60 µs. A question looks at
the words of hundreds of texts, since every candidate is read with what happened around it.
So the words are cut once, when they enter the index, and kept: 4 bytes for each, a checksum
of its stem. That two different stems share one is a matter of one in four billion.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from zlib import crc32

WIDTH = 4
"""Bytes of a number."""

KEEP = "INSERT OR REPLACE INTO stems VALUES (?, ?)"
REMOVE = "DELETE FROM stems WHERE memory = ?"
CLEAR = "DELETE FROM stems WHERE memory IN (SELECT key FROM memories WHERE place = ?)"
READ = (
    "SELECT wanted.key, s.numbers FROM json_each(?) wanted"
    " CROSS JOIN stems s ON s.memory = wanted.value"
)


def number(stem: str) -> bytes:
    """Return a stem's number."""
    return crc32(stem.encode()).to_bytes(WIDTH, "little")


def numbers(stems: Iterable[str]) -> bytes:
    """Return the numbers of a text's stems, one after another."""
    found = [crc32(stem.encode()) for stem in stems]
    return struct.pack(f"<{len(found)}I", *found)


def times(wanted: bytes, among: bytes) -> int:
    """Return how often a number stands among others."""
    count, at = 0, among.find(wanted)
    while at >= 0:
        # Bytes of two neighbours can look like it; a number begins where numbers begin.
        whole = at % WIDTH == 0
        count += whole
        at = among.find(wanted, at + (WIDTH if whole else 1))
    return count
