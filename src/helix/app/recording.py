"""Writing an act down and folding it, in one transaction."""

from __future__ import annotations

from helix.ledger.workflow import Told, append
from helix.model.act import Act, SessionEnded
from helix.model.changes import Change, PutEdge, PutMemory, SpendImportance
from helix.model.edge import Edge
from helix.model.errors import Conflict
from helix.model.frozen import dataclass
from helix.model.memory import Memory
from helix.model.provenance import Origin, Source
from helix.model.scope import Realm
from helix.ports.clock import Chance, Clock
from helix.ports.jobs import SLEEP
from helix.ports.store import Unit
from helix.projection.workflow import after_conclusions, catch_up, follow
from helix.rules.tombs import tombs

ENTOMBED = "these words were turned away or erased, and are not taken in again"

IMPORTANCE_BUDGET, SESSION_BOUNDARY = "importance_budget", "session_boundary"


@dataclass(frozen=True, slots=True)
class Written:
    """An act in its place, and what it changed."""

    told: Told
    changes: tuple[Change, ...]

    @property
    def position(self) -> int:
        """Where it stands in the ledger."""
        return self.told.record.position

    @property
    def memory(self) -> Memory:
        """The memory it brought about or changed first."""
        return next(each.memory for each in self.changes if isinstance(each, PutMemory))

    @property
    def first_memory(self) -> Memory | None:
        """The same, or None if nothing else is believed about any memory since."""
        return next((each.memory for each in self.changes if isinstance(each, PutMemory)), None)

    @property
    def edge(self) -> Edge:
        """The edge it drew."""
        return next(each.edge for each in self.changes if isinstance(each, PutEdge))


def record(
    unit: Unit, act: Act, realm: Realm, event_id: str, *, clock: Clock, chance: Chance
) -> Written:
    """Append one act and fold it at once, so that it can be recalled as soon as this returns."""
    now = after_conclusions(unit, realm.tenant, clock.now())
    told = append(unit.ledger, act, realm, event_id=event_id, now=now, chance=chance)
    try:
        changes = follow(unit, told)
    except Conflict:
        # A writer folds what it appends, so nothing is missing as a rule. A store may follow
        # later, though; then what stands between is folded first.
        between = told.record.position - 1 - unit.projection.checkpoint(realm.tenant)
        if not catch_up(unit, realm.tenant, limit=between):
            raise
        changes = follow(unit, told)
    if changes is None:
        raise Conflict(
            f"the projection has read beyond {told.record.position - 1}, where the ledger ends",
            code="ledger_cut_short",
            remedy="run `helix verify`, and restore a backup if records are missing",
        )
    for change in changes:
        if isinstance(change, SpendImportance):
            # One insert, in the same transaction: whoever is idle does the work later.
            reason = SESSION_BOUNDARY if isinstance(act, SessionEnded) else IMPORTANCE_BUDGET
            unit.jobs.enqueue(change.realm, SLEEP, reason, clock.now())
    return Written(told, changes)


def reused(event_id: str) -> Conflict:
    """Return what to raise when an event's id is given to something else."""
    return Conflict(
        f"the event id {event_id!r} was used before, for something else",
        code="event_id_reused",
        remedy="give every event an id of its own",
    )


def entombed(unit: Unit, realm: Realm, source: Source, content: str) -> bool:
    """Return whether these words were erased or turned away, and may not come back this way.

    The user may say them again; an agent or an import may not.
    """
    tenant = realm.tenant
    if source.origin is Origin.USER_ASSERTED or not unit.projection.has_tombs(tenant):
        return False
    first = unit.ledger.at(tenant, 1)
    return first is not None and any(
        unit.projection.entombed(tenant, each) for each in tombs(first.seal, content)
    )


def check_not_entombed(unit: Unit, realm: Realm, source: Source, content: str) -> None:
    """Raise `Conflict` for words that may not come back this way; see `entombed`."""
    if entombed(unit, realm, source, content):
        raise Conflict(
            ENTOMBED, code="entombed", remedy="only the user can say it again: `helix remember`"
        )
