"""Whether a store still stands as it did when a private copy of it was made.

What was worked out on the copy is put in the place of what the store holds. Whatever somebody
concluded, took back or destroyed meanwhile must not be written over.
"""

from __future__ import annotations

from dataclasses import dataclass

from helix.ledger.encoding import NAMES
from helix.model.act import Erased, Purged, Rejected
from helix.model.errors import Conflict
from helix.model.run import Run
from helix.ports.store import Unit

PAGE = 1_000

_NOT_CONCLUDED_FROM = frozenset(NAMES[each] for each in (Erased, Purged, Rejected))
"""Acts that say what may not be concluded any more. Every other act is folded behind what was
concluded, whenever it came."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a tenant's conclusions were, and how far the ledger had come.

    The seal of the last conclusion stands for all before it.
    """

    last: int
    seal: bytes | None
    runs: tuple[Run, ...]
    read_to: int


def seen(unit: Unit, tenant: str) -> Seen:
    """Return what stands now, to be compared later."""
    last = 0
    # Not asked for as the head: a last entry that is damaged must not bar the way to a new one.
    while entries := unit.journal.entries(tenant, last, PAGE):
        last = entries[-1].number
    head = unit.ledger.head(tenant).position
    return Seen(last, unit.journal.seal_at(tenant, last), tuple(every_run(unit, tenant)), head)


def every_run(unit: Unit, tenant: str) -> list[Run]:
    """Return all runs of a tenant, oldest first."""
    found: list[Run] = []
    while run := unit.runs.run(tenant, len(found) + 1):
        found.append(run)
    return found


def check_unchanged(unit: Unit, tenant: str, before: Seen) -> None:
    """Raise `Conflict` if somebody concluded, took back or destroyed something since.

    What was only captured or decided since is no obstacle.
    """
    what = _changed(unit, tenant, before)
    if what:
        raise changed(what)


def changed(what: str) -> Conflict:
    """Return the error for something that happened while the copy was worked on."""
    return Conflict(
        f"{what} while everything was concluded anew",
        code="changed_meanwhile",
        remedy="nothing was changed; run it again",
    )


def _changed(unit: Unit, tenant: str, before: Seen) -> str:
    after = before.read_to
    while records := unit.ledger.read(tenant, after, PAGE):
        for each in records:
            if each.kind in _NOT_CONCLUDED_FROM:
                return f"something was {each.kind}"
        after = records[-1].position
    if every_run(unit, tenant) != [*before.runs]:
        return "a run was slept or taken back"
    sealed = unit.journal.seal_at(tenant, before.last) == before.seal
    if not sealed or unit.journal.entries(tenant, before.last, 1):
        return "the journal was written"
    return ""
