"""Seals over what Helix concluded: each entry of the journal is tied to the one before.

seal = SHA-256(previous seal, header, SHA-256 of the change set as it is kept)

Erasing rewrites what an entry holds, and concluding anew drops entries; both seal again from
there on, so nothing of the erased words is left to guess from a digest. A signed head
(`helix attest`) tells whether that happened since it was signed.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from helix.model.frozen import dataclass
from helix.model.moment import to_micros
from helix.model.scope import Realm

NO_SEAL = b""
_FIELD = "\x1f"


@dataclass(frozen=True, slots=True)
class Header:
    """Where an entry stands, beside its change set."""

    realm: Realm
    number: int
    recorded_at: datetime
    after: int
    reverts: int | None


def seal(previous: bytes, header: Header, body: bytes) -> bytes:
    """Return the seal of an entry that follows one with the seal `previous`."""
    realm = header.realm
    fields = _FIELD.join((
        "journal", realm.tenant, realm.owner, realm.scope, str(header.number),
        str(to_micros(header.recorded_at)), str(header.after), str(header.reverts or 0),
        hashlib.sha256(body).hexdigest(),
    ))  # fmt: skip
    return hashlib.sha256(previous + fields.encode()).digest()
