"""Writing to the ledger, reading acts back, verifying, erasing: the only module here at a port."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime

from helix.ledger.chaining import sealed
from helix.ledger.encoding import NAMES, VERSION, decode, encode, kind_of
from helix.ledger.verifying import Broken, Sound, astray, bears_its_seal, fault_in, head_of
from helix.model.act import Act, Erased, Purged
from helix.model.errors import NotFound
from helix.model.frozen import dataclass
from helix.model.provenance import Source
from helix.model.record import EMPTY_HEAD, Payload, Record
from helix.model.scope import Realm
from helix.ports.clock import Chance
from helix.ports.ledger import Ledger, Unreadable

BATCH = 1000


@dataclass(frozen=True, slots=True)
class Told:
    """A record together with its act; None where the payload was erased."""

    record: Record
    act: Act | None


def append(
    ledger: Ledger, act: Act, realm: Realm, *, event_id: str, now: datetime, chance: Chance
) -> Told:
    """Write one act at the end of its tenant's ledger and return it in its place."""
    payload = Payload(chance.salt(), encode(act))
    unsealed = Record(realm, kind_of(act), VERSION, event_id, now, payload)
    record = sealed(ledger.head(realm.tenant), unsealed)
    ledger.append(record)
    return Told(record, act)


def told(record: Record) -> Told:
    """Return a record with its act decoded."""
    if record.payload is None:
        return Told(record, None)
    return Told(record, decode(record.kind, record.version, record.payload.body))


def tell(ledger: Ledger, tenant: str, after: int = 0, until: int | None = None) -> Iterator[Told]:
    """Yield every act after a position, in order, up to and including `until`.

    Raises `Unreadable` where a record is damaged or missing.
    """
    while records := ledger.read(tenant, after, BATCH):
        for record in records:
            if until is not None and record.position > until:
                return
            after += 1
            if record.position != after:
                raise Unreadable(f"record {after} is missing", f"position {after} is missing")
            yield told(record)


def verify(
    ledger: Ledger, tenant: str, progress: Callable[[int], None] = lambda _: None
) -> Sound | Broken:
    """Check the whole chain of a tenant and name the first record that does not hold."""
    erased, purged = _gone(ledger, tenant)
    gone = erased | purged
    head = EMPTY_HEAD
    try:
        while records := ledger.read(tenant, head.position, BATCH):
            for record in records:
                if fault := fault_in(record, head, gone):
                    return Broken(head.position + 1, fault)
                head = head_of(record)
            progress(len(records))
    except Unreadable as error:
        return Broken(head.position + 1, error.fault)
    for first in ledger.firsts():
        if fault := astray(first, tenant):
            return Broken(1 if first else head.position + 1, fault)
    return Sound(head.position, head, purged=len(purged))


def erase(
    ledger: Ledger,
    realm: Realm,
    position: int,
    *,
    source: Source,
    now: datetime,
    chance: Chance,
    tomb: str = "",
) -> Told:
    """Destroy one payload and write down that this was done, so that it is not taken for damage."""
    record = ledger.at(realm.tenant, position)
    if record is None or record.realm != realm:
        raise NotFound(
            f"there is no record {position} in {realm.scope}",
            code="unknown_position",
            remedy="`helix log` shows the positions",
        )
    act = Erased(position, source, tomb)
    written = append(ledger, act, realm, event_id=chance.event_id(), now=now, chance=chance)
    ledger.erase(realm.tenant, position)
    return written


def note_erased(
    ledger: Ledger, realm: Realm, *, source: Source, now: datetime, chance: Chance, tomb: str = ""
) -> Told:
    """Write down that a conclusion was destroyed, which no record holds."""
    act = Erased(0, source, tomb)
    return append(ledger, act, realm, event_id=chance.event_id(), now=now, chance=chance)


def purged_positions(ledger: Ledger, tenant: str) -> frozenset[int]:
    """Return the positions whose payloads left by age."""
    return frozenset(
        position
        for act in _purges(ledger, tenant)
        for first, last in act.spans
        for position in range(first, last + 1)
    )


def purge_of(ledger: Ledger, tenant: str, position: int) -> Purged | None:
    """Return the act by which the payload at a position left, if it left by age."""
    return next(
        (
            act
            for act in _purges(ledger, tenant)
            if any(first <= position <= last for first, last in act.spans)
        ),
        None,
    )


def _purges(ledger: Ledger, tenant: str) -> Iterator[Purged]:
    for record in ledger.purges(tenant):
        act = told(record).act
        if isinstance(act, Purged):
            yield act


def _gone(ledger: Ledger, tenant: str) -> tuple[frozenset[int], frozenset[int]]:
    """Return the positions whose payloads were erased, and those purged by age."""
    # Either is only known from a later record, so it has to be collected first.
    erased: set[int] = set()
    purged: set[int] = set()
    for record in _readable(ledger, tenant):
        # Only what still bears its seal excuses anything; the rest is found to be broken.
        if record.kind in _DESTROYING and bears_its_seal(record):
            act = told(record).act
            if isinstance(act, Erased):
                erased.add(act.position)
            elif isinstance(act, Purged):
                for first, last in act.spans:
                    purged.update(range(first, last + 1))
    return frozenset(erased), frozenset(purged)


def _readable(ledger: Ledger, tenant: str) -> Iterator[Record]:
    """Yield records up to the first that cannot be read; there `verify` finds the ledger broken."""
    after = 0
    with suppress(Unreadable):
        while records := ledger.read(tenant, after, BATCH):
            yield from records
            after = records[-1].position


_DESTROYING = frozenset({NAMES[Erased], NAMES[Purged]})
