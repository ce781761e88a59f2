"""Small ways of saying what is held, for tests that read as law."""

from __future__ import annotations

from datetime import timedelta

from helix.app.facade import Helix
from helix.model.memory import Memory, Status
from helix.model.outcome import Joined, Kept, Skipped
from helix.model.recollection import Abstained, Recollection
from helix.testing import invariants

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def kept(outcome: Kept | Joined | Skipped) -> Memory:
    """Return the memory that was written down."""
    assert isinstance(outcome, Kept)
    return outcome.memory


def said(answer: Recollection) -> set[str]:
    """Return the contents of an answer; an abstention says nothing."""
    if isinstance(answer, Abstained):
        return set()
    return {each.memory.content for each in answer.remembered}


def current(memory: Helix) -> set[str]:
    """Return the contents of everything that is held now."""
    return {each.content for each in memory.list(limit=1000)}


def status_of(memory: Helix, memory_id: str) -> Status:
    """Return where a memory stands."""
    return memory.why(memory_id).memory.status


def head(memory: Helix) -> int:
    """Return the last position of the ledger."""
    return memory.upkeep.status().records


def sound(memory: Helix) -> None:
    """Check that seals, folding and all other invariants are in order."""
    invariants.all_hold(memory.context.store)
    invariants.every_record_keeps_to_its_realm(memory.context.store, memory.context.realm.tenant)
