"""Static vectors: one vector per word piece, a text is the mean of its pieces.

No network of neurons, so order and context mean nothing to it; it understands synonyms, not
sentences. It reads the files of the `wordllama` wheel and never imports that package, whose
own loader reaches for the network.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from mmap import ACCESS_READ, mmap
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from helix.adapters.models.reading import readable
from helix.adapters.models.safetensors import tensors
from helix.model.frozen import dataclass
from helix.ports.embedder import EmbedderUnavailable, WholeTexts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import Tokenizer

DIMENSION = 256
LETTERS = 16_384
"""The mean of so many letters does not move any more."""
_TENSOR = "embedding.weight"
_ROUND = 256


class StaticVectors(WholeTexts):
    """An embedder over a file of vectors and a tokenizer. The first text loads them."""

    dimension = DIMENSION
    cost = "on this machine, free"
    at_hand = True

    def __init__(self, name: str, vectors: Path, tokenizer: Path) -> None:
        self.name = name
        self._vectors = vectors
        self._tokenizer = tokenizer
        self._lock = Lock()
        self._loaded: _Loaded | None = None

    def embed(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        """Return one row per text; see the port."""
        import numpy as np

        loaded = self._load()
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for place, text in enumerate(texts):
            rows[place] = loaded.one(text)
            if progress and ((place + 1) % _ROUND == 0 or place + 1 == len(texts)):
                progress(place + 1)
        return rows

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self._vectors, self._tokenizer)
            return self._loaded


@dataclass(frozen=True, slots=True)
class _Loaded:
    tokenizer: Tokenizer
    vectors: npt.NDArray[np.float16]

    def one(self, text: str) -> npt.NDArray[np.float32] | float:
        import numpy as np

        ids = self.tokenizer.encode(readable(text, LETTERS), add_special_tokens=False).ids
        mean = self.vectors[ids].sum(axis=0, dtype=np.float32)
        length = float(np.linalg.norm(mean))
        return mean / np.float32(length) if length else 0.0


def _load(vectors: Path, tokenizer: Path) -> _Loaded:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise EmbedderUnavailable(
            f"{error.name} is not installed",
            code="embedder_packages",
            remedy="pip install 'helix-memory[semantic]'",
        ) from error
    try:
        words = Tokenizer.from_file(str(tokenizer))
        with vectors.open("rb") as file:
            # Mapped, not read: processes share it, and only pages with words in use are loaded.
            weights = tensors(mmap(file.fileno(), 0, access=ACCESS_READ))[_TENSOR]
    except Exception as error:  # tokenizers raises nothing narrower
        raise EmbedderUnavailable(
            f"the vectors in {vectors.parent} cannot be loaded: {error}",
            code="model_damaged",
            remedy="`helix models install static-256` checks them and copies them again",
        ) from error
    words.no_padding()
    words.no_truncation()
    return _Loaded(words, weights)
