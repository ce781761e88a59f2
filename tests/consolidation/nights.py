"""Nights for passes: what a memory on a reference store holds, read as sleep reads it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from helix.app.facade import Helix
from helix.model.changes import PutMemory
from helix.model.memory import Memory, Status
from helix.model.night import Findings, Night
from helix.testing.builders import HERE, open_memory
from helix.testing.clock import SettableClock
from helix.testing.reference_store import ReferenceStore

HOURS = timedelta(hours=5)


def a_memory_of(texts: Iterable[str], **circumstances: object) -> Helix:
    """Return a memory in which each text was captured, hours apart."""
    clock = SettableClock()
    memory = open_memory(ReferenceStore(), clock=clock)
    for text in texts:
        clock.move(HOURS)
        memory.capture(text, **circumstances)  # type: ignore[arg-type]
    return memory


def night_of(memory: Helix) -> Night:
    """Return everything a memory holds as a night."""
    found = memory.list(limit=100_000, statuses=list(Status))
    episodes = sorted((each for each in found if each.type == "episode"), key=lambda e: e.position)
    held = {each.id: each for each in found if each.type != "episode"}
    now = memory.context.clock.now() + HOURS
    return Night(HERE, now, len(found), tuple(episodes), held)


def concluded(findings: Findings) -> list[Memory]:
    """Return the memories that a pass would add."""
    return [
        change.memory
        for conclusion in findings.conclusions
        for change in conclusion.changes[:1]
        if isinstance(change, PutMemory)
    ]
