"""Folding what a successor does to the line behind it: all it followed on ends where it begins."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from helix.model.changes import Change
from helix.model.record import Record
from helix.ports.projection import Known
from helix.projection.believing import changed
from helix.rules.validity import cut_short


def ended_behind(
    record: Record, replaced: Collection[str], new_from: datetime, known: Known
) -> list[Change]:
    """Return what these memories had replaced in turn, ended where the newest begins.

    A correction dated ahead leaves its predecessor in force until then. Whoever replaces that
    correction by something that holds earlier replaces the predecessor from there on too.
    """
    changes: list[Change] = []
    seen, waiting = set(replaced), list(replaced)
    while waiting:
        for memory in known.replaced_by(record.realm.tenant, waiting.pop()):
            if memory.id in seen:
                continue
            seen.add(memory.id)
            waiting.append(memory.id)
            belief = cut_short(memory.belief, new_from)
            if belief != memory.belief:
                changes.append(changed(memory, record, belief))
    return changes
