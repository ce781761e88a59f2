"""A row that no Helix wrote like this is named; nothing stumbles over it.

Tampering is done behind Helix's back, in the file itself: its guards are dropped first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.spec.intruding import Intruder

from helix import Helix
from helix.adapters.sqlite.ledger import SqliteLedger
from helix.adapters.sqlite.store import SqliteStore
from helix.app.attesting import Attesting
from helix.app.doctor import examine
from helix.ledger.verifying import Broken, Sound
from helix.model.errors import HelixError, StoreUnavailable
from helix.model.record import Record
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SettableClock

RECORDS = 6
MOST_PAGES = 100

UNREADABLE = [
    "body = replace(CAST(body AS TEXT), 'a', 'b')",
    "body = 7",
    "salt = NULL",
    "salt = 'salt'",
    "body = NULL",
    "place = 77",
    "place = 'here'",
    "recorded_at = 'x'",
    "recorded_at = 1.5",
    "recorded_at = 9223372036854775807",
    "digest = 5",
    "previous = 'text'",
    "seal = 'text'",
    "kind = x'00'",
    "kind = CAST(x'FF' AS TEXT)",
    "event_id = x'00'",
    "version = 'one'",
]
"""What SQLite takes in these columns and Helix cannot read, or would read as something else."""

MISPLACED = [
    "key = key + 100",
    "key = key + (5 << 40)",
    "position = 99",
    "position = -3",
    "position = position + (1 << 40)",
    "position = 'third'",
    "tenant = 2",
    "tenant = 'x'",
]


@pytest.fixture(autouse=True)
def few_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test read for ever: so small a ledger is read in a few pages."""
    read, pages = SqliteLedger.read, []

    def counted(self: SqliteLedger, *where: Any) -> Sequence[Record]:
        pages.append(where)
        assert len(pages) < MOST_PAGES, "it does not end"
        return read(self, *where)

    monkeypatch.setattr(SqliteLedger, "read", counted)


@pytest.fixture
def memory(store: SqliteStore, clock: SettableClock) -> Helix:
    memory = open_memory(store, clock=clock)
    for number in range(RECORDS):
        memory.remember(f"fact number {number}")
    return memory


@pytest.fixture
def intruder(store: SqliteStore, memory: Helix) -> Iterator[Intruder]:
    with closing(apsw.Connection(str(store.path))) as connection:
        yield Intruder(connection)


@pytest.mark.parametrize("position", [1, 3, RECORDS])
@pytest.mark.parametrize("change", [*UNREADABLE, *MISPLACED])
def test_a_row_of_the_ledger_is_named(
    memory: Helix, intruder: Intruder, change: str, position: int
) -> None:
    """Whatever stands in a column, verifying ends, and names the record."""
    intruder.does(f"UPDATE ledger SET {change} WHERE position = {position}")
    found = memory.upkeep.verify()
    assert isinstance(found, Broken)
    assert found.position == position


@pytest.mark.parametrize("position", [3, RECORDS])
@pytest.mark.parametrize("change", [*UNREADABLE, *MISPLACED])
def test_a_signed_head_is_checked_on_any_row(
    memory: Helix, intruder: Intruder, change: str, position: int, tmp_path: Path
) -> None:
    """`attest --check` reads the same rows."""
    signing = Attesting(memory.context, tmp_path)
    head = signing.head()
    intruder.does(f"UPDATE ledger SET {change} WHERE position = {position}")
    assert isinstance(signing.check(head), Broken)


def rebuilt(memory: Helix) -> None:
    memory.upkeep.rebuild()


def logged(memory: Helix) -> None:
    memory.history.log(limit=100)


def undone(memory: Helix) -> None:
    memory.history.rollback(3)


def explained(memory: Helix) -> None:
    for each in memory.list(limit=100):
        memory.why(each.id)


@pytest.mark.parametrize("reads", [rebuilt, logged, undone, explained])
@pytest.mark.parametrize("change", [*UNREADABLE, "position = 99", "position = 'third'"])
def test_who_reads_such_a_row_hears_what_is_wrong(
    memory: Helix, intruder: Intruder, change: str, reads: Callable[[Helix], None]
) -> None:
    """An error of Helix's own with a remedy, or an answer that does not need the row."""
    intruder.does(f"UPDATE ledger SET {change} WHERE position = 3")
    with suppress(HelixError):
        reads(memory)


@pytest.mark.parametrize("change", ["key = key + 100", "recorded_at = 'x'", "body = 7"])
def test_folding_such_a_ledger_again_is_refused(
    memory: Helix, intruder: Intruder, change: str
) -> None:
    """A projection that was folded past the damage would hide it."""
    intruder.does(f"UPDATE ledger SET {change} WHERE position = 3")
    with pytest.raises(HelixError) as refused:
        memory.upkeep.rebuild()
    assert refused.value.code == "store_damaged"
    assert "helix verify" in refused.value.remedy


@pytest.mark.parametrize("position", [3, RECORDS])
@pytest.mark.parametrize("change", [*UNREADABLE, *MISPLACED])
def test_a_doctor_finds_the_damage(
    memory: Helix, intruder: Intruder, change: str, position: int
) -> None:
    """He goes on with the rest, whatever he meets."""
    intruder.does(f"UPDATE ledger SET {change} WHERE position = {position}")
    findings = {each.name: each for each in examine(memory.context)}
    assert findings["ledger"].state == "fault"
    assert str(position) in findings["ledger"].says
    assert "python" in findings


@pytest.fixture
def concluded(memory: Helix) -> int:
    """Let sleep conclude something, and return how many entries the journal has."""
    for number in (14, 15, 16):
        memory.remember(f"we use postgres {number}")
        memory.sleeping.sleep()
    with memory.context.store.reading() as unit:
        return unit.journal.last(HERE.tenant)


@pytest.mark.parametrize(
    "change",
    [
        "body = CAST(x'FF' AS TEXT)",
        "recorded_at = CAST(x'FF' AS TEXT)",
        "recorded_at = 1.5",
        "recorded_at = 9223372036854775807",
        "after = x'01'",
        "reverts = 0",
        "reverts = ''",
        "reverts = x''",
        "number = 'two'",
        "tenant = 'x'",
        "place = 'x'",
        "seal = 'text'",
    ],
)
def test_a_row_of_the_journal_is_named(
    memory: Helix, concluded: int, intruder: Intruder, change: str
) -> None:
    """As with the ledger: the first conclusion that is not as it was written."""
    intruder.does(f"UPDATE journal SET {change} WHERE number = 2")
    found = memory.upkeep.verify()
    assert isinstance(found, Broken)
    assert (found.position, found.conclusion) == (2, True)
    for reads in (memory.upkeep.rebuild, memory.sleeping.runs, memory.sleeping.sleep):
        with suppress(HelixError):
            reads()


@pytest.mark.parametrize("column", ["owner", "scope"])
@pytest.mark.parametrize("value", ["''", "x'00'", "'\n'", "CAST(x'FF' AS TEXT)"])
def test_a_realm_that_cannot_be_read_is_damage(
    memory: Helix, concluded: int, intruder: Intruder, column: str, value: str
) -> None:
    """Names that no realm may bear were not given by Helix."""
    intruder.does(f"UPDATE places SET {column} = {value}")
    with closing(SqliteStore(memory.context.store.path)) as store:
        found = open_memory(store).upkeep.verify()
    assert isinstance(found, Broken)
    assert found.position == 1


@pytest.mark.parametrize(
    "change",
    [
        "belief = x'00'",
        "belief = '[]'",
        "belief = CAST('[\"no such status\"]' AS BLOB)",
        "detail = x'00'",
        "detail = CAST('[]' AS BLOB)",
        "shape = 'round'",
        "content = x'00'",
        "content = CAST(x'FF' AS TEXT)",
        "id = x'00'",
        "recorded_at = 'x'",
        "valid_from = 'x'",
        "valid_to = 1",
        "status = 'forgotten'",
        "place = 77",
    ],
)
def test_a_memory_that_cannot_be_read_is_damage(
    memory: Helix, intruder: Intruder, change: str
) -> None:
    """Whoever asks hears of it, or gets an answer without it; folding again puts it right."""
    intruder.does(f"UPDATE memories SET {change} WHERE position = 3")
    for asks in (
        lambda: memory.recall("fact number"),
        lambda: memory.list(limit=100),
        lambda: explained(memory),
    ):
        with suppress(StoreUnavailable):
            asks()
    assert memory.upkeep.rebuild().repaired
    assert isinstance(memory.upkeep.verify(), Sound)
    assert len(memory.list(limit=100)) == RECORDS
