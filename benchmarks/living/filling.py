"""Stores full of memories of all ages, written quickly: many acts to a transaction."""

from __future__ import annotations

import random
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.showing import progress
from benchmarks.texts import Author
from helix.adapters.sqlite.store import SqliteStore
from helix.app.concluding import conclude
from helix.app.context import Context
from helix.app.facade import Helix
from helix.app.recording import record
from helix.model.act import Act, Captured, Used
from helix.model.changes import PutEdge, PutMemory
from helix.model.edge import SUMMARISES, Edge
from helix.model.memory import Belief, Circumstances, Memory, Status
from helix.model.proposal import Proposal
from helix.model.provenance import Origin, Provenance, Source
from helix.model.scope import local_realm
from helix.model.types import Schema, Shape
from helix.ports.store import Store, Unit
from helix.rules.tiers import SIMILAR_TO
from helix.testing.clock import SeededChance, SettableClock

REALM = local_realm("project:life")
AGENT = Source("some-agent", Origin.AGENT_INGESTED)
OTHER = Source("other-agent", Origin.AGENT_INGESTED)
START = datetime(2025, 1, 1, tzinfo=UTC)
YEAR = timedelta(days=365)
TOGETHER = 2_000


def opened(store: Store, clock: SettableClock, source: Source = AGENT) -> Helix:
    """Return a memory over a store, seen by an agent, with a clock of its own."""
    return Helix(
        Context(
            store=store, realm=REALM, source=source, schema=Schema(), clock=clock,
            chance=SeededChance(1), scope_reason="a benchmark",
        )
    )  # fmt: skip


def fill(path: Path, memories: int, seed: int) -> None:
    """Write a year of episodes, evenly spread; one in twenty is used once or more."""
    chance, clock = random.Random(seed), SettableClock(START)
    author, luck = Author(seed), SeededChance(seed)
    step = YEAR / memories
    with closing(SqliteStore(path)) as store:
        written = 0
        while written < memories:
            with store.writing() as unit:
                for number in range(written, min(memories, written + TOGETHER)):
                    clock.move(step)
                    act = _episode(author.episode(), f"e{number}", 0.1 + 0.6 * chance.random())
                    made = record(unit, act, REALM, f"e{number}", clock=clock, chance=luck)
                    if chance.random() < 0.05:
                        use = Used(made.memory.id, chance.randint(0, 5), AGENT)
                        record(unit, use, REALM, f"u{number}", clock=clock, chance=luck)
                written = min(memories, written + TOGETHER)
            progress(f"{written:,} of {memories:,} memories written")


def fill_for_kills(path: Path, each: int, seed: int) -> SettableClock:
    """Write a store in which every sweep has `each` things to do; return its clock."""
    clock, luck = SettableClock(START), SeededChance(seed)
    author = Author(seed)
    with closing(SqliteStore(path)) as store, store.writing() as unit:

        def write(act: Act, name: str) -> Memory | None:
            clock.move(timedelta(seconds=1))
            return record(unit, act, REALM, name, clock=clock, chance=luck).first_memory

        for number in range(each):
            write(_episode(author.episode(), f"o{number}", 0.2), f"o{number}")
        clock.move(timedelta(days=25))
        cold = [write(_episode(author.episode(), f"c{n}", 0.2), f"c{n}") for n in range(each)]
        ready = [write(_episode(author.episode(), f"r{n}", 0.75), f"r{n}") for n in range(each)]
        for day in range(5):
            clock.move(timedelta(days=1))
            for number, memory in enumerate(ready):
                assert memory is not None
                write(Used(memory.id, 4, AGENT), f"u{day}_{number}")
        clock.move(timedelta(days=3))
        _conclude(unit, clock, [each for each in cold if each], [each for each in ready if each])
    return clock


def _conclude(unit: Unit, clock: SettableClock, cold: list[Memory], ready: list[Memory]) -> None:
    now = clock.now()
    witness = Provenance(AGENT, 1)
    changes: list[PutMemory | PutEdge] = []
    for number, (one, other) in enumerate(zip(cold, ready, strict=True)):
        likeness = _edge(f"like{number}", one.id, other.id, SIMILAR_TO, now - timedelta(days=5))
        changes.append(PutEdge(replace(likeness, weight=0.5)))
        belief = Belief(Status.ACTIVE, now, None, 0.6, 0, 0, now, provenance=(witness,))
        base = Memory(
            f"mem_gone{number}", "fact", Shape.SEMANTIC, f"expired {number}", REALM, 0, now,
            f"f{number}", 0.5, belief, expires_at=now - timedelta(days=1),
        )  # fmt: skip
        summary = replace(
            base, id=f"mem_sum{number}", content=f"summary {number}", fingerprint=f"s{number}",
            expires_at=None,
        )  # fmt: skip
        changes += [PutMemory(base), PutMemory(summary)]
        changes.append(PutEdge(_edge(f"sum{number}", summary.id, one.id, SUMMARISES, now)))
    for memory in ready:
        # A second witness, so that promotion is allowed.
        surer = replace(memory.belief, provenance=(*memory.belief.provenance, Provenance(OTHER, 1)))
        changes.append(PutMemory(replace(memory, belief=surer)))
    conclude(
        unit, REALM, [Proposal("all", "set up", tuple(changes), ())], now,
        reason="set up", concluded_by="benchmark",
    )  # fmt: skip


def _edge(name: str, start: str, end: str, relation: str, at: datetime) -> Edge:
    return Edge(name, start, end, relation, REALM, Provenance(AGENT, 1), at)


def _episode(content: str, event_id: str, importance: float) -> Captured:
    around = Circumstances(event_id=event_id, agent=AGENT.agent)
    return Captured(content, AGENT, around, importance_base=importance)
