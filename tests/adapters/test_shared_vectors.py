"""Vectors that one process changes are read anew by another that has them in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from helix import Helix
from helix.adapters.sqlite.store import SqliteStore
from helix.model.outcome import Kept
from helix.testing.builders import HERE, open_memory
from helix.testing.embedders import WordBags

WORDS = WordBags()
SAID = "deploys go out from the main branch"


def over(store: SqliteStore) -> Helix:
    return Helix(replace(open_memory(store).context, embedder=lambda: WORDS))


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Helix]:
    """A memory in which a few things are embedded."""
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        memory = over(store)
        memory.remember(SAID)
        for number in range(3):
            memory.remember(f"junk number {number} of words")
        memory.upkeep.enrich()
        yield memory


@pytest.fixture
def other(memory: Helix, tmp_path: Path) -> Iterator[Helix]:
    """Another process's memory of the same file, as far as the file can tell."""
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        yield over(store)


def near(memory: Helix) -> list[str]:
    """Return what the nearest vectors stand for; nothing for a memory that is not there."""
    with memory.context.store.reading() as unit:
        (found,) = unit.enrichment.nearest(HERE, WORDS.name, WORDS.embed([SAID]), 20)
        keys = dict(unit.connection.execute("SELECT key, content FROM memories"))  # type: ignore[attr-defined]
    return sorted(keys.get(key, "") for key, _ in found)


def erased(memory: Helix) -> None:
    kept = memory.remember("this one is erased again")
    assert isinstance(kept, Kept)
    memory.erasing.memory(kept.memory.id)


def derived_again(memory: Helix) -> None:
    memory.sleeping.rederive()


@pytest.mark.parametrize("folds", [erased, derived_again])
def test_what_another_process_folded_again_is_in_memory_once(
    memory: Helix, other: Helix, folds: Callable[[Helix], None]
) -> None:
    """Memories get new numbers then; nothing stays of the old ones, here or there."""
    before = near(memory)
    assert near(other) == before
    assert SAID in before
    folds(memory)
    memory.upkeep.enrich()
    assert near(other) == near(memory) == before
