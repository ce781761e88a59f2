"""What enrichment keeps beside memories: vectors and mentions, made in the background.

Both can be made again at any time from the memories themselves; they are no part of what
`rebuild` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from helix.model.frozen import dataclass
from helix.model.memory import Memory
from helix.model.question import Standpoint
from helix.model.scope import Realm

if TYPE_CHECKING:
    from helix.ports.embedder import Vectors


SIMILAR_TO, REFERENCES = "similar_to", "references"
MOST_ABOUT = 5
"""Memories that may be about one thing before naming it says nothing about any of them."""

MOST_TIES = 50
"""Ties of one kind and direction that are told of a memory."""

WORDS_ONLY = "words-only"
"""The name under which memories are enriched while there is no embedder."""


@dataclass(frozen=True, slots=True)
class Novelty:
    """How far a memory lay from what was known when it came in; kept for audit.

    `nearest` is the cosine distance to the nearest memory, None if there was none.
    """

    surprise: float
    nearest: float | None = None


@dataclass(frozen=True, slots=True)
class Enriched:
    """What was found out about one memory. `vector` is empty where only words were read.

    `words` are the vectors of the words that tell (`rules.word_by_word`), where the model has them.

    `named` are the things it names that other memories may be about, `about` those it opens
    with (`rules.references`). The rest needs a vector: how new it was, and by key the earlier
    memories it resembles, with their cosines.
    """

    key: int
    vector: bytes
    entities: tuple[str, ...]
    novelty: Novelty | None = None
    named: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    similar: tuple[tuple[int, float], ...] = ()
    words: bytes = b""


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge that enrichment draws: `similar_to` or `references`. It can be drawn again."""

    from_id: str
    relation: str
    to_id: str
    weight: float


@dataclass(frozen=True, slots=True)
class Lag:
    """How far enrichment is behind: memories, and since when the oldest of them waits."""

    memories: int
    since: datetime | None


class Held(NamedTuple):
    """A vector as it is kept, and with how many bits a dimension."""

    vector: Vectors
    bits: int


class Enrichment(Protocol):
    """Vectors and mentions of memories, per model; every read is filtered by realm."""

    def waiting(self, model: str, limit: int) -> Sequence[tuple[int, Memory]]:
        """Return memories that have not been enriched under a model, oldest first, with keys."""
        ...

    def keep(self, model: str, dimension: int, enriched: Sequence[Enriched]) -> None:
        """Keep what was found out, in the order of `waiting`. Keeping twice equals once.

        Raises `EmbedderUnavailable` if its vectors are of another length than those that are kept
        under the model; so do `refine`, `by_meaning` and `nearest`.
        """
        ...

    def unmended(self) -> bool:
        """Return whether vectors came that nobody has looked over yet: see `mend`."""
        ...

    def mend(self) -> int:
        """Set right vectors that are kept and cannot be read; return how many there were.

        One whose precision can be told is marked with it; else it goes, and its memory waits
        again. Until then it is passed over by whoever asks. `keep` and `bring_back` do this too.
        """
        ...

    def lag(self, model: str) -> Lag:
        """Return how much waits to be enriched under a model."""
        ...

    def models(self) -> Sequence[tuple[str, int]]:
        """Return the models there are vectors of, and how many of each."""
        ...

    def drop(self, model: str, at_most: int | None = None) -> bool:
        """Drop what is kept under a model: everything, or up to so many vectors at a time.

        From the first call on the model counts as new, and everything waits for it. True
        when nothing is left; else go on with what `Serving.left_over` names.
        """
        ...

    def set_aside(self, tenant: str) -> None:
        """Keep what was found out about a tenant's memories while they are folded anew.

        Within one transaction, before `Projection.clear`; `bring_back` ends it.
        """
        ...

    def bring_back(self, tenant: str) -> None:
        """Give what was set aside to the memories that bear the same ids; drop the rest.

        A vector is as fine or coarse afterwards as it was.
        """
        ...

    def ahead(self, asker: Realm, model: str) -> Callable[[Vectors], None]:
        """Return what prepares `by_meaning` for a question: another thread may call it.

        It reads nothing more of the store, so that reading by words can go on beside it.
        """
        ...

    def by_meaning(
        self,
        asker: Realm,
        model: str,
        asked: Vectors,
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
    ) -> Sequence[tuple[Memory, float]]:
        """Return visible memories that may answer, by cosine to the vector asked, best first."""
        ...

    def vectors_of(
        self, asker: Realm, model: str, memory_ids: Sequence[str]
    ) -> Mapping[str, Vectors]:
        """Return the vectors of visible memories that have one."""
        ...

    def held_of(self, asker: Realm, model: str, memory_ids: Sequence[str]) -> Mapping[str, Held]:
        """Return the same, each with its precision."""
        ...

    def words_of(self, asker: Realm, model: str, memory_ids: Sequence[str]) -> Mapping[str, bytes]:
        """Return the vectors of the words of visible memories, packed; those without are left out.

        A memory whose vector is kept coarsely has none: it is hardly asked for any more.
        """
        ...

    def wordless(self, model: str, limit: int) -> Sequence[tuple[int, Memory]]:
        """Return memories embedded before vectors of words were kept, newest first, with keys.

        They were given none yet, nor looked at by `keep_words`.
        """
        ...

    def keep_words(self, model: str, words: Sequence[tuple[int, bytes]]) -> None:
        """Keep the vectors of the words of some memories, in the order of `wordless`."""
        ...

    def novelty_of(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, Novelty]:
        """Return how new visible memories were; those never embedded are left out."""
        ...

    def precisions(self, realm: Realm, model: str) -> Sequence[tuple[int, int, int]]:
        """Return (bits a dimension, vectors, bytes) of exactly this realm, finest first."""
        ...

    def bits_of(self, realm: Realm, model: str, memory_ids: Sequence[str]) -> Mapping[str, int]:
        """Return how finely the vectors of memories of exactly this realm are kept."""
        ...

    def coarsen(self, realm: Realm, model: str, bits: Mapping[str, int]) -> int:
        """Keep vectors of exactly this realm with fewer bits; return how many were changed.

        One that is kept as coarsely or more so already is left alone. Search goes on. The
        vectors of their words go.
        """
        ...

    def refine(self, realm: Realm, model: str, vectors: Mapping[str, tuple[bytes, bytes]]) -> None:
        """Put vectors of half precision, and those of words, in the place of what is there."""
        ...

    def entities_of(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Return what visible memories mention."""
        ...

    def mentioning(
        self, asker: Realm, entities: Sequence[str], at_most: int
    ) -> Mapping[str, Sequence[str]]:
        """Return, per entity, the ids of visible memories that mention it.

        An entity that more than `at_most` memories mention is left out.
        """
        ...

    def nearest(
        self, realm: Realm, model: str, asked: Vectors, count: int
    ) -> Sequence[Sequence[tuple[int, float]]]:
        """Return, per row asked, the keys of the nearest memories of exactly this realm.

        With their cosines, highest first. Whatever has a vector counts, whether it may
        answer or not.
        """
        ...

    def ties(self, asker: Realm, model: str, memory_id: str) -> Sequence[Tie]:
        """Return what enrichment ties a visible memory to, and to it, strongest first.

        Similar by the model; referring by name: to a memory whose id it says, or to those
        that are about a thing it names, unless more than `MOST_ABOUT` are. Of more than
        `MOST_TIES` in one direction some are left out.
        """
        ...
