"""Recall looks twice where coarse vectors cannot tell which memories come first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.model.recollection import Recollected
from helix.ports.embedder import EmbedderUnavailable, WholeTexts
from helix.recall.scoring import Tuning
from helix.rules.policy import HELIX
from helix.rules.similarity import unit
from helix.testing.builders import HERE, open_memory

DIMENSION, MEMORIES = 64, 120
BY_MEANING = Tuning(
    switched_off=frozenset({"words", "around", "named", "linked", "time", "boosts"}),
    abstains=False,
)


class Drawn(WholeTexts):
    """Embeds a text by its digest: every text in a direction of its own. Remembers what it read."""

    name, dimension, cost = "drawn", DIMENSION, "nothing"

    def __init__(self, *, at_hand: bool = True) -> None:
        self.at_hand = at_hand
        self.read: list[str] = []
        self.fails_after: int | None = None

    def embed(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        if self.fails_after is not None and len(self.read) >= self.fails_after:
            raise EmbedderUnavailable("it is away", code="away")
        self.read += texts
        rows = [
            np.random.default_rng(
                int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
            ).standard_normal(DIMENSION)
            for text in texts
        ]
        return unit(np.asarray(rows, dtype=np.float32))


@pytest.fixture
def embedder() -> Drawn:
    return Drawn()


@pytest.fixture
def memory(tmp_path: Path, embedder: Drawn) -> Iterator[Helix]:
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        opened = open_memory(store)
        memory = Helix(replace(opened.context, embedder=lambda: embedder))
        for number in range(MEMORIES):
            memory.capture(f"something that happened, number {number}")
        memory.upkeep.enrich()
        yield memory


def coarsen(memory: Helix, bits: int) -> list[str]:
    """Keep every vector with so few bits; return the ids."""
    ids = [each.id for each in memory.list(limit=1000)]
    with memory.context.store.writing() as work:
        work.enrichment.coarsen(HERE, Drawn.name, dict.fromkeys(ids, bits))
    return ids


def ten(memory: Helix, question: str) -> list[str]:
    answer = memory.recall(question, tuning=BY_MEANING)
    assert isinstance(answer, Recollected)
    return [each.memory.id for each in answer.remembered]


QUESTIONS = [f"question {number}?" for number in range(20)]


def found(memory: Helix, true: list[list[str]]) -> int:
    return sum(
        len(set(ten(memory, each)) & set(wanted))
        for each, wanted in zip(QUESTIONS, true, strict=True)
    )


def with_policy(memory: Helix, embedded_again: int) -> Helix:
    policy = replace(HELIX, embedded_again=embedded_again)
    return Helix(replace(memory.context, policy=policy))


@pytest.mark.parametrize("bits", [4, 2])
def test_what_is_in_doubt_is_read_again(memory: Helix, embedder: Drawn, bits: int) -> None:
    """More of the true ten are found than without, within the bound, and nothing is written."""
    true = [ten(memory, each) for each in QUESTIONS]
    ids = coarsen(memory, bits)
    without = found(with_policy(memory, 0), true)
    embedder.read.clear()
    few = found(memory, true)
    assert len(embedder.read) <= len(QUESTIONS) * (1 + HELIX.embedded_again)
    many = found(with_policy(memory, 60), true)
    assert without < few <= many
    assert many >= 0.97 * 10 * len(QUESTIONS)
    with memory.context.store.reading() as work:
        assert set(work.enrichment.bits_of(HERE, Drawn.name, ids).values()) == {bits}


def test_fine_vectors_are_not_read_again(memory: Helix, embedder: Drawn) -> None:
    """Nor those with eight bits: only the question is embedded."""
    for bits in (16, 8):
        if bits < 16:
            coarsen(memory, bits)
        embedder.read.clear()
        ten(memory, "a question?")
        assert embedder.read == ["a question?"]


def test_nothing_is_read_again_through_a_server(memory: Helix, embedder: Drawn) -> None:
    """What may cost, or is far away, is asked once."""
    coarsen(memory, 2)
    embedder.at_hand = False
    embedder.read.clear()
    ten(memory, "a question?")
    assert embedder.read == ["a question?"]


def test_an_embedder_that_goes_away_in_between_leaves_an_answer(
    memory: Helix, embedder: Drawn
) -> None:
    """From the vectors as they are kept."""
    coarsen(memory, 2)
    embedder.read.clear()
    embedder.fails_after = 1
    assert len(ten(memory, "a question?")) == 10


def test_long_memories_are_read_as_they_were_when_they_were_embedded(
    memory: Helix, embedder: Drawn
) -> None:
    """Their beginning, and no more."""
    for number in range(30):
        memory.capture(f"number {number} " + "x" * 5000)
    memory.upkeep.enrich()
    coarsen(memory, 2)
    embedder.read.clear()
    for question in QUESTIONS:
        ten(memory, question)
    assert any(len(each) == 2000 for each in embedder.read)
    assert max(map(len, embedder.read)) == 2000
