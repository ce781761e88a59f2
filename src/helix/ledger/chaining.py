"""Digests and seals: how a record is tied to its payload and to the record before.

digest = SHA-256(salt, payload)          salted, so it betrays nothing once erased
seal   = SHA-256(previous seal, header)  header: everything but the payload
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from helix.model.moment import next_moment, to_micros
from helix.model.record import Head, Payload, Record
from helix.model.scope import Realm

_FIELD = "\x1f"  # cannot occur in a realm or an event id, which Helix marks with a tab at most


def digest(payload: Payload) -> bytes:
    """Return the salted digest of a payload."""
    return hashlib.sha256(payload.salt + payload.body).digest()


def moment_after(head: Head, now: datetime) -> datetime:
    """Return the moment of the next record: now, or just after the head if the clock is behind."""
    return now if now > head.recorded_at else next_moment(head.recorded_at)


def sealed(head: Head, unsealed: Record) -> Record:
    """Return the record that continues a ledger's head: in its place, dated and sealed."""
    assert unsealed.payload is not None  # a record is sealed with its payload
    realm, kind, version, event_id = (
        unsealed.realm, unsealed.kind, unsealed.version, unsealed.event_id
    )  # fmt: skip
    position = head.position + 1
    recorded_at = moment_after(head, unsealed.recorded_at)
    body = digest(unsealed.payload)
    # Built once: on the capture path `dataclasses.replace` would cost more than the hashing.
    return Record(
        realm, kind, version, event_id, recorded_at, unsealed.payload, position, body, head.seal,
        _seal(head.seal, realm, position, kind, version, event_id, recorded_at, body),
    )  # fmt: skip


def seal_of(record: Record) -> bytes:
    """Return the seal that a record ought to bear."""
    return _seal(
        record.previous, record.realm, record.position, record.kind, record.version,
        record.event_id, record.recorded_at, record.digest,
    )  # fmt: skip


def _seal(  # noqa: PLR0917 - the header, field by field: nothing is built on the capture path
    previous: bytes, realm: Realm, position: int, kind: str, version: int, event_id: str,
    recorded_at: datetime, body: bytes,
) -> bytes:  # fmt: skip
    header = _FIELD.join((
        realm.tenant, realm.owner, realm.scope, str(position), kind, str(version), event_id,
        str(to_micros(recorded_at)), body.hex(),
    ))  # fmt: skip
    return hashlib.sha256(previous + header.encode()).digest()
