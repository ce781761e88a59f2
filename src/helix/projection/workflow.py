"""Following the ledger, rebuilding, comparing: the only module here that touches a port."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from helix.ledger.workflow import Told, tell
from helix.ledger.workflow import told as decoded
from helix.model.act import Erased, Purged
from helix.model.changes import Change, JournalEntry, PutMemory
from helix.model.errors import StoreUnavailable
from helix.model.frozen import dataclass
from helix.model.moment import next_moment
from helix.model.record import Record
from helix.ports.projection import Projection, Saying, Stamp
from helix.ports.store import Store, Unit
from helix.projection.bearing_out import (
    BIRTHS,
    Unlike,
    as_said,
    said_by,
    unlike_at,
)
from helix.projection.folding import fold

BATCH = 500
FURTHEST = 1 << 62
UNFOLDED_ALONE = frozenset({"asserted"})
"""Kinds of acts whose only trace is a memory: without it, all that was said of it folds to
nothing as well. Whatever else was erased is unfolded by folding the rest again."""

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Likeness:
    """A short, exact description of a projection: rows and digest per section."""

    sections: tuple[tuple[str, int, str], ...]

    def differences(self, other: Likeness) -> tuple[str, ...]:
        """Return the names of the sections in which two projections differ."""
        mine = {name: (count, value) for name, count, value in self.sections}
        theirs = {name: (count, value) for name, count, value in other.sections}
        names = sorted(mine.keys() | theirs.keys())
        return tuple(name for name in names if mine.get(name) != theirs.get(name))


def after_conclusions(unit: Unit, tenant: str, now: datetime) -> datetime:
    """Return now, or the moment just after the newest conclusion if the clock is behind.

    What is recorded next is dated so: of two beliefs that ended in one moment only the first
    would be kept, and no rollback could return to the other.
    """
    latest = unit.journal.latest(tenant)
    return now if latest is None or latest < now else next_moment(latest)


def follow(unit: Unit, told: Told) -> tuple[Change, ...] | None:
    """Fold one record, move the checkpoint with it, and return what changed.

    None if its position was folded before; then nothing changes. An erasure that cannot be
    unfolded by itself folds everything up to it again.
    """
    tenant, position = told.record.realm.tenant, told.record.position
    if isinstance(told.act, Erased) and unit.projection.checkpoint(tenant) == position - 1:
        gone = unit.ledger.at(tenant, told.act.position)
        if gone is not None and gone.kind not in UNFOLDED_ALONE:
            fold_again(unit, tenant, until=position)
            return ()
    if isinstance(told.act, Purged) and unit.projection.checkpoint(tenant) == position - 1:
        fold_again(unit, tenant, until=position)
        return ()
    return _followed(unit, told)


def _followed(unit: Unit, told: Told) -> tuple[Change, ...] | None:
    changes = fold(told.record, told.act, unit.projection)
    stamp = Stamp(told.record.recorded_at, told.record.position)
    applied = unit.projection.apply(told.record.realm.tenant, changes, stamp)
    return changes if applied else None


def catch_up(unit: Unit, tenant: str, limit: int | None = None) -> int:
    """Fold what the ledger holds beyond the checkpoint; return how many records."""
    folded = 0
    after = unit.projection.checkpoint(tenant)
    until = None if limit is None else after + limit
    for told in tell(unit.ledger, tenant, after, until):
        follow(unit, told)
        folded += 1
    return folded


def rebuild(store: Store, tenant: str, progress: Progress = lambda _: None) -> None:
    """Throw the projection away and fold ledger and journal again, in one transaction."""
    with store.writing() as unit:
        fold_again(unit, tenant, progress)


def fold_again(
    unit: Unit, tenant: str, progress: Progress = lambda _: None, until: int | None = None
) -> None:
    """Fold everything again, up to a position if one is given; vectors are kept meanwhile."""
    unit.enrichment.set_aside(tenant)
    unit.projection.clear(tenant)
    refold(unit, tenant, progress, until)
    unit.enrichment.bring_back(tenant)


def refold(
    unit: Unit, tenant: str, progress: Progress = lambda _: None, until: int | None = None
) -> None:
    """Fold ledger and journal into an empty projection, in the order in which they came."""
    entries = list(unit.journal.entries(tenant, 0, limit=1_000_000))
    entries.reverse()
    for told in tell(unit.ledger, tenant, 0, until):
        _apply_journal(unit, tenant, entries, before=told.record.position)
        _followed(unit, told)
        progress(1)
    _apply_journal(unit, tenant, entries, before=None)


def likeness(projection: Projection, tenant: str) -> Likeness:
    """Return a description by which two projections can be told apart."""
    counts: dict[str, int] = {}
    digests: dict[str, hashlib._Hash] = {}
    for line in projection.contents(tenant):
        section = line.partition(" ")[0]
        counts[section] = counts.get(section, 0) + 1
        digests.setdefault(section, hashlib.sha256()).update(line.encode() + b"\n")
    return Likeness(tuple((name, counts[name], digests[name].hexdigest()) for name in counts))


def _apply_journal(
    unit: Unit, tenant: str, entries: list[JournalEntry], before: int | None
) -> None:
    # A change set stands after the ledger position it was applied at.
    while entries and (before is None or entries[-1].after < before):
        entry = entries.pop()
        unit.projection.apply(tenant, entry.change_set.changes, Stamp(entry.recorded_at, None))


def first_unlike(unit: Unit, tenant: str) -> Unlike | None:
    """Return the first memory that does not say what it was folded from; None is good.

    The ledger and the journal are taken at their word: verify them first.
    """
    folded = unit.projection.checkpoint(tenant)
    whole = folded == unit.ledger.head(tenant).position
    concluded = _Conclusions(unit, tenant)
    after = 0
    while after < folded:
        records = unit.ledger.read(tenant, after, min(BATCH, folded - after))
        held: dict[int, list[Saying]] = {}
        for each in unit.projection.sayings(tenant, after + 1, records[-1].position):
            held.setdefault(each.position, []).append(each)
        for record in records:
            # Erased, but perhaps not unfolded yet.
            if record.payload is None and not whole:
                continue
            here = held.get(record.position, [])
            found = unlike_at(record.position, _due(unit, record, here), here, concluded)
            if found is not None:
                return found
        after = records[-1].position
    apart = (
        *unit.projection.sayings(tenant, -FURTHEST, 0),
        *unit.projection.sayings(tenant, folded + 1),
    )
    return unlike_at(0, None, apart, concluded)


def _due(unit: Unit, record: Record, held: Sequence[Saying]) -> Saying | None:
    """Return what the memory of a record ought to say, if it ought to be there."""
    act = decoded(record).act if record.kind in BIRTHS else None
    due = None if act is None else said_by(record, act)
    if due is None or held:
        return due
    # What is said again under an id that is taken brings nothing about.
    earlier = unit.projection.held(record.realm.tenant, due.id)
    return due if earlier is None else None


class _Conclusions:
    """What was ever concluded, read from the journal when it is first asked for."""

    def __init__(self, unit: Unit, tenant: str) -> None:
        self._unit = unit
        self._tenant = tenant
        self._said: set[Saying] | None = None

    def __contains__(self, saying: object) -> bool:
        if self._said is None:
            self._said = set(self._read())
        return saying in self._said

    def _read(self) -> Iterator[Saying]:
        after = 0
        while entries := self._unit.journal.entries(self._tenant, after, BATCH):
            for entry in entries:
                for change in entry.change_set.changes:
                    if isinstance(change, PutMemory):
                        yield as_said(change.memory)
            after = entries[-1].number


def compared(store: Store, tenant: str, progress: Progress = lambda _: None) -> Sequence[str]:
    """Fold everything again on a private copy and return the sections that differ."""
    with store.snapshot() as copy:
        before = Likeness(())
        # What cannot even be read differs in everything, and is folded again like the rest.
        with suppress(StoreUnavailable), copy.reading() as unit:
            before = likeness(unit.projection, tenant)
        rebuild(copy, tenant, progress)
        with copy.reading() as unit:
            after = likeness(unit.projection, tenant)
    return before.differences(after)
