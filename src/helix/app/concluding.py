"""Applying what Helix concluded, and taking it back: one transaction, one journal entry."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from helix.model.changes import Change, ChangeSet, JournalEntry, Step
from helix.model.errors import Conflict, NotFound
from helix.model.memory import Status
from helix.model.moment import next_moment
from helix.model.proposal import Proposal
from helix.model.scope import Realm, visible_from
from helix.ports.projection import Stamp
from helix.ports.store import Unit


def conclude(
    unit: Unit,
    realm: Realm,
    proposals: Sequence[Proposal],
    now: datetime,
    *,
    reason: str,
    concluded_by: str,
) -> JournalEntry:
    """Apply proposals and write them down as one entry, with what takes them back."""
    changes = tuple(change for each in proposals for change in each.changes)
    undo = tuple(change for each in reversed(proposals) for change in each.undo)
    read_to = unit.projection.checkpoint(realm.tenant)
    return _applied(unit, ChangeSet(realm, reason, concluded_by, read_to, changes, undo), now)


def revert(unit: Unit, asker: Realm, number: int, now: datetime) -> JournalEntry:
    """Take one entry back; what somebody decided about its memories since stays."""
    entry = unit.journal.entry(asker.tenant, number)
    if entry is None or entry.change_set.realm not in visible_from(asker):
        raise NotFound(
            f"no conclusion {number} is visible from {asker.scope}",
            code="unknown_conclusion",
            remedy="`helix sweep --history` shows the numbers",
        )
    again = unit.journal.reverted_by(asker.tenant, number)
    if again is not None:
        raise Conflict(
            f"conclusion {number} was taken back already, by {again}",
            code="already_reverted",
            remedy="nothing is left to do",
        )
    concluded = entry.change_set
    undo = tuple(each for each in concluded.undo if _will_be_taken(unit, each))
    stepping = {each.memory_id for each in undo if isinstance(each, Step)}
    # Taking the revert back in turn must not move what the revert left alone.
    redo = tuple(
        each
        for each in concluded.changes
        if not isinstance(each, Step) or each.memory_id in stepping
    )
    read_to = unit.projection.checkpoint(asker.tenant)
    taken_back = ChangeSet(
        concluded.realm, f"revert {number}", concluded.concluded_by, read_to, undo, redo, number
    )
    return _applied(unit, taken_back, now)


def _will_be_taken(unit: Unit, change: Change) -> bool:
    if not isinstance(change, Step):
        return True
    memory = unit.projection.held(change.realm.tenant, change.memory_id)
    if memory is None or memory.status is not change.leaves:
        return False
    # The same may have been said again while it was away; then that one is held.
    returns = change.enters is Status.ACTIVE and memory.fingerprint
    return not returns or unit.projection.alike(memory.realm, memory.fingerprint) is None


def _applied(unit: Unit, concluded: ChangeSet, now: datetime) -> JournalEntry:
    tenant = concluded.realm.tenant
    after = unit.projection.checkpoint(tenant)
    # Later than everything recorded, so that a belief of the same moment is not lost.
    moment = max(now, next_moment(unit.ledger.head(tenant).recorded_at))
    unit.projection.apply(tenant, concluded.changes, Stamp(moment, None))
    return unit.journal.record(tenant, concluded, moment, after)
