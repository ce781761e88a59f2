"""Whatever is written into any column of ledger and journal, verifying ends and tells.

A row is changed behind Helix's back, to a value of any type that SQLite keeps. Then either
nothing differs from before, and the store is sound, or it is broken; there is no third way,
and so short a ledger is read in a few pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.consolidation.families import FAMILIES

from helix.adapters.sqlite.ledger import SqliteLedger
from helix.adapters.sqlite.store import SqliteStore
from helix.app.attesting import Attesting
from helix.app.doctor import examine
from helix.ledger.verifying import Broken, Sound
from helix.model.errors import HelixError
from helix.model.record import Record
from helix.testing.builders import open_memory
from helix.testing.clock import SettableClock

MOST_PAGES = 60
KEYS = {"ledger": "key", "journal": "tenant, number"}
COLUMNS = {
    "ledger": (
        "key", "tenant", "position", "place", "kind", "version", "event_id", "recorded_at",
        "digest", "previous", "seal", "salt", "body",
    ),
    "journal": ("tenant", "number", "place", "recorded_at", "after", "reverts", "body", "seal"),
}  # fmt: skip

small = st.integers(-3, 20)
value = st.one_of(
    st.none(),
    small,
    st.integers(-(2**63), 2**63 - 1),
    small.map(lambda position: 1 << 40 | position),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.sampled_from(["captured", "erased", "purged", "1", "x", ""]),
    st.binary(max_size=40),
    st.just(b"\0" * 32),
)


@dataclass(frozen=True)
class Tampering:
    """A new value for one column of one row; `raw` bytes are kept as a text that may be none."""

    column: tuple[str, str]
    pick: int
    new: object
    raw: bool


tampering = st.builds(
    Tampering,
    column=st.sampled_from([(table, name) for table in COLUMNS for name in COLUMNS[table]]),
    pick=st.integers(0, 20),
    new=value,
    raw=st.booleans(),
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which there was said, erased and concluded."""
    path = tmp_path_factory.mktemp("whole") / "memory.db"
    clock = SettableClock()
    with closing(SqliteStore(path)) as store:
        memory = open_memory(store, clock=clock)
        for words in FAMILIES["venv"]:
            memory.capture(words)
        memory.remember("we use postgres 14")
        memory.remember("we use postgres 15")
        memory.sleeping.sleep()
        memory.remember("we use node 3")
        gone = memory.remember("the password is swordfish")
        memory.erasing.memory(gone.memory.id)  # type: ignore[union-attr]
        memory.remember("we use node 4")
        memory.sleeping.sleep()
        assert isinstance(memory.upkeep.verify(), Sound)
        with store.reading() as unit:
            assert unit.journal.last("local") > 1
    with closing(apsw.Connection(str(path))) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("PRAGMA journal_mode = DELETE")
    return path


def rows(connection: apsw.Connection, table: str) -> list[tuple[Any, ...]]:
    """Return a table as it is, byte by byte: a text may be none."""
    parts = ", ".join(f"typeof({each}), CAST({each} AS BLOB)" for each in COLUMNS[table])
    return connection.execute(f"SELECT {parts} FROM {table} ORDER BY {KEYS[table]}").fetchall()


def tampered(path: Path, how: Tampering) -> bool:
    """Change one value, and return whether anything is different now."""
    table, name = how.column
    with closing(apsw.Connection(str(path))) as connection:
        before = rows(connection, table)
        keys = connection.execute(f"SELECT {KEYS[table]} FROM {table}").fetchall()
        where = " AND ".join(f"{each} = ?" for each in KEYS[table].split(", "))
        said = "CAST(? AS TEXT)" if how.raw and isinstance(how.new, bytes) else "?"
        with suppress(apsw.ConstraintError, apsw.MismatchError):
            connection.execute(
                f"UPDATE {table} SET {name} = {said} WHERE {where}",
                (how.new, *keys[how.pick % len(keys)]),
            )
        return rows(connection, table) != before


class Reader:
    """Counts the pages that are read, and ends what would go on for ever."""

    def __init__(self) -> None:
        self.pages = 0

    def counted(self) -> Callable[..., Sequence[Record]]:
        read = SqliteLedger.read

        def one_more(ledger: SqliteLedger, *where: Any) -> Sequence[Record]:
            self.pages += 1
            assert self.pages < MOST_PAGES, "it does not end"
            return read(ledger, *where)

        return one_more


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tampered")


@given(how=tampering)
def test_verifying_ends_and_tells(whole: Path, scratch: Path, how: Tampering) -> None:
    """Sound if and only if nothing changed; and no other reader stumbles."""
    path = scratch / "memory.db"
    for each in scratch.glob("memory.db*"):
        each.unlink()
    path.write_bytes(whole.read_bytes())
    with closing(SqliteStore(path)) as store:
        head = Attesting(open_memory(store).context, scratch).head()
    different = tampered(path, how)
    reader = Reader()
    with (
        patch.object(SqliteLedger, "read", reader.counted()),
        closing(SqliteStore(path)) as store,
    ):
        memory = open_memory(store)
        found = memory.upkeep.verify()
        assert isinstance(found, Broken if different else Sound), found
        assert isinstance(Attesting(memory.context, scratch).check(head), type(found))
        assert any(each.state == "fault" for each in examine(memory.context)) == different
        for reads in (memory.upkeep.rebuild, memory.history.log, memory.upkeep.status):
            reader.pages = 0
            with suppress(HelixError):
                reads()
