"""How many of the truly nearest vectors the index finds, as recall asks it.

Vectors stand in a store's own table, and the index catches up from there. Three sets:
directions drawn evenly, which is the hardest case; real texts; and real texts searched by
the coarse form although they are few enough to be searched exactly.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.figures import Spread, spread
from benchmarks.meaning.asking import scanned
from benchmarks.meaning.likeness import gaussian
from benchmarks.recalling.sets import git, locomo
from benchmarks.recalling.values import Unavailable
from benchmarks.showing import progress
from benchmarks.texts import Author
from helix.adapters.sqlite.meaning import MeaningIndex
from helix.adapters.sqlite.store import SqliteStore
from helix.adapters.sqlite.vector_rows import EXACT_UP_TO
from helix.ports.embedder import Embedder
from helix.rules.similarity import Vectors, packed, unpacked

ASKED = 100
"""Vectors looked for in each set."""

NEAREST, POOL = 10, 60
"""How many of the nearest are compared: what is shown, and what recall takes as candidates."""

EQUAL = 1e-6
"""Cosines that differ by less are equal, but for the order in which they were summed up."""

MODEL, PLACE = 1, 1


@dataclass(frozen=True, slots=True)
class Nearness:
    """How the index did on one set."""

    vectors: str
    size: int
    dimension: int
    searched: str
    found_10: float
    found_60: float
    search: Spread
    scan: Spread


def compared(embedder: Embedder, size: int, real: int, seed: int, data: Path) -> list[Nearness]:
    """Return how the index does on Gaussian, on real and on mixed vectors."""
    chance = np.random.default_rng(seed)
    drawn = gaussian(size + ASKED, embedder.dimension, chance)
    found = [_compared("Gaussian", drawn, EXACT_UP_TO)]
    texts = list(islice(_distinct(_texts(data, seed)), real + ASKED))
    vectors = embedder.embed(texts, lambda done: progress(f"{done:,} of {len(texts):,} embedded"))
    vectors = vectors[chance.permutation(len(vectors))]
    found.append(_compared("real texts", vectors, EXACT_UP_TO))
    found.append(_compared("real texts", vectors, 0))
    return found


def _compared(name: str, vectors: Vectors, exact_up_to: int) -> Nearness:
    """Keep all but the last `ASKED`, and look for these."""
    # What is kept has half precision, so that is what the plain scan must be given too.
    kept = unpacked(packed(vectors[:-ASKED])).reshape(-1, vectors.shape[1])
    index = MeaningIndex(exact_up_to)
    shares, times, scans = [], [], []
    with TemporaryDirectory(prefix="helix-nearness-") as folder:
        store = SqliteStore(Path(folder) / "vectors.db")
        try:
            _keep(store, kept)
            with store.reading() as unit:
                index.nearest(unit.connection, PLACE, MODEL, vectors[-1], POOL)
                for asked in vectors[-ASKED:]:
                    started = time.perf_counter()
                    found = index.nearest(unit.connection, PLACE, MODEL, asked, POOL)
                    times.append(time.perf_counter() - started)
                    started = time.perf_counter()
                    scanned(kept, asked, POOL)
                    scans.append(time.perf_counter() - started)
                    rows = [memory - 1 for memory, _ in found]
                    shares.append(_shares(rows, kept @ asked))
        finally:
            store.close()
    ten, sixty = (round(sum(each) / len(shares), 4) for each in zip(*shares, strict=True))
    exact = len(kept) <= exact_up_to
    return Nearness(
        name, len(kept), kept.shape[1], "exactly" if exact else "coarse first", ten, sixty,
        spread(times), spread(scans),
    )  # fmt: skip


def _shares(found: list[int], cosines: Vectors) -> tuple[float, float]:
    """Return how many of the 10 and of the 60 found are as near as the nearest there are."""
    # Real texts repeat: which of several equally near ones is found says nothing.
    best = np.sort(cosines)[::-1]
    ten, sixty = (
        float(np.mean(cosines[found[:count]] >= best[count - 1] - EQUAL))
        for count in (NEAREST, POOL)
    )
    return ten, sixty


def _keep(store: SqliteStore, vectors: Vectors) -> None:
    # Bare rows: an index knows of no memories, and hundreds of thousands would take minutes.
    rows = ((row + 1, PLACE, MODEL, packed(vector)) for row, vector in enumerate(vectors))
    with store.writing() as unit:
        unit.connection.executemany(
            "INSERT INTO vectors (memory, place, model, vector) VALUES (?, ?, ?, ?)", rows
        )


def _distinct(texts: Iterator[str]) -> Iterator[str]:
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            seen.add(text)
            yield text


def _texts(data: Path, seed: int) -> Iterator[str]:
    """Yield turns of conversations and commits, if they are there, else invented episodes."""
    try:
        for haystack in (
            *locomo.load(data / "locomo", None, seed),
            *git.load(data / "git_history", None, seed),
        ):
            yield from (note.text for note in haystack.notes)
    except Unavailable:
        author = Author(f"{seed}/nearness")
        while True:
            yield author.episode()
