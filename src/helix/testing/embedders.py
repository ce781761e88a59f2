"""An embedder for tests of what embedders are used for: quick, exact, and no model behind it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from helix.ports.embedder import Embedded, EmbedderUnavailable, WholeTexts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DIMENSION = 64


class WordBags(WholeTexts):
    """Two texts are as close as the words they share; nothing else is meant by it.

    `embedded` counts the texts it was given; while `broken`, it is not available.
    """

    dimension = DIMENSION
    cost = "nothing: it is made for tests"
    at_hand = True

    def __init__(self, name: str = "word-bags/1") -> None:
        self.name = name
        self.embedded = 0
        self.broken = False

    def embed(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        """See `Embedder.embed`."""
        import numpy as np  # noqa: PLC0415 - as every embedder does

        if self.broken:
            raise EmbedderUnavailable("it is broken on purpose", code="embedder_broken")
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(f"{self.name} {word}".encode()) % DIMENSION] += 1
        self.embedded += len(texts)
        if progress:
            progress(len(texts))
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


class TellingWordBags(WordBags):
    """The same, with a vector for each word: a word is close to itself alone."""

    def embed_with_words(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Sequence[Embedded]:
        """See `Embedder.embed_with_words`."""
        found = []
        for text, vector in zip(texts, self.embed(texts, progress), strict=True):
            words = tuple(text.casefold().split())
            found.append(Embedded(vector, words, self._drawn(words) if words else None))
        return found

    def _drawn(self, words: Sequence[str]) -> npt.NDArray[np.float32]:
        import numpy as np  # noqa: PLC0415 - as above

        seeds = [zlib.crc32(f"{self.name} {word}".encode()) for word in words]
        rows = [np.random.default_rng(seed).standard_normal(DIMENSION) for seed in seeds]
        return np.asarray(rows, dtype=np.float32)
