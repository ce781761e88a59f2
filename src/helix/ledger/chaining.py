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

_FIELD = "\x1f"  # cannot occur in a realm or an event id: control characters are refused


def digest(payload: Payload) -> bytes:
    """Return the salted digest of a payload."""
    return hashlib.sha256(payload.salt + payload.body).digest()


def moment_after(head: Head, now: datetime) -> datetime:
    """Return the moment of the next record: now, or just after the head if the clock is behind."""
    return now if now > head.recorded_at else next_moment(head.recorded_at)


def sealed(  # noqa: PLR0913 - a record is exactly these
    head: Head,
    realm: Realm,
    kind: str,
    version: int,
    event_id: str,
    now: datetime,
    payload: Payload,
) -> Record:
    """Return the record that continues a ledger's head."""
    recorded_at = moment_after(head, now)
    payload_digest = digest(payload)
    position = head.position + 1
    seal = _seal(head.seal, realm, position, kind, version, event_id, recorded_at, payload_digest)
    return Record(
        realm, position, kind, version, event_id, recorded_at,
        payload_digest, head.seal, seal, payload,
    )  # fmt: skip


def seal_of(record: Record) -> bytes:
    """Return the seal that a record ought to bear."""
    return _seal(
        record.previous, record.realm, record.position, record.kind, record.version,
        record.event_id, record.recorded_at, record.digest,
    )  # fmt: skip


def _seal(  # noqa: PLR0913 - the header is exactly these
    previous: bytes,
    realm: Realm,
    position: int,
    kind: str,
    version: int,
    event_id: str,
    recorded_at: datetime,
    payload_digest: bytes,
) -> bytes:
    header = _FIELD.join((
        realm.tenant, realm.owner, realm.scope, str(position), kind, str(version),
        event_id, str(to_micros(recorded_at)), payload_digest.hex(),
    ))  # fmt: skip
    return hashlib.sha256(previous + header.encode()).digest()
