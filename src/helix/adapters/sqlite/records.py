"""Rows of the ledger as records, read without trust: the file may have been changed.

SQLite keeps a value of any type in any column. What is of another type than Helix writes, or
stands under a key that is not its own, is not made into a record.
"""

from __future__ import annotations

from types import NoneType

from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import Row
from helix.model.errors import StoreUnavailable
from helix.model.moment import from_micros
from helix.model.record import Head, Payload, Record
from helix.ports.ledger import Unreadable

RECORD_COLUMNS = (
    "l.place, l.position, l.kind, l.version, l.event_id, l.recorded_at, l.digest,"
    " l.previous, l.seal, l.salt, l.body, l.tenant, l.key"
)
"""What `record_of` reads."""
HEAD_COLUMNS = "l.position, l.recorded_at, l.seal, l.tenant, l.key"
"""What `head_of` reads."""

TENANT_SHIFT = 40
_POSITION = (1 << TENANT_SHIFT) - 1

_HEADER = (int, int, str, int, str, int, bytes, bytes, bytes)
_WHOLE = (*_HEADER, bytes, bytes, int, int)
_ERASED = (*_HEADER, NoneType, NoneType, int, int)
_HEAD = (int, int, bytes, int, int)


def record_of(row: Row, places: Places) -> Record:
    """Return the record in a row of `RECORD_COLUMNS`; raises `Unreadable` if there is none."""
    (place, position, kind, version, event_id, recorded_at, digest, previous, seal, salt, body,
     tenant, key) = row  # fmt: skip
    types = tuple(map(type, row))
    if types not in {_WHOLE, _ERASED}:
        raise _unreadable(key)
    _check_place(position, tenant, key)
    try:
        return Record(
            realm=places.realm(place),
            kind=kind,
            version=version,
            event_id=event_id,
            recorded_at=from_micros(recorded_at),
            payload=None if body is None else Payload(salt, body),
            position=position,
            digest=digest,
            previous=previous,
            seal=seal,
        )
    except (StoreUnavailable, ArithmeticError) as error:
        raise _unreadable(key) from error


def head_of(row: Row) -> Head:
    """Return the head in a row of `HEAD_COLUMNS`; raises `Unreadable` if there is none."""
    position, recorded_at, seal, tenant, key = row
    if tuple(map(type, row)) != _HEAD:
        raise _unreadable(key)
    _check_place(position, tenant, key)
    try:
        return Head(position, from_micros(recorded_at), seal)
    except ArithmeticError as error:
        raise _unreadable(key) from error


def _check_place(position: int, tenant: int, key: int) -> None:
    due = key & _POSITION
    if key >> TENANT_SHIFT != tenant or position != due:
        raise Unreadable(
            f"what stands in place of record {due} is another record",
            f"position {due} is missing",
        )


def _unreadable(key: int) -> Unreadable:
    return Unreadable(f"record {key & _POSITION} cannot be read")
