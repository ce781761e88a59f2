"""Surprise is measured when a memory is embedded; vectors follow the memory's life."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.model.outcome import Kept
from helix.model.recollection import Recollected
from helix.ports.embedder import WholeTexts
from helix.rules.similarity import unit
from helix.testing.builders import AGENT, HERE, open_memory
from helix.testing.clock import SettableClock

DAY = timedelta(days=1)
DIMENSION = 64


class Letters(WholeTexts):
    """Embeds a text by its letters: the same letters point the same way."""

    name, dimension, cost, at_hand = "letters", DIMENSION, "nothing", True

    def embed(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in enumerate(texts):
            for letter in text.lower():
                rows[row, ord(letter) % DIMENSION] += 1
        return unit(rows)


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def memory(tmp_path: Path, clock: SettableClock):
    store = SqliteStore(tmp_path / "memory.db")
    opened = open_memory(store, clock=clock, source=AGENT)
    embedder = Letters()
    yield Helix(replace(opened.context, embedder=lambda: embedder))
    store.close()


def captured(memory: Helix, content: str) -> str:
    kept = memory.capture(content)
    assert isinstance(kept, Kept)
    return kept.memory.id


def test_what_is_new_surprises_and_what_repeats_is_flagged(memory: Helix) -> None:
    first = captured(memory, "aaaa bbbb")
    memory.upkeep.enrich()
    again = captured(memory, "aaaa bbbb")
    new = captured(memory, "xyz 123")
    memory.upkeep.enrich()
    novelty = {each: memory.life.standing(each).novelty for each in (first, again, new)}
    assert novelty[first].surprise == 0.5
    assert novelty[again].nearest == pytest.approx(0.0, abs=1e-3)
    assert novelty[again].surprise < 0.5 < novelty[new].surprise
    standings = [memory.life.standing(each).factors["base"] for each in (again, first, new)]
    assert standings == sorted(standings)
    assert memory.why(again).memory.importance_base == memory.why(first).memory.importance_base


def test_within_one_batch_the_second_repeats_the_first(memory: Helix) -> None:
    first, again = captured(memory, "aaaa bbbb"), captured(memory, "aaaa bbbb")
    memory.upkeep.enrich()
    assert memory.life.standing(first).novelty.nearest is None
    assert memory.life.standing(again).novelty.nearest == pytest.approx(0.0, abs=1e-3)


def test_vectors_grow_coarse_as_a_memory_fades_and_fine_as_it_is_used(
    memory: Helix, clock: SettableClock
) -> None:
    held = captured(memory, "the quick brown fox")
    captured(memory, "jumps over lazy dogs")
    memory.upkeep.enrich()

    def bits() -> int:
        done = memory.life.compress()
        assert done is not None
        with memory.context.store.reading() as reading:
            return reading.enrichment.bits_of(HERE, "letters", [held])[held]

    seen = [bits()]
    for days in (3, 5, 30):
        clock.move(days * DAY)
        seen.append(bits())
    assert seen == [16, 8, 4, 2]
    answer = memory.recall("quick fox brown")
    assert isinstance(answer, Recollected)
    assert answer.remembered[0].memory.id == held
    memory.life.used(held, 5)
    assert bits() == 16
    with memory.context.store.reading() as reading:
        (vector,) = reading.enrichment.vectors_of(HERE, "letters", [held]).values()
    assert vector @ Letters().embed(["the quick brown fox"])[0] == pytest.approx(1.0, abs=1e-3)


def test_a_dry_run_leaves_vectors_as_they_are(memory: Helix, clock: SettableClock) -> None:
    captured(memory, "the quick brown fox")
    memory.upkeep.enrich()
    clock.move(40 * DAY)
    done = memory.life.compress(dry_run=True)
    assert done is not None
    assert (done.coarser, done.before, done.before) == (1, done.after, ((16, 1, 2 * DIMENSION),))
