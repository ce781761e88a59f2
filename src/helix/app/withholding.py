"""What an agent does not get to see: words that wait for the user, or were turned away.

A text that was held back for what it says would do its work as well in a log or an account of
itself. The user sees all of it; an agent sees that there is something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from helix.app.telling import LogEntry
from helix.model.memory import Memory, Status
from helix.model.provenance import Origin, Source
from helix.rules.foreign import waits
from helix.rules.screening.judging import Verdict, cached

WITHHELD = "(held back: only the user sees it, with `helix review`)"

_TELLS_WORDS = frozenset({"captured", "asserted", "corrected", "promoted"})
"""Acts whose line in the log tells what a memory says."""


def memory_as_seen(asker: Source, memory: Memory) -> Memory:
    """Return a memory as whoever asks may see it."""
    if asker.origin is Origin.USER_ASSERTED or not _is_unseen(memory):
        return memory
    around = memory.circumstances and replace(memory.circumstances, tool="", files=())
    return replace(memory, content=WITHHELD, attributes={}, circumstances=around)


def entry_as_seen(asker: Source, entry: LogEntry, touched: Sequence[Memory]) -> LogEntry:
    """Return a line of the log as whoever asks may see it; `touched` are the memories it is about.

    Reasons and names are not screened when they are written; here they are.
    """
    if asker.origin is Origin.USER_ASSERTED:
        return entry
    unseen = entry.kind in _TELLS_WORDS and any(map(_is_unseen, touched))
    if unseen or cached(entry.says).verdict is Verdict.HOLD:
        return replace(entry, says=WITHHELD)
    return entry


def _is_unseen(memory: Memory) -> bool:
    return memory.status is Status.REJECTED or waits(memory.belief)
