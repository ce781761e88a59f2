"""Applying what Helix concluded, and taking it back.

Each entry is one transaction. A long run writes several; they are told of, and taken back,
as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from helix.model.changes import (
    Change,
    ChangeSet,
    DropEdge,
    DropMemory,
    JournalEntry,
    PutEdge,
    PutMemory,
    Step,
)
from helix.model.errors import Conflict, NotFound
from helix.model.memory import Status
from helix.model.moment import next_moment
from helix.model.proposal import Proposal
from helix.model.scope import Realm, visible_from
from helix.ports.projection import Stamp
from helix.ports.store import Store, Unit
from helix.rules.validity import present_of

_PAGE = 100


@dataclass(frozen=True, slots=True)
class Concluded:
    """What Helix concluded in one run, under the number by which it can be taken back."""

    number: int
    recorded_at: datetime
    scope: str
    reason: str
    concluded_by: str
    changes: int
    parts: tuple[int, ...]
    reverts: int | None = None
    reverted_by: int | None = None


def conclude(
    unit: Unit,
    realm: Realm,
    proposals: Sequence[Proposal],
    now: datetime,
    *,
    reason: str,
    concluded_by: str,
    part_of: int | None = None,
) -> JournalEntry:
    """Apply proposals and write them down as one entry, with what takes them back."""
    changes = tuple(change for each in proposals for change in each.changes)
    undo = tuple(change for each in reversed(proposals) for change in each.undo)
    read_to = unit.projection.checkpoint(realm.tenant)
    concluded = ChangeSet(
        realm, reason, concluded_by, read_to, changes, undo, part_of=part_of
    )  # fmt: skip
    return _applied(unit, concluded, now)


def revert(
    store: Store, asker: Realm, number: int, now: Callable[[Unit], datetime]
) -> Concluded:  # fmt: skip
    """Take one conclusion back; what somebody decided about its memories since stays.

    A run of several entries is taken back from its last to its first, a transaction each;
    cut short in between, doing it again goes on.
    """
    with store.reading() as unit:
        parts = _parts(unit, asker, number)
        standing = [each for each in parts if unit.journal.reverted_by(asker.tenant, each) is None]
    done: list[JournalEntry] = []
    for each in reversed(standing):
        with store.writing() as unit:
            # Somebody else may be at it as well.
            if unit.journal.reverted_by(asker.tenant, each) is None:
                part_of = done[0].number if done else None
                done.append(_reverted(unit, asker, each, now(unit), part_of))
    if not done:
        with store.reading() as unit:
            again = unit.journal.reverted_by(asker.tenant, parts[0])
        raise Conflict(
            f"conclusion {number} was taken back already, by {again}",
            code="already_reverted",
            remedy="nothing is left to do",
        )
    return _told(done, reverts=parts[0])


def conclusions(unit: Unit, asker: Realm, limit: int) -> list[Concluded]:
    """Return what was concluded where the asker sees it, newest first."""
    visible = set(visible_from(asker))
    found: list[Concluded] = []
    later: dict[int, list[JournalEntry]] = {}
    for entry in _newest(unit, asker.tenant):
        if len(found) >= limit:
            break
        if entry.change_set.realm not in visible:
            continue
        first = entry.change_set.part_of
        if first is not None:
            later.setdefault(first, []).append(entry)
            continue
        parts = [entry, *reversed(later.pop(entry.number, []))]
        back = unit.journal.reverted_by(asker.tenant, entry.number)
        found.append(_told(parts, reverts=entry.change_set.reverts, reverted_by=back))
    return found


def _newest(unit: Unit, tenant: str) -> Iterator[JournalEntry]:
    end = unit.journal.last(tenant)
    while end > 0:
        start = max(0, end - _PAGE)
        yield from reversed(unit.journal.entries(tenant, start, end - start))
        end = start


def _parts(unit: Unit, asker: Realm, number: int) -> list[int]:
    """Return the numbers of all entries of the run that one entry belongs to."""
    entry = unit.journal.entry(asker.tenant, number)
    if entry is None or entry.change_set.realm not in visible_from(asker):
        raise NotFound(
            f"no conclusion {number} is visible from {asker.scope}",
            code="unknown_conclusion",
            remedy="`helix sweep --history` shows the numbers",
        )
    _check_not_of_a_run(entry)
    first = entry.change_set.part_of or number
    parts, after = [first], first
    while page := unit.journal.entries(asker.tenant, after, _PAGE):
        parts += [each.number for each in page if each.change_set.part_of == first]
        after = page[-1].number
    return parts


def _check_not_of_a_run(entry: JournalEntry) -> None:
    """Raise for what sleep concluded: its run knows what was decided since, and is taken back."""
    word, _, rest = entry.change_set.reason.partition(" ")
    if word == "run":
        run = rest.partition(":")[0].partition(" ")[0]
        raise Conflict(
            f"conclusion {entry.number} is part of run {run}",
            code="part_of_a_run",
            remedy=f"`helix runs show {run}` tells of it, `helix runs revert {run}` takes it back",
        )


def _told(
    parts: Sequence[JournalEntry], *, reverts: int | None, reverted_by: int | None = None
) -> Concluded:  # fmt: skip
    first = parts[0]
    return Concluded(
        first.number,
        first.recorded_at,
        first.change_set.realm.scope,
        first.change_set.reason,
        first.change_set.concluded_by,
        sum(len(each.change_set.changes) for each in parts),
        tuple(each.number for each in parts),
        reverts,
        reverted_by,
    )


def _reverted(
    unit: Unit, asker: Realm, number: int, now: datetime, part_of: int | None
) -> JournalEntry:  # fmt: skip
    entry = unit.journal.entry(asker.tenant, number)
    assert entry is not None  # entries are never removed one by one
    concluded = entry.change_set
    theirs = _decided_since(unit, concluded)
    undo = tuple(
        each
        for each in concluded.undo
        if _named_by(each) not in theirs and _will_be_taken(unit, each, now)
    )
    stepping = {each.memory_id for each in undo if isinstance(each, Step)}
    # Taking the revert back in turn must not move what the revert left alone.
    redo = tuple(
        each
        for each in concluded.changes
        if _named_by(each) not in theirs
        and (not isinstance(each, Step) or each.memory_id in stepping)
    )
    read_to = unit.projection.checkpoint(asker.tenant)
    taken_back = ChangeSet(
        concluded.realm, f"revert {concluded.part_of or number}", concluded.concluded_by, read_to,
        undo, redo, number, part_of,
    )  # fmt: skip
    return _applied(unit, taken_back, now)


def _decided_since(unit: Unit, concluded: ChangeSet) -> set[str]:
    """Return the memories it made that somebody has decided on since, and their edges.

    Pinned, confirmed or forgotten by an act, they are theirs and no longer a mere conclusion.
    """
    tenant = concluded.realm.tenant
    found = set()
    for each in concluded.changes:
        if isinstance(each, PutMemory):
            held = unit.projection.held(tenant, each.memory.id)
            if held is not None and held.belief.since != each.memory.belief.since:
                found.add(held.id)
    edges = [each.edge for each in concluded.changes if isinstance(each, PutEdge)]
    return found | {each.id for each in edges if {each.from_id, each.to_id} & found}


def _named_by(change: Change) -> str:
    """Return the memory or the edge that a change puts or drops; nothing of any other."""
    match change:
        case PutMemory(memory):
            return memory.id
        case PutEdge(edge):
            return edge.id
        case DropMemory(_, name) | DropEdge(_, name):
            return name
    return ""


def _will_be_taken(unit: Unit, change: Change, now: datetime) -> bool:
    if not isinstance(change, Step):
        return True
    memory = unit.projection.held(change.realm.tenant, change.memory_id)
    if memory is None or memory.status is not change.leaves:
        return False
    # The same may have been said again while it was away; then that one is held.
    if change.enters is not Status.ACTIVE or not memory.fingerprint:
        return True
    at = present_of(memory, now)
    return unit.projection.alike(memory.realm, memory.fingerprint, at) is None


def _applied(unit: Unit, concluded: ChangeSet, now: datetime) -> JournalEntry:
    tenant = concluded.realm.tenant
    after = unit.projection.checkpoint(tenant)
    # Later than everything recorded, so that a belief of the same moment is not lost.
    moment = max(now, next_moment(unit.ledger.head(tenant).recorded_at))
    moment = max(moment, unit.journal.latest(tenant) or moment)
    unit.projection.apply(tenant, concluded.changes, Stamp(moment, None))
    return unit.journal.record(tenant, concluded, moment, after)
