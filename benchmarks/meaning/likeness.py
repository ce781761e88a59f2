"""Vectors for very many texts, made without embedding each of them.

Embedding a million texts takes hours here. So a few thousand are embedded for real, and
every further vector is a mixture of two of them with some noise: it lies among real ones
and is as close to its neighbours as they are, which is all that the cost of a search
depends on. Where it matters what a vector means, the text is embedded for real.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.texts import Author
from helix.ports.embedder import Embedder
from helix.rules.similarity import Vectors, unit

EMBEDDED = 1_500
"""Texts that are embedded for real."""

SECOND_SHARE, NOISE = 0.6, 0.3
"""What the second text and chance add to a vector, beside 1.0 for the first."""


class Likeness:
    """Draws vectors that look like an embedder's, from a seed."""

    def __init__(self, embedder: Embedder, seed: int) -> None:
        author = Author(f"{seed}/likeness")
        self._seed = seed
        self._real: Vectors = embedder.embed([author.episode() for _ in range(EMBEDDED)])

    def drawn(self, count: int, block: int) -> Vectors:
        """Return the vectors of a block of texts: the same ones for the same block."""
        chance = np.random.default_rng([self._seed, block])
        first = self._real[chance.integers(0, EMBEDDED, count)]
        second = self._real[chance.integers(0, EMBEDDED, count)]
        noise = unit(chance.standard_normal(first.shape, dtype=np.float32))
        return unit(first + SECOND_SHARE * second + NOISE * noise)


def gaussian(count: int, dimension: int, chance: np.random.Generator) -> Vectors:
    """Return unit vectors in directions drawn evenly: the hardest case, without any clusters."""
    return unit(chance.standard_normal((count, dimension), dtype=np.float32))


def embedded(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Return the real vectors of some texts."""
    return unit(embedder.embed(texts))
