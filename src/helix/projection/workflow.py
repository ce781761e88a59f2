"""Following the ledger, rebuilding, comparing: the only module here that touches a port."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from datetime import datetime

from helix.ledger.workflow import Told, tell
from helix.model.act import Erased, Purged
from helix.model.changes import Change, JournalEntry
from helix.model.frozen import dataclass
from helix.model.moment import next_moment
from helix.ports.projection import Projection, Stamp
from helix.ports.store import Store, Unit
from helix.projection.folding import fold

BATCH = 500
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


def compared(store: Store, tenant: str, progress: Progress = lambda _: None) -> Sequence[str]:
    """Fold everything again on a private copy and return the sections that differ."""
    with store.snapshot() as copy:
        with copy.reading() as unit:
            before = likeness(unit.projection, tenant)
        rebuild(copy, tenant, progress)
        with copy.reading() as unit:
            after = likeness(unit.projection, tenant)
    return before.differences(after)
