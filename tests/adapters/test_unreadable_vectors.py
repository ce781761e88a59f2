"""A vector that is not as long as it should be stops nobody, and does not stay like that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from helix import Helix
from helix.adapters.sqlite.lengths import lengths
from helix.adapters.sqlite.store import SqliteStore
from helix.app.tending import rounds
from helix.model.outcome import Kept
from helix.rules.precision import COARSE_BITS, HALF, coarse
from helix.rules.similarity import packed
from helix.testing.builders import HERE, open_memory
from helix.testing.embedders import WordBags

SAID = [f"otter number {number} swims in the brook" for number in range(6)]
BODIES = ["vector = x'0102'", "vector = 'text'", "vector = 5"]
MARKS = ["bits = 7", "bits = 'x'"]
"""What SQLite takes in these columns and no Helix can read."""


@pytest.fixture
def words() -> WordBags:
    return WordBags()


@pytest.fixture
def memory(tmp_path: Path, words: WordBags) -> Iterator[Helix]:
    """A memory in which everything is embedded and some of it is kept coarsely."""
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        memory = Helix(replace(open_memory(store).context, embedder=lambda: words))
        ids = [kept_id(memory.remember(text)) for text in SAID]
        memory.upkeep.enrich()
        with store.writing() as unit:
            wanted = dict(zip(ids[:3], COARSE_BITS, strict=True))
            assert unit.enrichment.coarsen(HERE, words.name, wanted) == len(wanted)
        yield memory


@pytest.fixture
def other(memory: Helix, words: WordBags, tmp_path: Path) -> Iterator[Helix]:
    """Another process's memory of the same file, as far as the file can tell."""
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        yield Helix(replace(open_memory(store).context, embedder=lambda: words))


def kept_id(outcome: object) -> str:
    assert isinstance(outcome, Kept)
    return outcome.memory.id


def does(memory: Helix, statement: str) -> None:
    """Damage a store's vectors, and let them count as nobody's yet, as a fold leaves them."""
    with memory.context.store.writing() as unit:
        unit.connection.execute(statement)  # type: ignore[attr-defined]
        unit.connection.execute("DELETE FROM counters WHERE name = 'fitting'")  # type: ignore[attr-defined]


def lose_marks(memory: Helix) -> None:
    """Leave coarse vectors as they are left where the column is forgotten."""
    does(memory, f"UPDATE vectors SET bits = {HALF}")


def near(memory: Helix, words: WordBags) -> list[str]:
    with memory.context.store.reading() as unit:
        (found,) = unit.enrichment.nearest(HERE, words.name, words.embed(SAID[:1]), 20)
        keys = dict(unit.connection.execute("SELECT key, content FROM memories"))  # type: ignore[attr-defined]
    return sorted(keys[key] for key, _ in found)


def precisions(memory: Helix, words: WordBags) -> dict[int, int]:
    with memory.context.store.reading() as unit:
        return {bits: number for bits, number, _ in unit.enrichment.precisions(HERE, words.name)}


def captured(memory: Helix) -> None:
    memory.capture("a badger digs")
    memory.upkeep.enrich()


def enriched(memory: Helix) -> None:
    memory.upkeep.enrich()


def tended(memory: Helix) -> None:
    rounds(memory.context, lambda _: True)


def erased(memory: Helix) -> None:
    memory.erasing.memory(kept_id(memory.remember("this one is erased again")))


HEALS = [captured, enriched, tended, erased]


@pytest.mark.parametrize("damage", [f"UPDATE vectors SET bits = {HALF}", *BODIES, *MARKS])
def test_a_question_goes_on_without_what_cannot_be_read(
    memory: Helix, words: WordBags, damage: str
) -> None:
    """What is sound is found by meaning, and the rest by its words."""
    sound = (
        damage if damage.startswith("UPDATE") else f"UPDATE vectors SET {damage} WHERE memory < 4"
    )
    does(memory, sound)
    assert near(memory, words) == SAID[3:]
    assert len(memory.recall("which otter swims in the brook", limit=9).remembered) == len(SAID)
    ids = [each.id for each in memory.list(limit=9)]
    with memory.context.store.writing() as unit:
        assert len(unit.enrichment.held_of(HERE, words.name, ids)) == 3
        assert unit.enrichment.coarsen(HERE, words.name, dict.fromkeys(ids, 2)) == 3


@pytest.mark.parametrize("heals", HEALS)
def test_a_coarse_vector_taken_for_a_fine_one_is_told_by_its_length(
    memory: Helix, other: Helix, words: WordBags, heals: Callable[[Helix], None]
) -> None:
    """Nothing is embedded for it again, and who has it open reads it as well."""
    lose_marks(memory)
    assert near(other, words) == SAID[3:]
    embedded = words.embedded
    heals(memory)
    assert words.embedded - embedded <= 1
    memory.upkeep.enrich()
    assert {bits: number for bits, number in precisions(memory, words).items() if bits != HALF} == {
        8: 1,
        4: 1,
        2: 1,
    }
    assert set(SAID) <= set(near(other, words))
    assert near(other, words) == near(memory, words)


@pytest.mark.parametrize("damage", BODIES)
@pytest.mark.parametrize("heals", HEALS)
def test_what_no_length_tells_is_embedded_again(
    memory: Helix, other: Helix, words: WordBags, heals: Callable[[Helix], None], damage: str
) -> None:
    """Its memory waits like a new one."""
    does(memory, f"UPDATE vectors SET {damage} WHERE memory = 5")
    assert SAID[4] not in near(other, words)
    heals(memory)
    memory.upkeep.enrich()
    assert set(SAID) <= set(near(other, words))
    assert memory.upkeep.lag().memories == 0


def test_a_sound_store_is_looked_over_once(memory: Helix, words: WordBags) -> None:
    """What was looked at is not read again, and nothing is written for it."""
    with memory.context.store.reading() as unit:
        assert not unit.enrichment.unmended()
    with memory.context.store.writing() as unit:
        assert unit.enrichment.mend() == 0
    embedded = words.embedded
    assert memory.upkeep.enrich() == 0
    assert words.embedded == embedded


def test_a_store_that_cannot_be_written_is_not_mended(memory: Helix) -> None:
    """Tending it is no fault for that."""
    lose_marks(memory)
    store = memory.context.store
    assert isinstance(store, SqliteStore)
    store.read_only = True
    tended(memory)
    with store.reading() as unit:
        assert unit.enrichment.unmended()


@pytest.mark.parametrize("dimension", [1, 5, 63, 64, 384, 1024])
def test_lengths_are_those_of_what_is_written(dimension: int) -> None:
    """However many dimensions there are, at every precision."""
    row = WordBags().embed(["an otter swims"])[:, :1].repeat(dimension, axis=1)
    written = {HALF: len(packed(row[0]))}
    written |= {bits: len(coarse(row, bits)[0]) for bits in COARSE_BITS}
    assert lengths(dimension) == written
