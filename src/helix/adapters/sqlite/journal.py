"""The journal's promises, kept in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

import apsw
import msgspec

from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import encode
from helix.model import changes as kinds
from helix.model.changes import Change, ChangeSet, JournalEntry
from helix.model.frozen import dataclass
from helix.model.moment import from_micros, to_micros

RECORD = (
    "INSERT INTO journal (tenant, number, place, recorded_at, after, reverts, body)"
    " SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM journal WHERE tenant = ?1"
    " RETURNING number"
)
_ENTRIES = "SELECT number, place, recorded_at, after, body FROM journal"
ENTRY = f"{_ENTRIES} WHERE tenant = ? AND number = ?"
ENTRIES = f"{_ENTRIES} WHERE tenant = ? AND number > ? ORDER BY number LIMIT ?"
LAST = "SELECT coalesce(max(number), 0) FROM journal WHERE tenant = ?"
CLEAR = "DELETE FROM journal WHERE tenant = ?"
REWRITE = "UPDATE journal SET body = ? WHERE tenant = ? AND number = ?"
REVERTED_BY = "SELECT number FROM journal WHERE tenant = ? AND reverts = ? ORDER BY number LIMIT 1"

_KINDS: dict[str, type[Change]] = {
    "put_memory": kinds.PutMemory,
    "drop_memory": kinds.DropMemory,
    "step": kinds.Step,
    "rate": kinds.Rate,
    "put_use": kinds.PutUse,
    "drop_use": kinds.DropUse,
    "put_edge": kinds.PutEdge,
    "drop_edge": kinds.DropEdge,
    "put_session": kinds.PutSession,
    "add_importance": kinds.AddImportance,
    "spend_importance": kinds.SpendImportance,
    "put_tomb": kinds.PutTomb,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


@dataclass(frozen=True, slots=True)
class _Body:
    """A change set as it is written: each change beside the name of its kind."""

    reason: str
    concluded_by: str
    read_to: int
    changes: list[tuple[str, Any]]
    undo: list[tuple[str, Any]]
    reverts: int | None
    part_of: int | None = None


class SqliteJournal:
    """Implements `Journal` inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection, places: Places) -> None:
        """Take the connection and its numbering of realms."""
        self._connection = connection
        self._places = places

    def record(
        self, tenant: str, change_set: ChangeSet, recorded_at: datetime, after: int
    ) -> JournalEntry:
        """See `Journal.record`."""
        number_of_tenant, place = self._places.ensure(change_set.realm)
        bindings = (
            number_of_tenant, place, to_micros(recorded_at), after, change_set.reverts,
            _written(change_set),
        )  # fmt: skip
        ((number,),) = self._connection.execute(RECORD, bindings).fetchall()
        return JournalEntry(cast("int", number), recorded_at, after, change_set)

    def entry(self, tenant: str, number: int) -> JournalEntry | None:
        """See `Journal.entry`."""
        bindings = (self._places.tenant(tenant), number)
        row = self._connection.execute(ENTRY, bindings).fetchone()
        return None if row is None else self._read(row)

    def entries(self, tenant: str, after: int = 0, limit: int = 1000) -> Sequence[JournalEntry]:
        """See `Journal.entries`."""
        rows = self._connection.execute(ENTRIES, (self._places.tenant(tenant), after, limit))
        return [self._read(row) for row in rows]

    def last(self, tenant: str) -> int:
        """See `Journal.last`."""
        ((number,),) = self._connection.execute(LAST, (self._places.tenant(tenant),)).fetchall()
        return cast("int", number)

    def rewrite(self, tenant: str, number: int, change_set: ChangeSet) -> None:
        """See `Journal.rewrite`."""
        bindings = (_written(change_set), self._places.tenant(tenant), number)
        self._connection.execute(REWRITE, bindings)

    def reverted_by(self, tenant: str, number: int) -> int | None:
        """See `Journal.reverted_by`."""
        bindings = (self._places.tenant(tenant), number)
        row = self._connection.execute(REVERTED_BY, bindings).fetchone()
        return None if row is None else row[0]

    def clear(self, tenant: str) -> None:
        """See `Journal.clear`."""
        self._connection.execute(CLEAR, (self._places.tenant(tenant),))

    def _read(self, row: tuple[Any, ...]) -> JournalEntry:
        number, place, recorded_at, after, body = row
        written = msgspec.json.decode(body, type=_Body)
        change_set = ChangeSet(
            realm=self._places.realm(place),
            reason=written.reason,
            concluded_by=written.concluded_by,
            read_to=written.read_to,
            changes=_changes(written.changes),
            undo=_changes(written.undo),
            reverts=written.reverts,
            part_of=written.part_of,
        )
        return JournalEntry(number, from_micros(recorded_at), after, change_set)


def _written(change_set: ChangeSet) -> bytes:
    return encode(
        _Body(
            change_set.reason,
            change_set.concluded_by,
            change_set.read_to,
            [(_NAMES[type(change)], change) for change in change_set.changes],
            [(_NAMES[type(change)], change) for change in change_set.undo],
            change_set.reverts,
            change_set.part_of,
        )
    )


def _changes(written: list[tuple[str, Any]]) -> tuple[Change, ...]:
    return tuple(msgspec.convert(plain, _KINDS[name]) for name, plain in written)
