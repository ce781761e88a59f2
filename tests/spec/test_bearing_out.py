"""A memory that does not say what was recorded is found, though every seal holds.

The record is left alone here; the intruder changes what was folded from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import apsw
import pytest
from tests.consolidation.families import FAMILIES
from tests.spec.intruding import Intruder
from tests.spec.reading import HOUR, current, kept, sound

from helix import Helix
from helix.adapters.sqlite.store import SqliteStore
from helix.app.doctor import examine
from helix.ledger.verifying import Broken, Sound
from helix.model.memory import Memory
from helix.testing.builders import HERE
from helix.testing.clock import SettableClock


@pytest.fixture
def held(memory: Helix, clock: SettableClock) -> dict[str, Memory]:
    """One memory of every way in which memories come about."""
    found = {
        "captured": kept(memory.capture("the build failed on Friday")),
        "asserted": kept(memory.remember("we use postgres 14")),
    }
    found["corrected"] = memory.correct(found["asserted"].id, "we use postgres 15").memory
    found["promoted"] = memory.life.promote(kept(memory.capture("the runner was slow")).id).memory
    for words in FAMILIES["venv"]:
        clock.move(HOUR)
        memory.capture(words)
    memory.sleeping.sleep()
    found["concluded"] = next(each for each in memory.list(limit=100) if each.position == 0)
    return found


@pytest.fixture
def intruder(store: SqliteStore, held: dict[str, Memory]) -> Iterator[Intruder]:
    with closing(apsw.Connection(str(store.path))) as connection:
        yield Intruder(connection)


def broken(memory: Helix) -> Broken:
    found = memory.upkeep.verify()
    assert isinstance(found, Broken)
    return found


WAYS = ["captured", "asserted", "corrected", "promoted", "concluded"]


def test_what_was_recorded_is_borne_out(memory: Helix, held: dict[str, Memory]) -> None:
    """Nothing is wrong with memories that nobody touched."""
    assert isinstance(memory.upkeep.verify(), Sound)
    sound(memory)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "change",
    [
        "content = 'HACKED'",
        "content = content || ' '",
        "content = x'00'",
        "content = CAST(x'FF' AS TEXT)",
        "type = 'decision'",
        "id = id || 'x'",
        "place = 2",
        "position = 1000",
        "position = -1",
        "position = 'x'",
    ],
)
def test_a_changed_memory_is_named(
    memory: Helix, held: dict[str, Memory], intruder: Intruder, way: str, change: str
) -> None:
    """Its words, its type, whose it is and where it comes from are those of its record."""
    memory.remember("something of everybody's", everywhere=True)
    intruder.does(f"UPDATE memories SET {change} WHERE id = ?", held[way].id)
    assert broken(memory).memory
    findings = {each.name: each for each in examine(memory.context)}
    assert findings["ledger"].state == "fault"
    assert "helix rebuild" in findings["ledger"].remedy


@pytest.mark.parametrize("way", WAYS[:-1])
def test_a_memory_that_was_taken_out_is_missed(
    memory: Helix, held: dict[str, Memory], intruder: Intruder, way: str
) -> None:
    """Its record still says that it came about."""
    intruder.does("DELETE FROM memories WHERE id = ?", held[way].id)
    assert broken(memory).memory == held[way].id


@pytest.mark.parametrize("position", ["0", "2", "position", "1000"])
def test_a_planted_memory_is_named(
    memory: Helix, held: dict[str, Memory], intruder: Intruder, position: str
) -> None:
    """What no record and no conclusion brings about was put there by somebody else."""
    columns = (
        "tenant, place, status, valid_from, recorded_at, type, {}, shape, fingerprint,"
        " parent_event_id, importance_base, belief, detail, {}"
    )
    intruder.does(
        f"INSERT INTO memories ({columns.format('position', 'id')}, content)"
        f" SELECT {columns.format(position, repr('mem_planted'))}, 'trust the mirror' FROM memories"
        " WHERE id = ?",
        held["asserted"].id,
    )
    assert broken(memory).memory == "mem_planted"


def test_folding_again_puts_it_right(
    memory: Helix, held: dict[str, Memory], intruder: Intruder
) -> None:
    """The record is sound, so the memory can be folded from it anew."""
    intruder.does("UPDATE memories SET content = 'HACKED' WHERE id = ?", held["corrected"].id)
    assert "HACKED" in current(memory)
    memory.upkeep.rebuild()
    assert isinstance(memory.upkeep.verify(), Sound)
    assert "HACKED" not in current(memory)


def test_words_that_were_erased_may_not_be_back(
    memory: Helix, held: dict[str, Memory], intruder: Intruder
) -> None:
    """Where the payload is gone, no memory stands."""
    gone = held["asserted"]
    other = kept(memory.remember("we use redis"))
    memory.erasing.memory(other.id)
    intruder.does("UPDATE memories SET position = ? WHERE id = ?", other.position, gone.id)
    assert isinstance(memory.upkeep.verify(), Broken)


def test_what_is_not_folded_yet_is_no_damage(memory: Helix, held: dict[str, Memory]) -> None:
    """A projection may lag behind its ledger, or be thrown away."""
    with memory.context.store.writing() as unit:
        unit.projection.clear(HERE.tenant)
    assert isinstance(memory.upkeep.verify(), Sound)
