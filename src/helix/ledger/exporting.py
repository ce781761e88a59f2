"""Records as lines of a file, and back: what leaves the ledger is written down first. Pure.

The first line says what the file is, the last how many records it holds and the SHA-256 of
every byte before it; each line between is one record, whole, with its salt, digest and seal.
Whoever has the ledger can check that a record is the very one that stood there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from datetime import datetime

from helix.ledger.verifying import bears_its_seal
from helix.model.errors import BadInput
from helix.model.frozen import dataclass
from helix.model.moment import from_micros, text_of, to_micros
from helix.model.record import Payload, Record
from helix.model.scope import Realm

FORMAT, VERSION = "helix-ledger-export", 1


@dataclass(frozen=True, slots=True)
class Exported:
    """A record as it was written out, and where its memory stood then."""

    record: Record
    status: str


class Writing:
    """Makes the lines of a file, in order, and knows its digest at the end."""

    def __init__(self) -> None:
        """Begin a file."""
        self._digest = hashlib.sha256()
        self.records = 0

    def first(self, tenant: str, at: datetime, keep_days: float) -> bytes:
        """Return the line that says what the file is."""
        return self._line({
            "format": FORMAT, "version": VERSION, "tenant": tenant,
            "exported_at": text_of(at), "keep_days": keep_days,
        })  # fmt: skip

    def record(self, exported: Exported) -> bytes:
        """Return the line of one record; it must have its payload."""
        record = exported.record
        assert record.payload is not None  # what is gone cannot be exported
        self.records += 1
        return self._line({
            "position": record.position,
            "owner": record.realm.owner,
            "scope": record.realm.scope,
            "kind": record.kind,
            "version": record.version,
            "event_id": record.event_id,
            "recorded_at": to_micros(record.recorded_at),
            "status": exported.status,
            "body": record.payload.body.decode("utf-8"),
            "salt": record.payload.salt.hex(),
            "digest": record.digest.hex(),
            "previous": record.previous.hex(),
            "seal": record.seal.hex(),
        })  # fmt: skip

    def last(self) -> bytes:
        """Return the line that ends the file."""
        return self._line({"records": self.records, "sha256": self.digest})

    @property
    def digest(self) -> str:
        """The SHA-256 of every line so far."""
        return self._digest.hexdigest()

    def _line(self, document: dict[str, object]) -> bytes:
        line = json.dumps(document, ensure_ascii=False).encode() + b"\n"
        self._digest.update(line)
        return line


def records_in(lines: Iterable[bytes]) -> Iterator[Exported]:
    """Yield the records of a file, each checked against its seal; the end is checked at the end.

    Raises `BadInput` for a file that is not whole, not ours or was changed.
    """
    digest, tenant, number, ended = hashlib.sha256(), "", 0, False
    for line in lines:
        if ended:
            raise _unusable("something stands after its end")
        document = _document(line)
        if not tenant:
            tenant = _tenant(document)
        elif "position" in document:
            number += 1
            yield _record(document, tenant)
        else:
            ended = True
            if (document.get("records"), document.get("sha256")) != (number, digest.hexdigest()):
                raise _unusable("its end does not match what stands before")
        digest.update(line)
    if not ended:
        raise _unusable("it ends too early")


def digest_of(lines: Iterable[bytes]) -> str:
    """Return the SHA-256 of every line but the last: the name under which the ledger knows it."""
    digest, before = hashlib.sha256(), b""
    for line in lines:
        digest.update(before)
        before = line
    return digest.hexdigest()


def _document(line: bytes) -> dict[str, object]:
    try:
        document = json.loads(line)
    except ValueError as error:
        raise _unusable("a line of it cannot be read") from error
    if not isinstance(document, dict):
        raise _unusable("a line of it cannot be read")
    return document


def _tenant(document: dict[str, object]) -> str:
    tenant = document.get("tenant")
    if document.get("format") != FORMAT or not isinstance(tenant, str) or not tenant:
        raise _unusable("it is not an export of a ledger")
    if document.get("version") != VERSION:
        raise _unusable(f"it is of version {document.get('version')!r}; update Helix")
    return tenant


def _record(document: dict[str, object], tenant: str) -> Exported:
    try:
        text = {name: str(document[name]) for name in _TEXTS}
        position, version, micros = (_number(document[name]) for name in _NUMBERS)
        record = Record(
            realm=Realm(tenant, text["owner"], text["scope"]),
            kind=text["kind"],
            version=version,
            event_id=text["event_id"],
            recorded_at=from_micros(micros),
            payload=Payload(bytes.fromhex(text["salt"]), text["body"].encode()),
            position=position,
            digest=bytes.fromhex(text["digest"]),
            previous=bytes.fromhex(text["previous"]),
            seal=bytes.fromhex(text["seal"]),
        )
    except (KeyError, ValueError, OverflowError) as error:
        raise _unusable("a record of it cannot be read") from error
    if not bears_its_seal(record):
        raise _unusable(f"record {position} does not match its seal")
    return Exported(record, text["status"])


_TEXTS = (
    "owner", "scope", "kind", "event_id", "salt", "body", "digest", "previous", "seal", "status",
)  # fmt: skip
_NUMBERS = ("position", "version", "recorded_at")


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise ValueError(value)
    return value


def _unusable(why: str) -> BadInput:
    return BadInput(
        f"the export cannot be used: {why}",
        code="unusable_export",
        remedy="take another copy of it; nothing was changed",
    )
