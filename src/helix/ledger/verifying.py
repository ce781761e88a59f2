"""Whether a record continues the one before it and still carries what it was sealed with."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from helix.ledger.chaining import digest, seal_of
from helix.model.frozen import dataclass
from helix.model.record import Head, Record
from helix.model.scope import Realm


@dataclass(frozen=True, slots=True)
class Sound:
    """Every record matches its seal; `head` can be noted and compared later.

    `conclusions` are the entries of the journal, all of which match theirs; `purged` are the
    records whose payload left by age.
    """

    records: int
    head: Head
    conclusions: int = 0
    purged: int = 0


@dataclass(frozen=True, slots=True)
class Broken:
    """The first record that does not match, and in what way; or the first conclusion.

    `position` is the number of the entry in the journal where `conclusion` is set. Where
    `memory` names one, every seal holds, and it is that memory that does not say what it was
    folded from.
    """

    position: int
    fault: str
    conclusion: bool = False
    memory: str = ""


def fault_in(record: Record, head: Head, erased: Container[int]) -> str | None:  # noqa: PLR0911
    """Return what is wrong with the record that should follow `head`, or None."""
    if record.position != head.position + 1:
        return f"position {head.position + 1} is missing"
    if record.previous != head.seal:
        return "it does not continue the record before it"
    if record.seal != seal_of(record):
        return "its header was changed after it was sealed"
    if record.recorded_at <= head.recorded_at:
        return "it is not later than the record before it"
    if record.payload is None:
        return None if record.position in erased else "its payload is missing but was never erased"
    if digest(record.payload) != record.digest:
        return "its payload was changed after it was sealed"
    return None


def astray(first: Record | None, tenant: str) -> str | None:
    """Return what is wrong with a ledger that begins so, where it ought to be this tenant's.

    Whose a record is, is under its seal: put under another name, it still bears the old one.
    """
    if first is None:
        return "it may stand apart: there are records of which nobody can tell whose they are"
    if first.realm.tenant == tenant:
        return None
    realm = first.realm
    as_mine = replace(first, realm=Realm(tenant, realm.owner, realm.scope))
    if seal_of(as_mine) == first.seal:
        return "a ledger of this tenant stands under another name"
    return None


def bears_its_seal(record: Record) -> bool:
    """Return whether a record, taken alone, is as it was sealed, payload included."""
    whole = record.payload is not None and digest(record.payload) == record.digest
    return whole and record.seal == seal_of(record)


def head_of(record: Record) -> Head:
    """Return the head a ledger has once it ends in this record."""
    return Head(record.position, record.recorded_at, record.seal)
