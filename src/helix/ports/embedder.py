"""The embedder: turns texts into vectors that lie close where the texts mean alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from helix.model.errors import HelixError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]


LETTERS_EMBEDDED = 2_000
"""What of a long memory is embedded: models read a few hundred words at most."""


class EmbedderUnavailable(HelixError):
    """The embedder cannot be used now: not installed, damaged, or its server does not answer.

    Nobody loses a memory by it: what cannot be embedded is still found by its words.
    """

    family = "embedder_unavailable"


class EmbedderUnreachable(EmbedderUnavailable):
    """Its server gave no answer: nobody is there, or it took too long, or it broke off.

    There is nothing to correct but that; a question is answered by words meanwhile.
    """


def unlike(numbers: int, kept: int) -> EmbedderUnavailable:
    """Return the error for vectors that cannot be compared with those that are kept."""
    return EmbedderUnavailable(
        f"its vectors have {numbers} numbers, not {kept} as those that are kept",
        code="embedder_dimension",
        remedy="another model answers there: check `model` and `dimension` in the settings",
    )


class Embedded(NamedTuple):
    """What a model makes of a text: a vector of the whole and, if it tells, one of each word.

    A word may come in several pieces; `words` names the one that each row of `rows` is of.
    """

    vector: Vectors
    words: tuple[str, ...] = ()
    rows: Vectors | None = None


class Embedder(Protocol):
    """Texts in, vectors out. Any number of threads may use one embedder at once.

    Vectors compare by dot product, and only with vectors of an embedder of the same `name`:
    one model per index.
    """

    @property
    def name(self) -> str:
        """Name the model with its version and precision; what embeds differently is named so."""
        ...

    @property
    def dimension(self) -> int:
        """The length of each vector."""
        ...

    @property
    def cost(self) -> str:
        """What embedding costs and where it happens, in a few words for people."""
        ...

    @property
    def at_hand(self) -> bool:
        """Whether a few more texts cost nothing but milliseconds, and leave nobody's machine."""
        ...

    def embed(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        """Return one row of unit length per text, in order: an array (len(texts), dimension).

        On one machine the same text gives the same row, bit for bit, whatever else is in
        the batch; on another kind of processor it may differ a little. A text in which
        there is nothing to read (empty, only blanks) gives a row of zeros, which resembles
        nothing. A text longer than the model reads is judged by its beginning. Any text is
        taken, in any script, even one that UTF-8 cannot write.

        `progress` is told from time to time how many texts are done, from any thread.
        Raises `EmbedderUnavailable`, and then returns nothing of the batch.
        """
        ...

    def embed_with_words(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Sequence[Embedded]:
        """Return the same vectors, each with those of the words, understood where they stand.

        A model that tells nothing of single words gives none.
        """
        ...

    def for_a_question(self) -> Embedder:
        """Return it as one question uses it, since somebody waits: a server is given up soon.

        Where no answer comes it is not asked a second time, and the same
        `EmbedderUnreachable` is raised again; a text it embedded is not sent again either.
        """
        ...


class WholeTexts:
    """For embedders that tell nothing of single words."""

    def embed(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        """See `Embedder.embed`."""
        raise NotImplementedError

    def embed_with_words(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Sequence[Embedded]:
        """See `Embedder.embed_with_words`."""
        return [Embedded(row) for row in self.embed(texts, progress)]

    def for_a_question(self: Embedder) -> Embedder:
        """See `Embedder.for_a_question`; nothing else where no server is asked."""
        return self
