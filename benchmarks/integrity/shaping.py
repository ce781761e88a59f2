"""Documents cut out of a text: what is behind the reading of JSON is fuzzed as well."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Sequence
from typing import Any

Target = Callable[[str], object]
"""Takes a text, and may refuse it with a `HelixError`."""


def shaped(text: str, names: Sequence[str]) -> dict[str, Any]:
    """Return a document with some of these names, its values cut out of the text."""
    chance = chance_of(text)
    return {name: _value(text, names, chance, 3) for name in names if chance.random() < 0.7}


def chance_of(text: str) -> random.Random:
    """Return the chance that a text decides on: the same text, the same choices."""
    # Half characters cannot be a seed.
    return random.Random(zlib.crc32(text.encode("utf-8", "surrogatepass")))


def plain(text: str) -> str:
    """Return the text as a file or a line could hold it."""
    return text.encode(errors="replace").decode()


def _value(text: str, names: Sequence[str], chance: random.Random, depth: int) -> Any:
    start = chance.randrange(len(text) + 1)
    piece = text[start : start + chance.randrange(1, 400)]
    kind = chance.randrange(11 if depth else 7)
    flat = (piece, piece, text, chance.randrange(-(2**70), 2**70), None, chance.random() * 1e308)
    if kind < len(flat):
        return flat[kind]
    if kind == 6:
        return chance.random() < 0.5
    if kind < 9:
        return [_value(text, names, chance, depth - 1) for _ in range(chance.randrange(4))]
    keys = [chance.choice(names) for _ in range(chance.randrange(5))]
    return {key: _value(text, names, chance, depth - 1) for key in keys}
