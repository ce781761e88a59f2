"""The ledger's promises, kept in SQLite."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import cast

import apsw

from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.records import (
    HEAD_COLUMNS,
    RECORD_COLUMNS,
    TENANT_SHIFT,
    head_of,
    record_of,
)
from helix.adapters.sqlite.rows import Row
from helix.model.errors import Conflict
from helix.model.moment import to_micros
from helix.model.record import EMPTY_HEAD, Head, Record
from helix.model.scope import Realm
from helix.ports.ledger import Unreadable

# A record's key is its tenant's number and its position in one, so that rows are appended.
_KEY = "(?1 << 40 | ?2)"
_OF_TENANT = "l.key BETWEEN (?1 << 40) AND (?1 << 40 | 0xFFFFFFFFFF)"
HEAD = f"SELECT {HEAD_COLUMNS} FROM ledger l WHERE {_OF_TENANT} ORDER BY l.key DESC LIMIT 1"
BEFORE = f"SELECT 1 FROM ledger WHERE key = {_KEY}"
APPEND = f"INSERT INTO ledger VALUES ({_KEY}, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
_RECORDS = f"SELECT {RECORD_COLUMNS} FROM ledger l"
FIND = f"{_RECORDS} WHERE l.tenant = ? AND l.event_id = ?"
AT = f"{_RECORDS} WHERE l.key = {_KEY}"
READ = (
    f"{_RECORDS} WHERE l.key > {_KEY} AND l.key <= (?1 << 40 | 0xFFFFFFFFFF)"
    " ORDER BY l.key LIMIT ?3"
)
RECENT = (
    f"{_RECORDS} WHERE l.place = ? AND l.position < ? AND l.position > ?"
    " ORDER BY l.position DESC LIMIT ?"
)
OLDEST = f"{_RECORDS} WHERE l.place = ? AND l.position > ? ORDER BY l.position LIMIT 1"
PURGES = (
    f"{_RECORDS} INDEXED BY ledger_purges WHERE l.tenant = ? AND l.kind = 'purged'"
    " ORDER BY l.position"
)
DESTROYED_SINCE = (
    f"SELECT 1 FROM ledger l WHERE l.key > {_KEY} AND l.key <= (?1 << 40 | 0xFFFFFFFFFF)"
    " AND l.kind IN ('erased', 'purged') LIMIT 1"
)
NEXT_KEY = "SELECT key FROM ledger WHERE key >= ? ORDER BY key LIMIT 1"
BY_KEY = f"{_RECORDS} WHERE l.key = ?"
FIRST_KEY, END_OF_KEYS = -(1 << 63), 1 << 63
REALMS = (
    "SELECT p.key FROM places p WHERE p.tenant = ?"
    " AND EXISTS (SELECT 1 FROM ledger l WHERE l.place = p.key)"
)
ERASE = f"UPDATE ledger SET salt = NULL, body = NULL WHERE key = {_KEY} AND body IS NOT NULL"


class SqliteLedger:
    """Implements `Ledger` inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection, places: Places) -> None:
        """Take the connection and its numbering of realms."""
        self._connection = connection
        # For what answers nothing; a question left half read would hold its snapshot.
        self._writing = connection.cursor()
        self._places = places
        self._next: dict[int, int] = {}

    def forget(self) -> None:
        """Drop what was seen of the head: another writer may go on from it."""
        self._next.clear()

    def head(self, tenant: str) -> Head:
        """See `Ledger.head`."""
        number = self._places.tenant(tenant)
        try:
            row = self._connection.execute(HEAD, (number,)).fetchone()
        except UnicodeDecodeError as error:
            raise Unreadable("the last record cannot be read") from error
        if row is None or number is None:
            return EMPTY_HEAD
        head = head_of(row)
        self._next[number] = head.position + 1
        return head

    def append(self, record: Record) -> None:
        """See `Ledger.append`."""
        assert record.payload is not None  # a record is written with its payload
        tenant, place = self._places.ensure(record.realm)
        if record.position != 1 and record.position != self._next.get(tenant):
            before = self._connection.execute(BEFORE, (tenant, record.position - 1)).fetchone()
            if before is None:
                raise _out_of_place(record)
        try:
            self._writing.execute(
                APPEND,
                (
                    tenant, record.position, place, record.kind, record.version, record.event_id,
                    to_micros(record.recorded_at), record.digest, record.previous, record.seal,
                    record.payload.salt, record.payload.body,
                ),
            )  # fmt: skip
        except apsw.ConstraintError as error:
            if self.find(record.realm.tenant, record.event_id) is None:
                raise _out_of_place(record) from error
            raise Conflict(
                f"the event id {record.event_id!r} is already in the ledger",
                code="event_id_taken",
                remedy="give every event an id of its own",
            ) from error

    def find(self, tenant: str, event_id: str) -> Record | None:
        """See `Ledger.find`."""
        return self._one(FIND, (self._places.tenant(tenant), event_id))

    def at(self, tenant: str, position: int) -> Record | None:
        """See `Ledger.at`."""
        return self._one(AT, (self._places.tenant(tenant), position))

    def read(self, tenant: str, after: int = 0, limit: int = 1000) -> Sequence[Record]:
        """See `Ledger.read`."""
        found: list[Record] = []
        try:
            # One by one: what stands before a damaged record is still read.
            found.extend(self._all(READ, (self._places.tenant(tenant), after, limit)))
        except Unreadable:
            if not found:
                raise
        return found

    def recent(
        self, realms: Sequence[Realm], *, before: int | None = None, after: int = 0, limit: int = 50
    ) -> Sequence[Record]:
        """See `Ledger.recent`."""
        end = 1 << 62 if before is None else before
        streams = [
            self._all(RECENT, (self._places.place(realm), end, after, limit)) for realm in realms
        ]
        newest = heapq.merge(*streams, key=lambda record: -record.position)
        return list(islice(newest, limit))

    def erase(self, tenant: str, position: int) -> bool:
        """See `Ledger.erase`."""
        self._connection.execute(ERASE, (self._places.tenant(tenant), position))
        return self._connection.changes() > 0

    def oldest(self, realm: Realm, after: int = 0) -> Record | None:
        """See `Ledger.oldest`."""
        return self._one(OLDEST, (self._places.place(realm), after))

    def purges(self, tenant: str) -> Sequence[Record]:
        """See `Ledger.purges`."""
        return list(self._all(PURGES, (self._places.tenant(tenant),)))

    def destroyed_since(self, tenant: str, position: int) -> bool:
        """See `Ledger.destroyed_since`."""
        bindings = (self._places.tenant(tenant), position)
        return self._connection.execute(DESTROYED_SINCE, bindings).fetchone() is not None

    def realms(self, tenant: str) -> Sequence[Realm]:
        """See `Ledger.realms`."""
        rows = self._connection.execute(REALMS, (self._places.tenant(tenant),)).fetchall()
        found = [self._places.realm(cast("int", row[0])) for row in rows]
        return sorted(found, key=_by_name)

    def firsts(self) -> Sequence[Record | None]:
        """See `Ledger.firsts`."""
        found: list[Record | None] = []
        key = FIRST_KEY
        while key < END_OF_KEYS:
            row = self._connection.execute(NEXT_KEY, (key,)).fetchone()
            if row is None:
                break
            try:
                found.append(self._one(BY_KEY, row))
            except Unreadable:
                found.append(None)
            key = (row[0] >> TENANT_SHIFT) + 1 << TENANT_SHIFT
        return found

    def tenants(self) -> Sequence[str]:
        """See `Ledger.tenants`."""
        rows = self._connection.execute(
            "SELECT name FROM tenants t"
            " WHERE EXISTS (SELECT 1 FROM ledger WHERE key BETWEEN (t.key << 40)"
            " AND (t.key << 40 | 0xFFFFFFFFFF)) ORDER BY name"
        )
        return [row[0] for row in rows]

    def _one(self, statement: str, bindings: Row) -> Record | None:
        return next(self._all(statement, bindings), None)

    def _all(self, statement: str, bindings: Row) -> Iterator[Record]:
        try:
            for row in self._connection.execute(statement, bindings):
                yield record_of(row, self._places)
        except UnicodeDecodeError as error:  # a text that is none; which row, is not told
            raise Unreadable("a record cannot be read") from error


def _by_name(realm: Realm) -> tuple[str, str]:
    return realm.owner, realm.scope


def _out_of_place(record: Record) -> Conflict:
    return Conflict(
        f"position {record.position} does not continue the ledger",
        code="position_taken",
        remedy="read the head again and repeat",
    )
