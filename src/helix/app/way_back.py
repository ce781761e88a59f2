"""Where a rollback is blocked: why, and a way that works.

"Undo the later act first" leads there, unless the later act is a rollback itself: undoing that
one brings about a further rollback, which blocks in its turn, and so on for ever.
"""

from __future__ import annotations

from collections.abc import Mapping

from helix.ledger.workflow import told
from helix.model.act import RolledBack
from helix.model.errors import Conflict
from helix.model.scope import Realm, visible_from
from helix.ports.store import Unit
from helix.projection.undoing import Obstacle

MOST_LOOKED_AT = 10_000
"""Records after the act in question among which rollbacks are looked for."""

Rollbacks = Mapping[int, tuple[int, ...]]
"""What each rollback undid, by its own position."""


def blocked(unit: Unit, asker: Realm, found: Obstacle) -> Conflict:
    """Return the refusal, with what to do instead."""
    position, blocker = found.position, found.now_rests_on
    rollbacks = _rollbacks(unit, asker, position)
    by = _undone_by(position, rollbacks)
    if by is not None:
        return _refused(
            f"act {position} was undone already, by act {by}",
            f"nothing is left to do; `helix rollback {by}` would take that back",
        )
    says = (
        f"act {position} cannot be undone alone: {found.touched} has gone on since (act {blocker})"
    )
    return _refused(says, _way(position, blocker, rollbacks))


def _way(position: int, blocker: int, rollbacks: Rollbacks) -> str:
    back = f"return to {position - 1}: `helix rollback --to {position - 1}`"
    if blocker not in rollbacks:
        return f"undo act {blocker} first, or {back}"
    redone_by = _redone_by(position, rollbacks)
    if redone_by is not None:
        return f"undo act {redone_by} instead, which did it again, or {back}"
    return f"act {blocker} is a rollback; {back}"


def _undone_by(position: int, rollbacks: Rollbacks) -> int | None:
    """Return the rollback by which an act is undone, unless that one is undone itself."""
    for later, undone in rollbacks.items():
        if position in undone and _undone_by(later, rollbacks) is None:
            return later
    return None


def _redone_by(position: int, rollbacks: Rollbacks) -> int | None:
    """Return the latest rollback by which the undoing of an act was undone."""
    undoings = {later for later, undone in rollbacks.items() if position in undone}
    return max(
        (by for each in undoings if (by := _undone_by(each, rollbacks)) is not None), default=None
    )


def _rollbacks(unit: Unit, asker: Realm, after: int) -> Rollbacks:
    records = unit.ledger.recent(visible_from(asker), after=after, limit=MOST_LOOKED_AT)
    acts = ((each.position, told(each).act) for each in records if each.kind == "rolled_back")
    return {at: act.positions for at, act in acts if isinstance(act, RolledBack)}


def _refused(says: str, remedy: str) -> Conflict:
    return Conflict(says, code="rollback_blocked", remedy=remedy)
