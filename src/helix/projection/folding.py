"""Folding: one act in its place becomes changes. Pure but for what it may look up (`Known`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from helix.model import act as acts
from helix.model.act import Act
from helix.model.changes import Change, DropMemory, PutMemory, PutTomb
from helix.model.edge import CONTRADICTS, SUPERSEDES
from helix.model.memory import Status
from helix.model.provenance import Origin, Provenance
from helix.model.record import Record
from helix.ports.projection import Known
from helix.projection import episodes, living, resolving, trusting, undoing
from helix.projection.believing import asserted, changed, drawn
from helix.projection.replacing import ended_behind
from helix.rules.agreement import confirmed
from helix.rules.doubts import opposed, rivals, settled, without_rival
from helix.rules.foreign import standing
from helix.rules.influence import adds_weight, may_supersede
from helix.rules.validity import closed_by

Changes = tuple[Change, ...]


def fold(record: Record, act: Act | None, known: Known) -> Changes:
    """Return what one record changes; nothing if its payload was erased."""
    if act is None:
        return ()
    return _FOLDS[type(act)](record, act, known)


def _asserted(record: Record, act: acts.Asserted, known: Known) -> Changes:
    return (PutMemory(asserted(record, act)),)


def _corrected(record: Record, act: acts.Corrected, known: Known) -> Changes:
    new = asserted(record, act.by)
    changes: list[Change] = [PutMemory(new)]
    old = known.held(record.realm.tenant, act.corrects)
    if old is not None and not may_supersede(old.belief, act.by):
        # Whoever is weaker may disagree, and both are doubted; the stronger word still stands.
        if new.status is Status.ACTIVE:
            changes = [PutMemory(replace(new, belief=opposed(new.belief, old.id)))]
            changes.append(changed(old, record, opposed(old.belief, new.id)))
            changes.append(drawn(record, (new.id, CONTRADICTS, old.id), act.by.source, 1.0))
    elif old is not None:
        closed = closed_by(old.belief, new.belief.valid_from, new.id)
        changes.append(changed(old, record, closed))
        changes += ended_behind(record, (old.id,), new.belief.valid_from, known)
        changes.append(drawn(record, (new.id, SUPERSEDES, old.id), act.by.source, 1.0))
    return tuple(changes)


def _confirmed(record: Record, act: acts.Confirmed, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    belief = memory.belief
    counts = adds_weight(act.source, belief)
    if act.source.origin is Origin.USER_ASSERTED:
        belief = settled(belief)
    surer = replace(
        belief,
        # A source that vouches for its own word again makes nothing surer.
        confidence=confirmed(belief.confidence, act.source.origin) if counts else belief.confidence,
        confirmations=belief.confirmations + counts,
        provenance=(*belief.provenance, Provenance(act.source, record.position)),
    )
    return (changed(memory, record, surer),)


def _related(record: Record, act: acts.Related, known: Known) -> Changes:
    return (drawn(record, (act.from_id, act.relation, act.to_id), act.source, act.weight),)


def _forgotten(record: Record, act: acts.Forgotten, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    return (changed(memory, record, replace(memory.belief, status=Status.FORGOTTEN)),)


def _restored(record: Record, act: acts.Restored, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    # What was held back comes back to where it stood: approving is what lets it count.
    status = standing(memory.belief.suspicion)
    return (changed(memory, record, replace(memory.belief, status=status)),)


def _approved(record: Record, act: acts.Approved, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    belief = memory.belief
    vouched = replace(
        belief,
        status=Status.ACTIVE if belief.status is Status.QUARANTINED else belief.status,
        suspicion=None,
        doubts=settled(belief).doubts,
        confidence=confirmed(belief.confidence, act.source.origin),
        provenance=(*belief.provenance, Provenance(act.source, record.position)),
    )
    return (changed(memory, record, vouched),)


def _rejected(record: Record, act: acts.Rejected, known: Known) -> Changes:
    tomb: Changes = (PutTomb(record.realm, act.tomb),) if act.tomb else ()
    tenant = record.realm.tenant
    memory = known.held(tenant, act.memory_id)
    if memory is None:
        return tomb
    turned_away = changed(memory, record, replace(memory.belief, status=Status.REJECTED))
    held = [known.held(tenant, each) for each in rivals(memory.belief)]
    relieved = [
        changed(each, record, without_rival(each.belief, memory.id))
        for each in held
        if each is not None and memory.id in rivals(each.belief)
    ]
    return (turned_away, *relieved, *tomb)


def _pinned(record: Record, act: acts.Pinned, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    return (changed(memory, record, replace(memory.belief, pinned=act.pinned)),)


def _erased(record: Record, act: acts.Erased, known: Known) -> Changes:
    tomb: Changes = (PutTomb(record.realm, act.tomb),) if act.tomb else ()
    # At 0 stand all conclusions; the one that was erased is in the journal no more.
    memory = known.born_at(record.realm.tenant, act.position) if act.position else None
    return (DropMemory(memory.realm, memory.id), *tomb) if memory else tomb


def _purged(record: Record, act: acts.Purged, known: Known) -> Changes:
    # Their payloads are gone, so nothing was folded from them; see `workflow.follow`.
    return ()


_FOLDS: dict[type[Act], Callable[..., Changes]] = {
    acts.Captured: episodes.captured,
    acts.SessionStarted: episodes.session_started,
    acts.SessionEnded: episodes.session_ended,
    acts.Asserted: _asserted,
    acts.Corrected: _corrected,
    acts.Confirmed: _confirmed,
    acts.Related: _related,
    acts.Forgotten: _forgotten,
    acts.Restored: _restored,
    acts.Pinned: _pinned,
    acts.Resolved: resolving.resolved,
    acts.Used: living.used,
    acts.Promoted: living.promoted,
    acts.Demoted: living.demoted,
    acts.Approved: _approved,
    acts.Rejected: _rejected,
    acts.Trusted: trusting.trusted,
    acts.RolledBack: undoing.rolled_back,
    acts.Erased: _erased,
    acts.Purged: _purged,
}
