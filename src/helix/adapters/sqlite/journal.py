"""The journal's promises, kept in SQLite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from helix.model.scope import Realm
from helix.rules.sealing import NO_SEAL, Header, seal

RECORD = (
    "INSERT INTO journal (tenant, number, place, recorded_at, after, reverts, body, seal)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
)
HEAD = "SELECT number, seal FROM journal WHERE tenant = ? ORDER BY number DESC LIMIT 1"
SEAL_AT = "SELECT seal FROM journal WHERE tenant = ? AND number = ?"
SEALED = (
    "SELECT j.number, t.name, p.owner, p.scope, j.recorded_at, j.after, j.reverts, j.body, j.seal"
    " FROM journal j LEFT JOIN places p ON p.key = j.place LEFT JOIN tenants t ON t.key = p.tenant"
    " WHERE j.tenant = ? AND j.number >= ? ORDER BY j.number"
)
RESEAL = "UPDATE journal SET seal = ? WHERE tenant = ? AND number = ?"
_ENTRIES = "SELECT number, place, recorded_at, after, body FROM journal"
ENTRY = f"{_ENTRIES} WHERE tenant = ? AND number = ?"
ENTRIES = f"{_ENTRIES} WHERE tenant = ? AND number > ? ORDER BY number LIMIT ?"
LAST = "SELECT coalesce(max(number), 0) FROM journal WHERE tenant = ?"
LATEST = "SELECT recorded_at FROM journal WHERE tenant = ? ORDER BY number DESC LIMIT 1"
CLEAR = "DELETE FROM journal WHERE tenant = ?"
REWRITE = "UPDATE journal SET body = ? WHERE tenant = ? AND number = ?"
REVERTED_BY = "SELECT number FROM journal WHERE tenant = ? AND reverts = ? ORDER BY number LIMIT 1"

_KINDS: dict[str, type[Change]] = {
    "put_memory": kinds.PutMemory,
    "drop_memory": kinds.DropMemory,
    "step": kinds.Step,
    "rate": kinds.Rate,
    "suspect": kinds.Suspect,
    "put_use": kinds.PutUse,
    "drop_use": kinds.DropUse,
    "put_edge": kinds.PutEdge,
    "drop_edge": kinds.DropEdge,
    "put_session": kinds.PutSession,
    "add_importance": kinds.AddImportance,
    "spend_importance": kinds.SpendImportance,
    "put_tomb": kinds.PutTomb,
    "put_trust": kinds.PutTrust,
    "drop_trust": kinds.DropTrust,
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
        last, previous = self.head(tenant)
        header = Header(change_set.realm, last + 1, recorded_at, after, change_set.reverts)
        body = _written(change_set)
        bindings = (
            number_of_tenant, header.number, place, to_micros(recorded_at), after,
            change_set.reverts, body, seal(previous, header, body),
        )  # fmt: skip
        self._connection.execute(RECORD, bindings)
        return JournalEntry(header.number, recorded_at, after, change_set)

    def head(self, tenant: str) -> tuple[int, bytes]:
        """See `Journal.head`."""
        row = self._connection.execute(HEAD, (self._places.tenant(tenant),)).fetchone()
        return (0, NO_SEAL) if row is None else cast("tuple[int, bytes]", row)

    def seal_at(self, tenant: str, number: int) -> bytes | None:
        """See `Journal.seal_at`."""
        bindings = (self._places.tenant(tenant), number)
        row = self._connection.execute(SEAL_AT, bindings).fetchone()
        return None if row is None else cast("bytes", row[0])

    def first_broken(self, tenant: str) -> tuple[int, str] | None:
        """See `Journal.first_broken`."""
        previous, expected = NO_SEAL, 1
        bindings = (self._places.tenant(tenant), 1)
        rows: list[tuple[Any, ...]] = self._connection.execute(SEALED, bindings).fetchall()
        for row in rows:
            number, kept = row[0], row[-1]
            if number != expected:
                return expected, "it is missing"
            try:
                due = _due(previous, row)
            except (TypeError, ValueError, ArithmeticError):
                return number, "it cannot be read"
            if due != kept:
                return number, "it was changed after it was sealed"
            previous, expected = kept, number + 1
        return None

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

    def latest(self, tenant: str) -> datetime | None:
        """See `Journal.latest`."""
        row = self._connection.execute(LATEST, (self._places.tenant(tenant),)).fetchone()
        return None if row is None else from_micros(row[0])

    def rewrite(self, tenant: str, change_sets: Mapping[int, ChangeSet]) -> None:
        """See `Journal.rewrite`."""
        key = self._places.tenant(tenant)
        if key is None or not change_sets:
            return
        for number, change_set in change_sets.items():
            self._connection.execute(REWRITE, (_written(change_set), key, number))
        first = min(change_sets)
        sealed_again(self._connection, key, first, self.seal_at(tenant, first - 1) or NO_SEAL)

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


def sealed_again(
    connection: apsw.Connection, tenant: int, first: int = 1, previous: bytes = NO_SEAL
) -> None:
    """Seal a tenant's entries from a number on."""
    for row in connection.execute(SEALED, (tenant, first)).fetchall():
        previous = _due(previous, row)
        connection.execute(RESEAL, (previous, tenant, row[0]))


def _due(previous: bytes, row: tuple[Any, ...]) -> bytes:
    number, tenant, owner, scope, recorded_at, after, reverts, body, _ = row
    header = Header(Realm(tenant, owner, scope), number, from_micros(recorded_at), after, reverts)
    return seal(previous, header, body)


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
