"""all-MiniLM-L6-v2 on this machine, through onnxruntime.

Each text runs alone, so its vector does not depend on its company and nothing is spent on
padding; several texts run at once, each on one thread. Batches do more per second on very
short texts only (docs/adr/0009), and threads inside a text spin when cores are shared.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from helix.adapters.models.onnx_loading import loaded
from helix.adapters.models.reading import readable
from helix.adapters.models.sharing import share
from helix.model.frozen import dataclass
from helix.ports.embedder import Embedded, EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from tokenizers import Encoding, Tokenizer

DIMENSION = 384
TOKENS = 256
"""What the model was trained to read; the rest of a text is not seen."""
LETTERS = 16_384
"""More than 256 tokens take, unless a text is mostly blanks; cutting twice saves time."""
_ROUND = 64
"""Texts between two reports of progress, and at most this many more after an interruption."""


def threads_by_default() -> int:
    """Return how many texts run at once: two, where there are two cores."""
    return min(os.cpu_count() or 1, 2)


class OnnxMiniLM:
    """An embedder over a built model folder. The first text loads it."""

    dimension = DIMENSION
    cost = "on this machine, free"
    at_hand = True

    def __init__(self, name: str, folder: Path, threads: int | None = None) -> None:
        self.name = name
        self._folder = folder
        self._threads = threads or threads_by_default()
        self._lock = Lock()
        self._loaded: _Loaded | None = None

    def embed(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        """Return one row per text; see the port."""
        import numpy as np

        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        one = self._load().one

        def fill(place: int) -> None:
            rows[place] = one(texts[place])

        self._each(texts, fill, progress)
        return rows

    def embed_with_words(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Sequence[Embedded]:
        """Return the same with a row for each word piece; see the port."""
        found: dict[int, Embedded] = {}
        with_words = self._load().with_words

        def fill(place: int) -> None:
            found[place] = with_words(texts[place])

        self._each(texts, fill, progress)
        return [found[place] for place in range(len(texts))]

    def for_a_question(self) -> OnnxMiniLM:
        """Return itself; see the port."""
        return self

    def _each(
        self,
        texts: Sequence[str],
        fill: Callable[[int], None],
        progress: Callable[[int], None] | None,
    ) -> None:
        for start in range(0, len(texts), _ROUND):
            round_ = range(start, min(start + _ROUND, len(texts)))
            # The longest first, so that no thread is left alone with it at the end.
            share(fill, sorted(round_, key=lambda place: -len(texts[place])), self._threads)
            if progress:
                progress(round_.stop)

    def _load(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self.name, self._folder)
            return self._loaded


@dataclass(frozen=True, slots=True)
class _Loaded:
    tokenizer: Tokenizer
    session: Any
    bare: int
    """How many tokens the model adds to nothing at all."""
    tells_words: bool
    """Whether it was built to; what an earlier version built tells of whole texts only."""

    def one(self, text: str) -> npt.NDArray[np.float32] | float:
        import numpy as np

        ids = self.tokenizer.encode(readable(text, LETTERS)).ids
        if len(ids) == self.bare:
            return 0.0
        fed = {"input_ids": np.array([ids], dtype=np.int64)}
        row: npt.NDArray[np.float32] = self.session.run(["embedding"], fed)[0][0]
        return row

    def with_words(self, text: str) -> Embedded:
        import numpy as np

        said = readable(text, LETTERS)
        read = self.tokenizer.encode(said)
        if len(read.ids) == self.bare:
            return Embedded(np.zeros(DIMENSION, dtype=np.float32))
        fed = {"input_ids": np.array([read.ids], dtype=np.int64)}
        if not self.tells_words:
            return Embedded(self.session.run(["embedding"], fed)[0][0])
        (vector,), (pieces,) = self.session.run(["embedding", "pieces"], fed)
        # What the model adds at both ends belongs to no word.
        inside = [place for place, word in enumerate(read.word_ids) if word is not None]
        words = tuple(_word(read, said, place) for place in inside)
        return Embedded(vector, words, pieces[inside])


def _load(name: str, folder: Path) -> _Loaded:
    try:
        tokenizer, session = loaded(folder, TOKENS)
    except ImportError as error:
        raise EmbedderUnavailable(
            f"{error.name} is not installed",
            code="embedder_packages",
            remedy="pip install 'helix-memory[semantic]'",
        ) from error
    except Exception as error:  # both libraries raise nothing narrower
        raise EmbedderUnavailable(
            f"the model in {folder} cannot be loaded: {error}",
            code="model_damaged",
            remedy=f"`helix models install {name.partition('/')[0]}` checks it and builds it again",
        ) from error
    tells_words = "pieces" in {each.name for each in session.get_outputs()}
    return _Loaded(tokenizer, session, len(tokenizer.encode("").ids), tells_words)


def _word(read: Encoding, said: str, place: int) -> str:
    """Return the word of a text that a piece belongs to."""
    word = read.word_ids[place]
    span = None if word is None else read.word_to_chars(word)
    return said[slice(*span)].casefold() if span else ""
