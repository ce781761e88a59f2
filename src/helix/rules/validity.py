"""Which steps a memory may take in its life, and when it counts as true.

Both time axes meet here: `valid_from`/`valid_to` say when a thing holds in the world;
what was believed when is the business of `Belief`. Event time never enters.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from helix.model.errors import Conflict
from helix.model.memory import Belief, Memory, Status
from helix.model.moment import last_moment_before
from helix.model.question import Standpoint, View

ALLOWED_STEPS: dict[Status, frozenset[Status]] = {
    Status.ACTIVE: frozenset(
        {
            Status.ARCHIVED,
            Status.SUPERSEDED,
            Status.FORGOTTEN,
            Status.PURGED,
            # A person looked: it never was right, or where it comes from is no longer trusted.
            Status.REJECTED,
            Status.QUARANTINED,
        }
    ),
    Status.ARCHIVED: frozenset({Status.ACTIVE, Status.QUARANTINED, Status.PURGED}),
    Status.SUPERSEDED: frozenset({Status.PURGED}),
    # What was held back when it stepped back waits again when it comes back.
    Status.FORGOTTEN: frozenset({Status.ACTIVE, Status.QUARANTINED, Status.PURGED}),
    Status.QUARANTINED: frozenset({Status.ACTIVE, Status.REJECTED, Status.PURGED}),
    Status.REJECTED: frozenset({Status.PURGED}),
    Status.PURGED: frozenset(),
}
"""The one status machine. Only a rollback may return along a step, and trust that is given
again where it had sent something from the archive into review; both are recorded."""

_ANSWERING: dict[View, frozenset[Status]] = {
    # A superseded memory still answers while it is valid: a correction may be dated ahead.
    View.CURRENT: frozenset({Status.ACTIVE, Status.SUPERSEDED}),
    View.DEEP: frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED}),
    View.HISTORY: frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED}),
    View.AS_OF: frozenset({Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED}),
}


def statuses_of(view: View) -> frozenset[Status]:
    """Return the statuses that may answer in a view."""
    return _ANSWERING[view]


def check_step(memory: Memory, to: Status) -> None:
    """Raise `Conflict` unless the memory may step to this status."""
    if to in ALLOWED_STEPS[memory.status]:
        return
    refusal = "already" if memory.status is to else f"and cannot become {to}"
    raise Conflict(
        f"{memory.id} is {memory.status} {refusal}",
        code="step_not_allowed",
        remedy=way_out(memory),
    )


def holds_at(valid_from: datetime, valid_to: datetime | None, moment: datetime) -> bool:
    """Return whether a thing valid over [from, to) holds at a moment."""
    return valid_from <= moment and (valid_to is None or moment < valid_to)


def answers(memory: Memory, standpoint: Standpoint) -> bool:
    """Return whether a memory, in the belief it carries, may answer from a standpoint."""
    if memory.status not in _ANSWERING[standpoint.view]:
        return False
    if standpoint.view is View.HISTORY:
        return True
    if has_expired(memory, standpoint.true_on):
        return False
    return holds_at(memory.belief.valid_from, memory.belief.valid_to, standpoint.true_on)


def has_expired(memory: Memory, moment: datetime) -> bool:
    """Return whether a memory no longer answers at a moment, whatever its status."""
    return memory.expires_at is not None and memory.expires_at <= moment


def nearest_moment(now: datetime, start: datetime | None, *ends: datetime | None) -> datetime:
    """Return the moment of a span that lies nearest to the present.

    A span without a start begins now; it ends before the first of its ends. Two sayings of the
    same are one if the earlier holds at this moment of the later: else nothing would answer.
    """
    nearest = now if start is None else max(now, start)
    for end in ends:
        if end is not None and end <= nearest:
            nearest = last_moment_before(end)
    return nearest if start is None else max(nearest, start)


def present_of(memory: Memory, now: datetime) -> datetime:
    """Return the moment nearest to the present at which a memory holds."""
    belief = memory.belief
    return nearest_moment(now, belief.valid_from, belief.valid_to, memory.expires_at)


def check_not_expired(memory: Memory, now: datetime) -> None:
    """Raise `Conflict` if a memory that is to come back would not answer."""
    if has_expired(memory, now):
        raise Conflict(
            f"{memory.id} has expired and would not answer",
            code="expired",
            remedy="say it again: `helix remember`",
        )


def closed_by(old: Belief, new_from: datetime, successor: str) -> Belief:
    """Return the old belief, ended where its successor begins.

    It is closed, not removed: "where did we deploy in March?" must still find it. A
    successor that was right from before the old one's start leaves it an empty span.
    """
    return replace(cut_short(old, new_from), status=Status.SUPERSEDED, superseded_by=successor)


def cut_short(old: Belief, new_from: datetime) -> Belief:
    """Return a belief that ends where another begins, or earlier if it did already."""
    end = max(old.valid_from, new_from)
    if old.valid_to is not None:
        end = min(end, old.valid_to)
    return replace(old, valid_to=end)


def way_out(memory: Memory) -> str:
    """Return what to do about a memory that does not stand as an act needs it."""
    if memory.status is Status.SUPERSEDED and memory.belief.superseded_by:
        return f"work on {memory.belief.superseded_by}, which replaced it, or roll that act back"
    if memory.status in (Status.FORGOTTEN, Status.ARCHIVED):
        return f"bring it back first: `helix restore {memory.id}`"
    if memory.status is Status.QUARANTINED:
        return "the user decides on it: `helix review`"
    return f"`helix why {memory.id}` shows how it came to be so"
