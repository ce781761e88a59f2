"""Comparing word by word: how well a text holds something close to each word of a question.

A text's vector is the mean of all it says, and what one word says is lost in it. So the words
that tell are kept as well, each as the model understood it where it stands: "bank" beside a river
is another one than beside money. One bit a dimension is enough for that, 48 bytes a word piece of
384 dimensions, because a question brings its own vectors whole (docs/adr/0049).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from helix.rules.similarity import Vectors, unit
from helix.rules.vocabulary import listed
from helix.rules.words import STOP_WORDS

MOST_KEPT = 160
"""Word pieces kept of one text; a model reads no more than 256, and half of these tell."""

SHARED = 0.8
"""What a word counts that stands right beside a text and not in it."""

BLOCK = 4_096
"""Word pieces whose bits are numbers at the same time, which takes 6 MB."""

_BESIDES = listed("""
    after again also because before both down during each few further her here him his more most
    now off once only other out over own same such through under until up very
    """)
_MUTE = STOP_WORDS | _BESIDES
"""What an index of words should find or not: by themselves they mean nothing."""

LONGEST_STEP = 32
ALONE = 200_000
"""Rows multiplied at once, and multiplications that OpenBLAS does in one thread (up to 262,144)."""

Bits = npt.NDArray[np.uint8]


def telling(words: Sequence[str]) -> list[int]:
    """Return the places of the words that tell something by themselves."""
    return [place for place, word in enumerate(words) if tells(word)]


def tells(word: str) -> bool:
    """Tell whether a word says something: it is written in letters and not everywhere."""
    return word not in _MUTE and any(map(str.isalnum, word))


def packed_words(words: Sequence[str], rows: Vectors | None) -> bytes:
    """Return the vectors of a text's telling words, one bit a dimension; b"" without any."""
    if rows is None:
        return b""
    chosen = telling(words)[:MOST_KEPT]
    return np.packbits(rows[chosen] >= 0, axis=1).tobytes() if chosen else b""


def closest(asked: Vectors, bodies: Sequence[bytes]) -> Vectors:
    """Return, for each text and each word asked, how close the closest word of the text comes.

    A text without words is as far away as can be, at -1.
    """
    asked = unit(asked) / np.float32(np.sqrt(asked.shape[1]))
    found = np.full((len(bodies), len(asked)), -1.0, dtype=np.float32)
    # A bit stands for plus or minus one: a row's product is twice that of its ones, less all.
    everything = asked.sum(axis=1)
    for places, starts, bits in _blocks(bodies, asked.shape[1]):
        products = _in_one_thread(bits, asked)
        found[places] = 2 * np.maximum.reduceat(products, starts, axis=0) - everything
    return found


def in_company(close: Vectors, beside: Sequence[tuple[int, int]]) -> Vectors:
    """Return the same for texts that are read with others beside them, told as (text, other).

    Where a text holds nothing as close, a word of the other counts: "Yes, on Friday!" is
    understood from the turn before. It counts for less there.
    """
    found = close.copy()
    if beside:
        texts, others = np.array(beside, np.intp).T
        np.maximum.at(found, texts, SHARED * close[others])
    return found


def agreement(close: Vectors, weights: Sequence[float]) -> list[float]:
    """Return how close each text comes to all the words asked, as they weigh; 0 if none does."""
    share = np.asarray(weights, dtype=np.float32)
    together: list[float] = (close @ (share / (share.sum() or 1.0))).tolist()
    return together


def _in_one_thread(rows: Vectors, asked: Vectors) -> Vectors:
    """Return all products of rows, in pieces that no library shares among threads.

    Its threads wait for each other, and where both cores are busy that takes fifty times as long
    as the work; then they go on turning for a while, on a core that somebody needs.
    """
    step = max(1, min(LONGEST_STEP, ALONE // asked.size))
    whole = len(rows) // step * step
    pieces = rows[:whole].reshape(-1, step, asked.shape[1]) @ asked.T
    return np.concatenate([pieces.reshape(whole, len(asked)), rows[whole:] @ asked.T])


def _blocks(
    bodies: Sequence[bytes], dimension: int
) -> Iterator[tuple[list[int], list[int], Vectors]]:
    """Yield some texts at a time: their places, where each begins, and their bits as numbers."""
    width = -(-dimension // 8)
    places: list[int] = []
    starts: list[int] = []
    rows = 0
    for place, body in enumerate(bodies):
        if not body:
            continue
        places.append(place)
        starts.append(rows)
        rows += len(body) // width
        if rows >= BLOCK:
            yield places, starts, _numbers([bodies[each] for each in places], dimension)
            places, starts, rows = [], [], 0
    if places:
        yield places, starts, _numbers([bodies[each] for each in places], dimension)


def _numbers(bodies: Sequence[bytes], dimension: int) -> Vectors:
    packed: Bits = np.frombuffer(b"".join(bodies), dtype=np.uint8)
    rows = packed.reshape(-1, -(-dimension // 8))
    return np.unpackbits(rows, axis=1, count=dimension).astype(np.float32)
