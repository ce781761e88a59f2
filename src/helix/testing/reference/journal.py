"""The journal as one list of entries per tenant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from helix.model.changes import ChangeSet, JournalEntry
from helix.testing.reference.state import State


class ReferenceJournal:
    """Implements `Journal`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def record(
        self, tenant: str, change_set: ChangeSet, recorded_at: datetime, after: int
    ) -> JournalEntry:
        """See `Journal.record`."""
        entries = self._state.entries.setdefault(tenant, [])
        entries.append(JournalEntry(len(entries) + 1, recorded_at, after, change_set))
        return entries[-1]

    def entry(self, tenant: str, number: int) -> JournalEntry | None:
        """See `Journal.entry`."""
        return next((each for each in self._entries(tenant) if each.number == number), None)

    def entries(self, tenant: str, after: int = 0, limit: int = 1000) -> Sequence[JournalEntry]:
        """See `Journal.entries`."""
        return [each for each in self._entries(tenant) if each.number > after][:limit]

    def last(self, tenant: str) -> int:
        """See `Journal.last`."""
        return max((each.number for each in self._entries(tenant)), default=0)

    def rewrite(self, tenant: str, number: int, change_set: ChangeSet) -> None:
        """See `Journal.rewrite`."""
        entries = self._entries(tenant)
        for index, each in enumerate(entries):
            if each.number == number:
                entries[index] = replace(each, change_set=change_set)

    def reverted_by(self, tenant: str, number: int) -> int | None:
        """See `Journal.reverted_by`."""
        found = (each.number for each in self._entries(tenant) if each.change_set.reverts == number)
        return next(found, None)

    def clear(self, tenant: str) -> None:
        """See `Journal.clear`."""
        self._state.entries.pop(tenant, None)

    def _entries(self, tenant: str) -> list[JournalEntry]:
        return self._state.entries.get(tenant, [])
