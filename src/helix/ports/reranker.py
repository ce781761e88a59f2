"""The reranker: judges how well texts answer a question, by reading each beside it.

Optional and off by default: a cross-encoder is slower than everything else in a recall
together. Where one is configured, it judges the few best candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from helix.model.errors import HelixError


class RerankerUnavailable(HelixError):
    """The reranker cannot be used now. The answer is given in the order it had without it."""

    family = "reranker_unavailable"


class Reranker(Protocol):
    """A question and texts in, scores out. Any number of threads may use one at once."""

    @property
    def name(self) -> str:
        """Name the model for people."""
        ...

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one score per text, in order; a higher one answers better.

        Scores compare within one call only. A text longer than the model reads is judged
        by its beginning. Raises `RerankerUnavailable`, and then returns nothing.
        """
        ...
