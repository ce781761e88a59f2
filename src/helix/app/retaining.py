"""Letting the ledger forget by age: written out and read back first, purged second.

Off unless its owner says how long records are kept. What may go is `rules.keeping`'s word.
The file is complete, synced and read back from the disk, record by record, before anything is
destroyed; the purge is one transaction. Killed at any moment, either everything is still there
or everything that is gone stands in the file.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count, islice
from pathlib import Path

from helix.app.context import Context
from helix.app.events import event_in
from helix.app.going_through import every_one
from helix.app.leftovers import scoured
from helix.app.private_files import PRIVATE
from helix.app.recording import entombed, record
from helix.app.regular_files import opened
from helix.ledger import workflow as ledger
from helix.ledger.encoding import NAMES, decode
from helix.ledger.exporting import Exported, Writing, digest_of, records_in
from helix.model import act as acts
from helix.model.changes import DropMemory
from helix.model.edge import SUMMARISES
from helix.model.errors import BadInput, Conflict
from helix.model.memory import Memory, Status
from helix.model.provenance import Origin
from helix.model.question import Standpoint, View
from helix.model.record import Record
from helix.model.types import EPISODE
from helix.ports.projection import Stamp
from helix.ports.store import Unit
from helix.projection.erasing import without
from helix.projection.workflow import fold_again
from helix.rules.keeping import Stays, aged, spans, why_it_stays

Progress = Callable[[int], None]

PAGE = 1000
_RESTORED = re.compile("restored-[0-9a-f]{32}")
TOGETHER = 100
"""Episodes brought back in one transaction."""

ABOUT_ONE = (acts.Used, acts.Confirmed, acts.Forgotten, acts.Restored, acts.Demoted, acts.Pinned)
"""Acts that speak of one memory and of nothing else: they go with it."""

_MAY_FOLLOW = frozenset(NAMES[each] for each in ABOUT_ONE)


@dataclass(frozen=True, slots=True)
class Due:
    """What would go now. `stays` counts, by reason, the episodes of that age that stay."""

    keep_days: float
    until: datetime
    positions: tuple[int, ...] = ()
    memory_ids: frozenset[str] = frozenset()
    oldest: datetime | None = None
    newest: datetime | None = None
    payload_bytes: int = 0
    stays: dict[Stays, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Purge:
    """What went: it stands in the file, under the digest that the ledger notes.

    `scoured` is false if somebody kept the store's files in use: bytes of it may be left in them.
    """

    path: Path
    records: int
    memories: int
    sha256: str
    copies_removed: tuple[str, ...]
    bytes_before: int
    bytes_after: int
    scoured: bool = True


@dataclass(frozen=True, slots=True)
class Checked:
    """An export held against the ledger: how many of its records are gone from it, or not."""

    records: int
    purged: int
    present: int


@dataclass(frozen=True, slots=True)
class BroughtBack:
    """Episodes of an export that are in the ledger again, were already, or may not be."""

    restored: int
    there_already: int
    left_out: int


class Retaining:
    """Looks for what is past its age, exports and purges it, and brings it back."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def look(self, keep_days: float | None = None) -> Due:
        """Return what would go, by the settings or by another number of days."""
        days = self._days(keep_days)
        with self._context.store.reading() as unit:
            return self._due(unit, days)

    def purge(
        self, path: Path, keep_days: float | None = None, progress: Progress = lambda _: None
    ) -> Purge | None:
        """Export what is past its age into a new file, check the file, and purge the ledger.

        None, and no file, if nothing is due. Raises before anything is destroyed if the file
        cannot be written or does not read back as the ledger has it.
        """
        self._check_person()
        days = self._days(keep_days)
        with self._context.store.reading() as unit:
            due = self._due(unit, days)
            if not due.positions:
                return None
            digest = self._exported(unit, due, path, progress)
        self._read_back(path, due, digest)
        before = self._size()
        with self._context.store.writing() as unit:
            # Judged again under the lock: what somebody used or restored meanwhile stays.
            again = self._due(unit, days)
            going = sorted(set(due.positions) & set(again.positions))
            memories = due.memory_ids & again.memory_ids
            if going:
                self._purged(unit, going, memories, due.until, digest)
        removed, clean = scoured(self._context) if going else ((), True)
        return Purge(
            path, len(going), len(memories), digest, removed, before, self._size(), clean
        )  # fmt: skip

    def check(self, path: Path) -> Checked:
        """Hold an export against the ledger; raise if a record is not the one that stood there."""
        records = purged = 0
        with self._context.store.reading() as unit:
            for exported in _read(path):
                held = self._same(unit, exported)
                records += 1
                purged += held.payload is None
        return Checked(records, purged, records - purged)

    def restore(self, path: Path, progress: Progress = lambda _: None) -> BroughtBack:
        """Bring the episodes of an export back, to where they stood: archived or forgotten.

        They are recorded anew, as having happened when they did. Doing it twice, or going on
        after a crash, changes nothing that is done.
        """
        self._check_person()
        self.check(path)
        counts: Counter[str] = Counter()
        exports = _read(path)
        while batch := list(islice(exports, TOGETHER)):
            counts += self._restored(batch)
            progress(len(batch))
        return BroughtBack(counts["restored"], counts["there"], counts["left out"])

    def _due(self, unit: Unit, days: float) -> Due:
        tenant, owner = self._context.realm.tenant, self._context.realm.owner
        now = max(self._context.clock.now(), unit.ledger.head(tenant).recorded_at)
        keep = timedelta(days=days)
        grounds = self._grounds(unit)
        positions: list[int] = []
        memory_ids: set[str] = set()
        followers: list[tuple[int, str]] = []
        stays: Counter[Stays] = Counter()
        moments: dict[int, tuple[datetime, int]] = {}
        for each in _pages(unit, tenant):
            if not aged(each.recorded_at, now, keep):
                break
            if each.payload is None or each.realm.owner != owner:
                continue
            moments[each.position] = each.recorded_at, len(each.payload.body)
            if each.kind == NAMES[acts.Captured]:
                episode = unit.projection.born_at(tenant, each.position)
                if episode is None:
                    continue
                why = why_it_stays(episode, is_a_ground=each.position in grounds)
                if why is not None:
                    stays[why] += 1
                    continue
                positions.append(each.position)
                memory_ids.add(episode.id)
            elif each.kind in _MAY_FOLLOW:
                act = decode(each.kind, each.version, each.payload.body)
                followers.append((each.position, str(getattr(act, "memory_id", ""))))
        positions += [position for position, about in followers if about in memory_ids]
        positions.sort()
        going = [moments[each] for each in positions]
        return Due(
            keep_days=days,
            until=now - keep,
            positions=tuple(positions),
            memory_ids=frozenset(memory_ids),
            oldest=going[0][0] if going else None,
            newest=going[-1][0] if going else None,
            payload_bytes=sum(size for _, size in going),
            stays=dict(stays),
        )

    def _grounds(self, unit: Unit) -> set[int]:
        """Return the positions that something held rests on, summaries left aside."""
        found: set[int] = set()
        for held in self._held(unit):
            edges = unit.projection.neighbours(held.realm, held.id, relations=[SUMMARISES])
            if not any(edge.from_id == held.id for edge in edges):
                found |= {each.position for each in held.belief.provenance}
        return found

    def _held(self, unit: Unit) -> Iterator[Memory]:
        context = self._context
        types = [each.name for each in context.schema if each.name != EPISODE]
        seen_from = Standpoint(View.CURRENT, context.clock.now())
        for realm in unit.ledger.realms(context.realm.tenant):
            yield from every_one(
                unit, realm, seen_from, types=types, statuses=[Status.ACTIVE, Status.QUARANTINED]
            )

    def _exported(self, unit: Unit, due: Due, path: Path, progress: Progress) -> str:
        """Write the file under another name, sync it, and put it in its place."""
        tenant = self._context.realm.tenant
        draft = path.with_name(f".{path.name}.{os.getpid()}.part")
        writing = Writing()
        try:
            try:
                # Private from its first byte; a file of that name may be another export.
                if path.exists():
                    raise FileExistsError(17, "there is a file of this name", str(path))
                handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE)
                with os.fdopen(handle, "wb") as file:
                    file.write(writing.first(tenant, self._context.clock.now(), due.keep_days))
                    for position in due.positions:
                        found = unit.ledger.at(tenant, position)
                        assert found is not None  # it was read in this view
                        file.write(writing.record(Exported(found, _status(unit, found))))
                        progress(1)
                    digest = writing.digest
                    file.write(writing.last())
                    file.flush()
                    os.fsync(file.fileno())
                os.link(draft, path)
                _synced(path.parent)
            finally:
                draft.unlink(missing_ok=True)
        except OSError as error:
            raise _unwritable(path, error) from error
        return digest

    def _read_back(self, path: Path, due: Due, digest: str) -> None:
        """Raise unless the file on the disk is what the ledger holds, record by record."""
        found = []
        with self._context.store.reading() as unit:
            for exported in _read(path):
                if self._same(unit, exported) != exported.record:
                    raise _not_as_held(path)
                found.append(exported.record.position)
        if tuple(found) != due.positions or digest_of(_lines(path)) != digest:
            raise _not_as_held(path)

    def _same(self, unit: Unit, exported: Exported) -> Record:
        """Return the ledger's record at an exported one's place, or raise if it is another."""
        record = exported.record
        held = unit.ledger.at(self._context.realm.tenant, record.position)
        if held is None or held.seal != record.seal or held.realm != record.realm:
            raise BadInput(
                f"record {record.position} of the export never stood in this ledger",
                code="not_from_here",
                remedy="it belongs to another store; nothing was changed",
            )
        return held

    def _purged(
        self, unit: Unit, going: list[int], memories: frozenset[str], until: datetime, digest: str
    ) -> None:
        context = self._context
        tenant = context.realm.tenant
        entries = unit.journal.entries(tenant, 0, limit=1_000_000)
        unit.journal.rewrite(tenant, without(entries, memories))
        act = acts.Purged(spans(going), context.source, until, digest)
        ledger.append(
            unit.ledger, act, context.realm, event_id=context.chance.event_id(),
            now=context.clock.now(), chance=context.chance,
        )  # fmt: skip
        for position in going:
            unit.ledger.erase(tenant, position)
        # Dropped by name first: statistics outlive a folding, and they are kept by id.
        held = [unit.projection.held(tenant, each) for each in sorted(memories)]
        drops = [DropMemory(each.realm, each.id) for each in held if each is not None]
        unit.projection.apply(tenant, drops, Stamp(unit.ledger.head(tenant).recorded_at, None))
        fold_again(unit, tenant)
        unit.lives.forget_surfaced(tenant, sorted(memories))

    def _restored(self, batch: list[Exported]) -> Counter[str]:
        counts: Counter[str] = Counter()
        with self._context.store.writing() as unit:
            for exported in batch:
                counts[self._brought_back(unit, exported)] += 1
        return counts

    def _brought_back(self, unit: Unit, exported: Exported) -> str:
        context, before = self._context, exported.record
        assert before.payload is not None  # a file holds whole records
        act = decode(before.kind, before.version, before.payload.body)
        if not isinstance(act, acts.Captured):
            return "left out"  # it spoke of a memory by a name that is no more
        if self._same(unit, exported).payload is not None:
            return "there"
        # What was restored once is, in a later export, still the same event.
        earlier = _RESTORED.match(act.circumstances.event_id)
        name = earlier[0] if earlier else f"restored-{before.seal.hex()[:32]}"
        for time in count(1):
            event_id = f"{name}-{time}" if time > 1 else name
            there, kept_id = event_in(unit.ledger, before.realm, event_id)
            if there is None:
                break
            if there.payload is not None:
                return "there"  # what was restored and purged since is restored again
        if entombed(unit, before.realm, act.source, act.content):
            return "left out"
        again = replace(
            act,
            circumstances=replace(act.circumstances, event_id=event_id),
            occurred_at=act.occurred_at or before.recorded_at,
        )
        realm = before.realm
        chance, clock = context.chance, context.clock
        memory = record(unit, again, realm, kept_id, clock=clock, chance=chance).memory
        back = _back_to(exported.status, memory.id, self._context)
        if back is not None:
            record(unit, back, realm, chance.event_id(), clock=clock, chance=chance)
        return "restored"

    def _days(self, keep_days: float | None) -> float:
        days = self._context.keep_days if keep_days is None else keep_days
        if days is None:
            raise BadInput(
                "the ledger keeps everything: no number of days is set",
                code="retention_off",
                remedy="set `keep_days` below [ledger] in the settings, or give --keep-days",
            )
        return days

    def _size(self) -> int:
        path = getattr(self._context.store, "path", None)
        return path.stat().st_size if isinstance(path, Path) and path.exists() else 0

    def _check_person(self) -> None:
        if self._context.source.origin is not Origin.USER_ASSERTED:
            raise Conflict(
                "an agent cannot purge the ledger",
                code="needs_the_user",
                remedy="let the user run it, without --agent",
            )


def _pages(unit: Unit, tenant: str) -> Iterator[Record]:
    after = 0
    while records := unit.ledger.read(tenant, after, PAGE):
        yield from records
        after = records[-1].position


def _status(unit: Unit, found: Record) -> str:
    if found.kind != NAMES[acts.Captured]:
        return ""
    episode = unit.projection.born_at(found.realm.tenant, found.position)
    return "" if episode is None else episode.status.value


def _back_to(status: str, memory_id: str, context: Context) -> acts.Act | None:
    reason = "brought back from an export"
    if status == Status.ARCHIVED:
        return acts.Demoted(memory_id, context.source, reason)
    return acts.Forgotten(memory_id, context.source, reason)


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with opened(path) as file:
            yield from file
    except OSError as error:
        raise BadInput(
            f"{path} cannot be read: {error.strerror or error}",
            code="export_unreadable",
            remedy="nothing was changed; check the path and your permissions",
        ) from error


def _read(path: Path) -> Iterator[Exported]:
    return records_in(_lines(path))


def _synced(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unwritable(path: Path, error: OSError) -> BadInput:
    return BadInput(
        f"{path} cannot be written and read back: {error.strerror or error}",
        code="export_failed",
        remedy="nothing was purged; name a new file in a folder with room",
    )


def _not_as_held(path: Path) -> BadInput:
    return BadInput(
        f"{path} does not read back as the ledger has it",
        code="export_failed",
        remedy="nothing was purged; check the disk, and export into another file",
    )
