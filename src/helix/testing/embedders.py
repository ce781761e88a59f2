"""An embedder for tests of what embedders are used for: quick, exact, and no model behind it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from helix.ports.embedder import EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DIMENSION = 64


class WordBags:
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
