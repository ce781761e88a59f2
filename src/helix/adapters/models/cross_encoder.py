"""A cross-encoder on this machine, through onnxruntime: the user's own, none comes with Helix.

It takes a folder with `model.onnx` and `tokenizer.json` as the usual exporters write them:
inputs among `input_ids`, `attention_mask` and `token_type_ids`, and one score as the first
output.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from helix.adapters.models.onnx_loading import loaded
from helix.adapters.models.reading import readable
from helix.ports.reranker import RerankerUnavailable

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENS = 512
"""What such models read of question and text together."""
LETTERS = 4_096
"""More than 512 tokens take; cutting before the tokenizer saves time."""
_FEEDS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}


class CrossEncoder:
    """A reranker over a model folder. The first question loads it."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self._folder = folder
        self._lock = Lock()
        self._loaded: tuple[Tokenizer, Any] | None = None

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score per text; see the port."""
        import numpy as np

        tokenizer, session = self._load()
        wanted = [each.name for each in session.get_inputs()]
        asked = readable(question, LETTERS)
        found = []
        try:
            for text in texts:
                read = tokenizer.encode(asked, readable(text, LETTERS))
                fed = {
                    name: np.array([getattr(read, _FEEDS[name])], dtype=np.int64) for name in wanted
                }
                # One score, whether it comes as [[s]], [s] or, from two classes, [[no, yes]].
                found.append(float(np.ravel(session.run(None, fed)[0])[-1]))
        except Exception as error:  # onnxruntime raises nothing narrower
            raise self._unavailable(error) from error
        return found

    def _load(self) -> tuple[Tokenizer, Any]:
        with self._lock:
            if self._loaded is None:
                try:
                    self._loaded = loaded(self._folder, TOKENS)
                except ImportError as error:
                    raise RerankerUnavailable(
                        f"{error.name} is not installed",
                        code="reranker_packages",
                        remedy="pip install 'helix-memory[semantic]'",
                    ) from error
                except Exception as error:  # both libraries raise nothing narrower
                    raise self._unavailable(error) from error
            return self._loaded

    def _unavailable(self, error: Exception) -> RerankerUnavailable:
        return RerankerUnavailable(
            f"the cross-encoder in {self._folder} cannot be used: {error}",
            code="reranker_damaged",
            remedy="`path` under [reranker] must name a folder with model.onnx and tokenizer.json",
        )
