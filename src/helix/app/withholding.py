"""What an agent does not get to see: words that wait for the user, or were turned away.

A text that was held back for what it says would do its work as well in a log or an account of
itself. So would one that today's rules hold back, and an older version let in. The user sees
all of it; an agent sees that there is something, and in lists not even that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from helix.app.telling import LogEntry
from helix.model.memory import Memory, Status
from helix.model.outcome import Kept
from helix.model.provenance import Origin, Source
from helix.ports.store import Unit
from helix.rules.screening.again import doubt_of, noted
from helix.rules.screening.judging import Verdict, cached

WITHHELD = "(held back: only the user sees it, with `helix review`)"

UNSEEN = frozenset({Status.QUARANTINED, Status.REJECTED})
_TELLS_WORDS = frozenset({"captured", "asserted", "corrected", "promoted"})
"""Acts whose line in the log tells what a memory says."""

Read = Callable[[int, int | Memory | None], Sequence[Memory]]
"""Reads so many memories that follow a position or a memory."""


def unseen_by(asker: Source) -> frozenset[Status]:
    """Return where memories stand whose words are kept from whoever asks."""
    return frozenset() if asker.origin is Origin.USER_ASSERTED else UNSEEN


def is_withheld(asker: Source, memory: Memory) -> bool:
    """Return whether the words of a memory are kept from whoever asks."""
    if asker.origin is Origin.USER_ASSERTED:
        return False
    return memory.status in UNSEEN or _is_held(noted(memory, doubt_of(memory)))


def memory_as_seen(asker: Source, memory: Memory) -> Memory:
    """Return a memory as whoever asks may see it, with what speaks against it."""
    if memory.status not in UNSEEN:
        memory = noted(memory, doubt_of(memory))
        if not _is_held(memory):
            return memory
    return memory if asker.origin is Origin.USER_ASSERTED else withheld(memory)


def withheld(memory: Memory) -> Memory:
    """Return a memory without its words, and without the names beside them."""
    around = memory.circumstances and replace(memory.circumstances, tool="", files=())
    return replace(memory, content=WITHHELD, attributes={}, circumstances=around, event_time=None)


def memories_as_seen(asker: Source, memories: Iterable[Memory]) -> list[Memory]:
    """Return those of some memories that whoever asks may see, each as it may be seen.

    What today's rules hold back is left out for agents. What waits or was turned away is there
    only where it was asked for by its status: that it is there may be told.
    """
    user = asker.origin is Origin.USER_ASSERTED
    seen = [memory_as_seen(asker, each) for each in memories]
    return [each for each in seen if user or each.status in UNSEEN or not _is_held(each)]


def page_as_seen(
    asker: Source, read: Read, limit: int, before: int | Memory | None
) -> list[Memory]:
    """Return a page of what whoever asks may see; it is short only if nothing follows."""
    seen: list[Memory] = []
    while True:
        found = read(limit, before)
        seen += memories_as_seen(asker, found)
        if len(seen) >= limit or len(found) < limit:
            return seen[:limit]
        before = found[-1]


def outcome_as_seen(asker: Source, kept: Kept) -> Kept:
    """Return how a decision on a memory turned out, as whoever decided may see it."""
    return replace(kept, memory=memory_as_seen(asker, kept.memory))


def entry_as_seen(asker: Source, entry: LogEntry, touched: Iterable[Memory]) -> LogEntry:
    """Return a line of the log as whoever asks may see it; `touched` are the memories it is about.

    Reasons and names are not screened when they are written; here they are.
    """
    if asker.origin is Origin.USER_ASSERTED:
        return entry
    unseen = entry.kind in _TELLS_WORDS and any(is_withheld(asker, each) for each in touched)
    if unseen or cached(entry.says).verdict is Verdict.HOLD:
        return replace(entry, says=WITHHELD)
    return entry


def touched(unit: Unit, tenant: str, position: int) -> list[Memory]:
    """Return the memories that the record at a position altered, as they stand now."""
    ids = unit.projection.touched_by(tenant, position).memories
    return [each for each in (unit.projection.held(tenant, one) for one in ids) if each]


def _is_held(memory: Memory) -> bool:
    doubt = memory.belief.suspicion
    if doubt is None:
        return False
    # What stepped back while it waited for its source still waits; what the user let count
    # in spite of it is told with its mark.
    return doubt.held or (bool(doubt.waits_for) and memory.status is not Status.ACTIVE)
