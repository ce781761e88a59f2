"""Giving words to what was embedded before the vectors of words were kept.

wordless: read some, newest first → embed them with their words → keep these, batch by batch
"""

from __future__ import annotations

from collections.abc import Callable

from helix.ports.embedder import LETTERS_EMBEDDED, Embedder
from helix.ports.store import Store
from helix.rules.word_by_word import packed_words

BATCH = 16
"""Memories embedded together: nobody waits for it, and whoever asks meanwhile should not either."""


def give_words(
    store: Store,
    embedder: Embedder | None,
    *,
    stop: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Give vectors of their words to memories that have none, and return how many were looked at.

    Where embedding costs money or leaves the machine, nothing is done twice without being asked.
    """
    done = 0
    while embedder is not None and embedder.at_hand and not stop():
        with store.reading() as unit:
            batch = unit.enrichment.wordless(embedder.name, BATCH)
        if not batch:
            break
        made = embedder.embed_with_words([memory.content[:LETTERS_EMBEDDED] for _, memory in batch])
        if all(each.rows is None for each in made):
            break  # this model tells nothing of words; another build of it may
        found = [
            (key, packed_words(each.words, each.rows))
            for (key, _), each in zip(batch, made, strict=True)
        ]
        with store.writing() as unit:
            unit.enrichment.keep_words(embedder.name, found)
        done += len(batch)
        progress(len(batch))
    return done
