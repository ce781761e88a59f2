"""Which acts must be said anew because something they build on is. Pure.

An act that is said anew stands at the end of the ledger. Whatever was decided after it about
the same memories would fold too early, and to nothing: so it is said anew as well, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from helix.model import act as acts
from helix.model.act import Act
from helix.model.frozen import dataclass
from helix.model.memory import Memory, Status
from helix.model.provenance import Source
from helix.rules.written import ids_in

IN_PLACE = (
    acts.Captured, acts.SessionStarted, acts.SessionEnded, acts.Asserted, acts.Erased, acts.Purged,
)  # fmt: skip
"""What builds on no decision, and stays where it stands."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An act in its place, and the memories about which it changed something."""

    position: int
    recorded_at: datetime
    act: Act
    touched: tuple[str, ...]


def moved(
    placed: Iterable[Placed], anew: Mapping[int, Act], going: Collection[int]
) -> dict[int, Act]:
    """Return, by position and in order, every act that is said anew, and how it is said then.

    `anew` are those that begin it, `going` the positions that are erased and not said again.
    """
    found: dict[int, Act] = {}
    restless: set[str] = set()
    for each in placed:
        stays = each.position in going or isinstance(each.act, IN_PLACE)
        if each.position not in anew and (stays or restless.isdisjoint(_keys(each))):
            continue
        again = anew.get(each.position, each.act)
        found[each.position] = dated(again, each.recorded_at)
        restless.add(_place(each.position))
        if not isinstance(each.act, acts.Related):
            # A link changes nothing about its ends.
            restless |= _keys(each)
    return found


def dated(act: Act, since: datetime) -> Act:
    """Return an act that holds from when it was first said."""
    match act:
        case acts.Resolved(since=None):
            return replace(act, since=since)
        case acts.Asserted(valid_from=None):
            return replace(act, valid_from=since)
        case acts.Corrected(by=statement) | acts.Promoted(by=statement):
            valid_from = statement.valid_from or since
            return replace(act, by=replace(statement, valid_from=valid_from))
        case _:
            return act


def renumbered(act: Act, place: Callable[[int], int]) -> Act:
    """Return an act that names other acts by where they stand now."""
    match act:
        case acts.RolledBack(positions=positions) | acts.Trusted(positions=positions):
            return replace(act, positions=tuple(map(place, positions)))
        case _:
            return act


def step_to(memory: Memory, status: Status, source: Source) -> Act | None:
    """Return the act that lets a memory stand where it stood; None where no act says so."""
    match memory.status, status:
        case _, Status.FORGOTTEN:
            return acts.Forgotten(memory.id, source)
        case Status.ACTIVE, Status.ARCHIVED:
            return acts.Demoted(memory.id, source)
        case ((Status.FORGOTTEN | Status.ARCHIVED), Status.ACTIVE):
            return acts.Restored(memory.id, source)
        case _:
            return None


def _keys(placed: Placed) -> set[str]:
    keys = {*ids_in(placed.act), *placed.touched}
    match placed.act:
        case acts.Used(memory_id=memory_id):
            # What cites it is not changed by being named.
            keys = {memory_id}
        case acts.RolledBack(positions=positions):
            keys |= set(map(_place, positions))
        case acts.Trusted(name=name, positions=positions):
            # Of several decisions about one source the latest counts.
            keys |= {f"trust in {name}", *map(_place, positions)}
    return keys


def _place(position: int) -> str:
    return f"act {position}"
