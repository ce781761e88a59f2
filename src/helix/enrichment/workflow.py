"""Enriching what waits, batch by batch: the only module here that touches a port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from helix.model.memory import Memory
from helix.ports.embedder import Embedder
from helix.ports.enrichment import Enriched, Novelty
from helix.ports.store import Store
from helix.rules.entities import entities, key
from helix.rules.similarity import packed
from helix.rules.surprise import NEIGHBOURS, surprise

if TYPE_CHECKING:
    from helix.ports.embedder import Vectors

BATCH = 64
"""Memories embedded together; the transaction that keeps them is short."""

WORDS_ONLY = "words-only"
"""The name under which memories are enriched while there is no embedder."""

LETTERS_EMBEDDED = 2_000
"""What of a long memory is embedded: models read a few hundred words at most."""


def enrich(
    store: Store,
    embedder: Embedder | None,
    *,
    if_at_most: int | None = None,
    seconds: float | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Enrich what waits, and return how many memories were.

    With `if_at_most`, only if no more than so many wait: a question should not have to
    wait for an import to be embedded. With `seconds`, stop after about so long.
    """
    if if_at_most is not None and len(_waiting(store, embedder, if_at_most + 1)) > if_at_most:
        return 0
    started = monotonic()
    done = 0
    while batch := _waiting(store, embedder, BATCH):
        enriched = _enriched(store, batch, embedder)
        with store.writing() as unit:
            unit.enrichment.keep(name_of(embedder), embedder.dimension if embedder else 0, enriched)
        done += len(batch)
        progress(len(batch))
        if seconds is not None and monotonic() - started >= seconds:
            break
    return done


def name_of(embedder: Embedder | None) -> str:
    """Return the name under which an embedder's work is kept."""
    return embedder.name if embedder else WORDS_ONLY


def _waiting(store: Store, embedder: Embedder | None, limit: int) -> Sequence[tuple[int, Memory]]:
    with store.reading() as unit:
        return unit.enrichment.waiting(name_of(embedder), limit)


def _enriched(
    store: Store, batch: Sequence[tuple[int, Memory]], embedder: Embedder | None
) -> Sequence[Enriched]:
    texts = [memory.content[:LETTERS_EMBEDDED] for _, memory in batch]
    names = [tuple(key(each) for each in entities(memory.content)) for _, memory in batch]
    if embedder is None:
        return [Enriched(n, b"", found) for (n, _), found in zip(batch, names, strict=True)]
    vectors = embedder.embed(texts)
    novel = _novelty(store, embedder.name, [memory for _, memory in batch], vectors)
    return [
        Enriched(number, packed(vector), found, new)
        for (number, _), vector, found, new in zip(batch, vectors, names, novel, strict=True)
    ]


def _novelty(
    store: Store, model: str, memories: Sequence[Memory], vectors: Vectors
) -> list[Novelty]:
    """Return how new each memory is beside what is known in its realm, and before it in the batch.

    Only its own realm counts: how new something is must not tell what others know.
    """
    found = []
    with store.reading() as unit:
        for place, (memory, vector) in enumerate(zip(memories, vectors, strict=True)):
            cosines = list(unit.enrichment.closest(memory.realm, model, vector, NEIGHBOURS))
            cosines += [
                float(vectors[before] @ vector)
                for before in range(place)
                if memories[before].realm == memory.realm
            ]
            distances = sorted(max(0.0, 1.0 - cosine) for cosine in cosines)[:NEIGHBOURS]
            nearest = distances[0] if distances else None
            found.append(Novelty(surprise(distances), nearest))
    return found
