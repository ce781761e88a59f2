"""The journal's promises, kept in SQLite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, cast

import apsw
import msgspec

from helix.adapters.sqlite.faults import UNREADABLE, damaged
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import Row, encode
from helix.model import changes as kinds
from helix.model.changes import Change, ChangeSet, JournalEntry
from helix.model.errors import Conflict, StoreUnavailable
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
LATEST = "SELECT recorded_at FROM journal WHERE tenant = ? ORDER BY number DESC LIMIT 1"
CLEAR = "DELETE FROM journal WHERE tenant = ?"
# Beside the journal, as the projection's checkpoint is beside the ledger: an end that was cut
# off leaves no gap, but it was noted how far the journal reached.
NOTED = "SELECT value FROM counters WHERE name = 'journal' AND owner = ?"
NOTE = (
    "INSERT INTO counters VALUES ('journal', ?, ?) ON CONFLICT (name, owner) DO UPDATE"
    " SET value = excluded.value"
)
FORGET_NOTE = "DELETE FROM counters WHERE name = 'journal' AND owner = ?"
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
        if last < self._noted(number_of_tenant):
            raise _cut_short(last)
        header = Header(change_set.realm, last + 1, recorded_at, after, change_set.reverts)
        body = _written(change_set)
        bindings = (
            number_of_tenant, header.number, place, to_micros(recorded_at), after,
            change_set.reverts, body, seal(previous, header, body),
        )  # fmt: skip
        self._connection.execute(RECORD, bindings)
        self._connection.execute(NOTE, (number_of_tenant, header.number))
        return JournalEntry(header.number, recorded_at, after, change_set)

    def head(self, tenant: str) -> tuple[int, bytes]:
        """See `Journal.head`."""
        row = self._connection.execute(HEAD, (self._places.tenant(tenant),)).fetchone()
        if row is not None and tuple(map(type, row)) != (int, bytes):
            raise damaged("the last conclusion")
        return (0, NO_SEAL) if row is None else cast("tuple[int, bytes]", row)

    def seal_at(self, tenant: str, number: int) -> bytes | None:
        """See `Journal.seal_at`."""
        bindings = (self._places.tenant(tenant), number)
        row = self._connection.execute(SEAL_AT, bindings).fetchone()
        return None if row is None else cast("bytes", row[0])

    def first_broken(self, tenant: str) -> tuple[int, str] | None:
        """See `Journal.first_broken`."""
        previous, expected = NO_SEAL, 1
        key = self._places.tenant(tenant)
        try:
            for row in self._connection.execute(SEALED, (key, 1)):
                number, kept = row[0], row[-1]
                if number != expected:
                    return expected, "it is missing"
                if _due(previous, row) != kept:
                    return number, "it was changed after it was sealed"
                previous, expected = kept, number + 1
            noted = self._noted(key)
        except (*UNREADABLE, StoreUnavailable):
            return expected, "it cannot be read"
        if noted >= expected:
            return expected, f"it is missing: the journal had reached {noted}"
        return None

    def entry(self, tenant: str, number: int) -> JournalEntry | None:
        """See `Journal.entry`."""
        bindings = (self._places.tenant(tenant), number)
        return next(self._all(ENTRY, bindings), None)

    def entries(self, tenant: str, after: int = 0, limit: int = 1000) -> Sequence[JournalEntry]:
        """See `Journal.entries`."""
        return list(self._all(ENTRIES, (self._places.tenant(tenant), after, limit)))

    def last(self, tenant: str) -> int:
        """See `Journal.last`."""
        return self.head(tenant)[0]

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
        key = self._places.tenant(tenant)
        self._connection.execute(CLEAR, (key,))
        self._connection.execute(FORGET_NOTE, (key,))

    def _noted(self, tenant: int | None) -> int:
        """Return how many entries were written down, as far as that was noted."""
        try:
            row = self._connection.execute(NOTED, (tenant,)).fetchone()
        except UnicodeDecodeError:
            row = ("no number",)
        if row is not None and type(row[0]) is not int:
            raise damaged("how far the journal reached")
        return 0 if row is None else cast("int", row[0])

    def _all(self, statement: str, bindings: Row) -> Iterator[JournalEntry]:
        which = "a conclusion"
        try:
            for row in self._connection.execute(statement, bindings):
                which = f"conclusion {row[0]!r}"
                yield self._read(row)
        except UNREADABLE as error:
            raise damaged(which) from error

    def _read(self, row: Row) -> JournalEntry:
        number, place, recorded_at, after, body = row
        if tuple(map(type, row)) != (int, int, int, int, bytes):
            raise TypeError
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


def _cut_short(last: int) -> Conflict:
    return Conflict(
        f"conclusion {last + 1} is missing: the journal was cut short",
        code="journal_cut_short",
        remedy="run `helix verify`, and restore a backup; or let `helix rebuild --rederive`"
        " conclude everything anew",
    )


def _due(previous: bytes, row: Row) -> bytes:
    """Return the seal that a row of `SEALED` ought to bear."""
    number, tenant, owner, scope, recorded_at, after, reverts, body, _ = row
    # A seal is over letters, in which numbers of different types, or 0 and nothing, are alike.
    if tuple(map(type, (number, recorded_at, after))) != (int, int, int):
        raise TypeError
    if reverts is not None and (type(reverts) is not int or reverts < 1):
        raise TypeError
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
