"""Why a memory is held: everything that led to it, followed back to the ledger."""

from __future__ import annotations

from dataclasses import replace

from helix.app.context import Context
from helix.app.elsewhere import UNSEEN, beliefs_here, told_here
from helix.app.lifecycle import Standing, standing_of
from helix.app.telling import LogEntry, entry_of
from helix.app.withholding import entry_as_seen, memory_as_seen, touched
from helix.ledger.workflow import purge_of, told
from helix.model.edge import Edge
from helix.model.frozen import dataclass
from helix.model.memory import Belief, Memory
from helix.model.scope import Realm, may_read
from helix.ports.enrichment import Tie
from helix.ports.store import Unit


@dataclass(frozen=True, slots=True)
class Account:
    """Why a memory is held: every belief about it with the act behind it, and its edges.

    A belief without an act is one that Helix concluded by itself.
    `ties` are what enrichment ties it to, if it has come so far.
    """

    memory: Memory
    beliefs: tuple[tuple[Belief, LogEntry | None], ...]
    witnesses: tuple[LogEntry, ...]
    edges: tuple[Edge, ...]
    standing: Standing
    ties: tuple[Tie, ...] = ()


def account_of(context: Context, memory_id: str) -> Account:
    """Return a visible memory with everything that led to it."""
    realm = context.realm
    with context.store.reading() as unit:
        memory = context.visible(unit, memory_id)
        beliefs = beliefs_here(unit, realm, unit.projection.beliefs(realm, memory_id))
        seen = memory_as_seen(context.source, memory)
        acts = [_seen(context, unit, _act_behind(unit, realm, memory, each)) for each in beliefs]
        positions = dict.fromkeys(each.position for each in memory.belief.provenance)
        witnesses = [_seen(context, unit, _entry(unit, realm, each)) for each in positions]
        edges = unit.projection.neighbours(realm, memory_id)
        model = unit.serving.current()
        return Account(
            seen,
            tuple(zip(beliefs, acts, strict=True)),
            tuple(each for each in witnesses if each is not None),
            tuple(edges),
            replace(standing_of(unit, context, memory, context.now(unit)), memory=seen),
            tuple(unit.enrichment.ties(realm, model, memory_id)),
        )


def _seen(context: Context, unit: Unit, entry: LogEntry | None) -> LogEntry | None:
    # An act tells of more than the memory that was asked about: a witness of itself, a
    # correction of what it put in the other's place.
    return entry and entry_as_seen(
        context.source, entry, touched(unit, context.realm.tenant, entry.position)
    )


def _act_behind(unit: Unit, asker: Realm, memory: Memory, belief: Belief) -> LogEntry | None:
    found = unit.ledger.at(asker.tenant, belief.since)
    # A conclusion leaves `since` where it was; only the moment tells it from the act.
    if found is None or found.recorded_at != belief.believed_from:
        return None
    if not may_read(asker, found.realm):
        # Not told, but no conclusion of Helix either.
        return LogEntry(
            position=found.position, recorded_at=found.recorded_at, kind=found.kind,
            scope=memory.realm.scope, agent="", origin="", event_id="", says=UNSEEN,
        )  # fmt: skip
    return _entry(unit, asker, belief.since)


def _entry(unit: Unit, asker: Realm, position: int) -> LogEntry | None:
    found = unit.ledger.at(asker.tenant, position)
    if found is None or not may_read(asker, found.realm):
        return None
    purge = None
    if found.payload is None:
        purge = purge_of(unit.ledger, asker.tenant, position)
    return entry_of(told_here(unit, asker, told(found)), purge=purge)
