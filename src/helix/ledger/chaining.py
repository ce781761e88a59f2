"""Digests and seals: how a record is tied to its payload and to the record before.

digest = SHA-256(salt, payload)          salted, so it betrays nothing once erased
seal   = SHA-256(previous seal, header)  header: everything but the payload
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime

from helix.model.moment import next_moment, to_micros
from helix.model.record import Head, Payload, Record

_FIELD = "\x1f"  # cannot occur in a realm or an event id: control characters are refused


def digest(payload: Payload) -> bytes:
    """Return the salted digest of a payload."""
    return hashlib.sha256(payload.salt + payload.body).digest()


def moment_after(head: Head, now: datetime) -> datetime:
    """Return the moment of the next record: now, or just after the head if the clock is behind."""
    return now if now > head.recorded_at else next_moment(head.recorded_at)


def sealed(head: Head, unsealed: Record) -> Record:
    """Return the record that continues a ledger's head: in its place, dated and sealed."""
    assert unsealed.payload is not None  # a record is sealed with its payload
    placed = replace(
        unsealed,
        position=head.position + 1,
        recorded_at=moment_after(head, unsealed.recorded_at),
        digest=digest(unsealed.payload),
        previous=head.seal,
    )
    return replace(placed, seal=seal_of(placed))


def seal_of(record: Record) -> bytes:
    """Return the seal that a record ought to bear."""
    realm = record.realm
    header = _FIELD.join((
        realm.tenant, realm.owner, realm.scope, str(record.position), record.kind,
        str(record.version), record.event_id, str(to_micros(record.recorded_at)),
        record.digest.hex(),
    ))  # fmt: skip
    return hashlib.sha256(record.previous + header.encode()).digest()
