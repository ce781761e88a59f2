"""Folding: one act in its place becomes changes. Pure but for what it may look up (`Known`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from helix.model import act as acts
from helix.model.act import Act
from helix.model.changes import Change, DropMemory, PutMemory
from helix.model.edge import SUPERSEDES
from helix.model.memory import Status
from helix.model.provenance import Provenance
from helix.model.record import Record
from helix.ports.projection import Known
from helix.projection import episodes, living, undoing
from helix.projection.believing import asserted, changed, drawn
from helix.rules.agreement import confirmed
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
    if old is not None:
        closed = closed_by(old.belief, new.belief.valid_from, new.id)
        changes.append(changed(old, record, closed))
        changes.append(drawn(record, (new.id, SUPERSEDES, old.id), act.by.source, 1.0))
    return tuple(changes)


def _confirmed(record: Record, act: acts.Confirmed, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    belief = memory.belief
    surer = replace(
        belief,
        confidence=confirmed(belief.confidence, act.source.origin),
        confirmations=belief.confirmations + 1,
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
    return (changed(memory, record, replace(memory.belief, status=Status.ACTIVE)),)


def _pinned(record: Record, act: acts.Pinned, known: Known) -> Changes:
    memory = known.held(record.realm.tenant, act.memory_id)
    if memory is None:
        return ()
    return (changed(memory, record, replace(memory.belief, pinned=act.pinned)),)


def _erased(record: Record, act: acts.Erased, known: Known) -> Changes:
    memory = known.born_at(record.realm.tenant, act.position)
    return (DropMemory(memory.realm, memory.id),) if memory else ()


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
    acts.Used: living.used,
    acts.Promoted: living.promoted,
    acts.Demoted: living.demoted,
    acts.RolledBack: undoing.rolled_back,
    acts.Erased: _erased,
}
