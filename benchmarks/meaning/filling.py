"""One store with words, vectors and mentions, and its bare yardsticks, that grow together."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import numpy as np

from benchmarks.bare import Bare
from benchmarks.meaning.likeness import Likeness
from benchmarks.meaning.tokens import Planted, planted
from benchmarks.showing import progress
from benchmarks.texts import Author
from helix import Helix
from helix.app.recording import record
from helix.capture.acting import captured
from helix.model.experience import Experience
from helix.ports.embedder import Embedder
from helix.ports.enrichment import Enriched
from helix.ports.store import Unit
from helix.rules.entities import entities, key
from helix.rules.similarity import Vectors, packed
from helix.rules.word_by_word import MOST_KEPT, packed_words, tells

BLOCK = 500
"""Memories written together; a size is a multiple of it."""

TURNS = 25
"""Memories of one session."""

BLOCKS_PER_TOKEN = 4
"""Every so many blocks, one memory holds a token that no other holds."""

BLOCKS_READ_AGAIN = 20
"""Blocks whose names the questions are about."""

SCOPE = "project:benchmark"

_WORD = re.compile(r"\w+")


class Filling:
    """Fills a store through its real ports. In a folder that is kept, it goes on where it was."""

    def __init__(self, folder: Path, seed: int, embedder: Embedder) -> None:
        self.path = folder / "memory.db"
        bare = folder / "bare.db"
        self.seed = seed
        self.embedder = embedder
        self.memory = Helix.open(self.path, scope=SCOPE)
        self.bare = Bare(bare)
        self.size = sum(count for *_, count in self.memory.upkeep.status().counts)
        self._likeness = Likeness(embedder, seed)
        self._author = Author(seed)
        self._matrix = np.empty((0, embedder.dimension), np.float32)
        self._drawn_words: dict[str, bytes] = {}

    def grow(self, size: int) -> None:
        """Write until the store holds `size` memories."""
        for block in range(self.size // BLOCK, size // BLOCK):
            self._write(block)
            self.size += BLOCK
            progress(f"{self.size:,} of {size:,} written")

    def tokens(self) -> list[tuple[int, Planted]]:
        """Return the tokens there are, each with the place of its memory."""
        blocks = range(0, self.size // BLOCK, BLOCKS_PER_TOKEN)
        return [(block * BLOCK, planted(self.seed, block // BLOCKS_PER_TOKEN)) for block in blocks]

    def matrix(self) -> Vectors:
        """Return all vectors in one array at single precision, for the plain scan."""
        missing = range(len(self._matrix) // BLOCK, self.size // BLOCK)
        more = [self._vectors(block) for block in missing]
        self._matrix = np.concatenate([self._matrix, *more])
        return self._matrix

    def questions(self, count: int) -> list[tuple[str, str]]:
        """Return kinds and questions about what was written."""
        last = self.size // BLOCK
        for block in range(0, last, max(1, last // BLOCKS_READ_AGAIN)):
            self._texts(block)
        self._author.begin_anew(f"{self.seed}/questions/{self.size}")
        return self._author.questions(count)

    def close(self) -> None:
        self.memory.close()
        self.bare.close()

    def _texts(self, block: int) -> list[str]:
        self._author.begin_anew(f"{self.seed}/{block}")
        texts = [self._author.episode() for _ in range(BLOCK)]
        if block % BLOCKS_PER_TOKEN == 0:
            texts[0] += " " + planted(self.seed, block // BLOCKS_PER_TOKEN).sentence
        return texts

    def _vectors(self, block: int) -> Vectors:
        vectors = self._likeness.drawn(BLOCK, block)
        if block % BLOCKS_PER_TOKEN == 0:
            vectors[0] = self.embedder.embed(self._texts(block)[:1])[0]
        return vectors

    def _words(self, text: str) -> bytes:
        """Return a vector for each word that tells, drawn by it: as many as there would be."""
        words = [word for word in _WORD.findall(text.casefold()) if tells(word)]
        return b"".join(self._drawn(word) for word in words[:MOST_KEPT])

    def _drawn(self, word: str) -> bytes:
        if word not in self._drawn_words:
            size = -(-self.embedder.dimension // 8)
            self._drawn_words[word] = blake2b(word.encode(), digest_size=size).digest()
        return self._drawn_words[word]

    def _write(self, block: int) -> None:
        texts = self._texts(block)
        # One transaction for words, vectors and mentions: what captures cost is measured
        # elsewhere, and a fill that was interrupted can go on at a whole block.
        with self.memory.context.store.writing() as unit:
            for place, text in enumerate(texts, block * BLOCK):
                self._capture(unit, text, f"session-{place // TURNS}")
            self._enrich(unit, block)
        if self.bare.size() < self.size + BLOCK:
            for text in texts:
                self.bare.keep(text)
            self.bare.settle()

    def _capture(self, unit: Unit, text: str, session: str) -> None:
        context = self.memory.context
        event = context.chance.event_id()
        act = captured(Experience(text, context.source, event, session=session), context.gates)
        record(unit, act, context.realm, event, clock=context.clock, chance=context.chance)

    def _enrich(self, unit: Unit, block: int) -> None:
        name, dimension = self.embedder.name, self.embedder.dimension
        # Vectors of a model that does not serve are cleared away, in the midst of measuring.
        unit.serving.adopt(name)
        waiting = unit.enrichment.waiting(name, BLOCK)
        enriched = [
            Enriched(
                number, packed(vector), tuple(map(key, entities(memory.content))),
                words=self._words(memory.content),
            )
            for (number, memory), vector in zip(waiting, self._vectors(block), strict=True)
        ]  # fmt: skip
        if block % BLOCKS_PER_TOKEN == 0:
            (real,) = self.embedder.embed_with_words(self._texts(block)[:1])
            enriched[0] = replace(enriched[0], words=packed_words(real.words, real.rows))
        unit.enrichment.keep(name, dimension, enriched)
