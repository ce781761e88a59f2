"""Acts, memories and open memories with everything unimportant filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from helix.app.context import Context
from helix.app.facade import Helix
from helix.ledger import workflow as ledger
from helix.ledger.workflow import Told
from helix.model.act import Act, Asserted, Captured
from helix.model.changes import Change, ChangeSet, JournalEntry
from helix.model.edge import Edge
from helix.model.life import Life, Use
from helix.model.memory import Belief, Circumstances, Memory, Status
from helix.model.provenance import Origin, Provenance, Source
from helix.model.scope import Realm, local_realm
from helix.model.types import MemoryType, Schema, Shape
from helix.ports.clock import Chance, Clock
from helix.ports.projection import Stamp
from helix.ports.store import Store, Unit
from helix.projection.workflow import catch_up
from helix.rules.naming import fingerprint
from helix.testing.clock import SOME_MOMENT, SeededChance, SettableClock

HERE = local_realm("project:here")
"""Where things happen unless a test says otherwise."""

USER = Source("me", Origin.USER_ASSERTED)
AGENT = Source("some-agent", Origin.AGENT_INGESTED)

TICK = timedelta(seconds=1)

T = TypeVar("T")


def open_memory(
    store: Store,
    realm: Realm = HERE,
    *,
    clock: Clock | None = None,
    chance: Chance | None = None,
    source: Source = USER,
    types: Iterable[MemoryType] = (),
) -> Helix:
    """Return a memory over a store, seen from a realm, with a clock and chance of its own."""
    return Helix(
        Context(
            store=store,
            realm=realm,
            source=source,
            schema=Schema().with_types(types),
            clock=clock or SettableClock(),
            chance=chance or SeededChance(),
            scope_reason="chosen by a test",
        )
    )


def an_assertion(
    content: str = "deploys go to Hetzner",
    *,
    memory_id: str = "mem_deploys",
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    expires_at: datetime | None = None,
    source: Source = USER,
) -> Asserted:
    """Return the act of holding something to be so."""
    return Asserted(
        memory_id=memory_id,
        type="fact",
        shape="semantic",
        content=content,
        source=source,
        importance_base=0.5,
        confidence=0.9,
        valid_from=valid_from,
        valid_to=valid_to,
        expires_at=expires_at,
    )


def a_capture(
    content: str = "the tests passed",
    *,
    event_id: str = "ev_some",
    session: str = "",
    parent_event_id: str = "",
    importance: float = 0.2,
    source: Source = AGENT,
) -> Captured:
    """Return the act of something happening."""
    around = Circumstances(
        event_id=event_id, session=session, agent=source.agent, parent_event_id=parent_event_id
    )
    return Captured(content, source, around, importance_base=importance)


def a_memory(
    memory_id: str = "mem_derived",
    content: str = "deploys happen on Fridays",
    *,
    realm: Realm = HERE,
    type: str = "fact",
    status: Status = Status.ACTIVE,
    position: int = 0,
    at: datetime = SOME_MOMENT,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    expires_at: datetime | None = None,
) -> Memory:
    """Return a memory as a sleep run might conclude it; position 0: no record brought it about."""
    return Memory(
        id=memory_id,
        type=type,
        shape=Shape.SEMANTIC,
        content=content,
        realm=realm,
        position=position,
        recorded_at=at,
        fingerprint=fingerprint(type, content),
        importance_base=0.5,
        belief=Belief(
            status=status,
            valid_from=valid_from or at,
            valid_to=valid_to,
            confidence=0.6,
            since=position,
            stems_from=position,
            believed_from=at,
            provenance=(Provenance(AGENT, position),),
        ),
        expires_at=expires_at,
    )


def an_edge(
    from_id: str,
    to_id: str,
    *,
    edge_id: str = "edge_concluded",
    relation: str = "related_to",
    realm: Realm = HERE,
    at: datetime = SOME_MOMENT,
    weight: float = 1.0,
) -> Edge:
    """Return an edge as a sleep run might conclude it."""
    return Edge(edge_id, from_id, to_id, relation, realm, Provenance(AGENT, 0), at, weight)


def a_life(
    *qualities: int,
    type: str = "episode",
    shape: Shape = Shape.EPISODIC,
    importance: float = 0.2,
    status: Status = Status.ACTIVE,
    pinned: bool = False,
    confirmations: int = 0,
    sources: Iterable[Source] = (AGENT,),
    expires_at: datetime | None = None,
    every: timedelta = timedelta(days=1),
    used_by: Origin = Origin.AGENT_INGESTED,
) -> Life:
    """Return the life of a memory written at `SOME_MOMENT` and used once a day since."""
    uses = tuple(
        Use(SOME_MOMENT + number * every, quality, used_by, number)
        for number, quality in enumerate(qualities, 1)
    )
    return Life(
        memory_id="ep_some",
        realm=HERE,
        type=type,
        shape=shape,
        position=1,
        recorded_at=SOME_MOMENT,
        importance=importance,
        status=status,
        pinned=pinned,
        confidence=0.6,
        confirmations=confirmations,
        sources=tuple(sources),
        believed_from=SOME_MOMENT,
        expires_at=expires_at,
        uses=uses,
    )


class Scribe:
    """Writes acts straight into a store's ledger, and folds them if asked to.

    It skips capture's checks on purpose: the fold and the ports must cope with any act.
    The clock moves on by a second with everything that is written.
    """

    def __init__(
        self, store: Store, clock: SettableClock | None = None, chance: Chance | None = None
    ) -> None:
        self.store = store
        self.clock = clock or SettableClock()
        self._chance = chance or SeededChance()

    def append(self, act: Act, realm: Realm = HERE, event_id: str = "") -> Told:
        """Write one act down without folding it."""
        with self.store.writing() as unit:
            return self._append(unit, act, realm, event_id)

    def write(self, act: Act, realm: Realm = HERE, event_id: str = "") -> Told:
        """Write one act down and fold it."""
        with self.store.writing() as unit:
            told = self._append(unit, act, realm, event_id)
            catch_up(unit, realm.tenant)
            return told

    def erase(self, position: int, realm: Realm = HERE) -> Told:
        """Destroy one payload, and write that down without folding it."""
        with self.store.writing() as unit:
            return ledger.erase(
                unit.ledger, realm, position,
                source=USER, now=self.clock.move(TICK), chance=self._chance,
            )  # fmt: skip

    def conclude(
        self,
        changes: Iterable[Change],
        undo: Iterable[Change] = (),
        *,
        realm: Realm = HERE,
        reverts: int | None = None,
    ) -> JournalEntry:
        """Apply a change set to what was folded so far, and write it into the journal."""
        now = self.clock.move(TICK)
        with self.store.writing() as unit:
            after = unit.projection.checkpoint(realm.tenant)
            concluded = ChangeSet(
                realm, "a test", "heuristic", after, tuple(changes), tuple(undo), reverts
            )
            unit.projection.apply(realm.tenant, concluded.changes, Stamp(now, None))
            return unit.journal.record(realm.tenant, concluded, now, after)

    def ask(self, question: Callable[[Unit], T]) -> T:
        """Return what one reading transaction answers."""
        with self.store.reading() as unit:
            return question(unit)

    def _append(self, unit: Unit, act: Act, realm: Realm, event_id: str) -> Told:
        if isinstance(act, Captured):
            event_id = event_id or act.circumstances.event_id
        return ledger.append(
            unit.ledger, act, realm,
            event_id=event_id or self._chance.event_id(),
            now=self.clock.move(TICK), chance=self._chance,
        )  # fmt: skip
