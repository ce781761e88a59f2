"""The journal as one list of entries per tenant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from helix.model.changes import ChangeSet, JournalEntry
from helix.rules.sealing import NO_SEAL, Header, seal
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
        self._seal(tenant, entries[-1:])
        return entries[-1]

    def head(self, tenant: str) -> tuple[int, bytes]:
        """See `Journal.head`."""
        entries = self._entries(tenant)
        number = entries[-1].number if entries else 0
        return number, self._state.seals.get((tenant, number), NO_SEAL)

    def seal_at(self, tenant: str, number: int) -> bytes | None:
        """See `Journal.seal_at`."""
        return self._state.seals.get((tenant, number))

    def first_broken(self, tenant: str) -> tuple[int, str] | None:
        """See `Journal.first_broken`."""
        for each in self._entries(tenant):
            if self._due(tenant, each) != self._state.seals[tenant, each.number]:
                return each.number, "it was changed after it was sealed"
        return None

    def entry(self, tenant: str, number: int) -> JournalEntry | None:
        """See `Journal.entry`."""
        return next((each for each in self._entries(tenant) if each.number == number), None)

    def entries(self, tenant: str, after: int = 0, limit: int = 1000) -> Sequence[JournalEntry]:
        """See `Journal.entries`."""
        return [each for each in self._entries(tenant) if each.number > after][:limit]

    def last(self, tenant: str) -> int:
        """See `Journal.last`."""
        return max((each.number for each in self._entries(tenant)), default=0)

    def latest(self, tenant: str) -> datetime | None:
        """See `Journal.latest`."""
        entries = self._entries(tenant)
        return entries[-1].recorded_at if entries else None

    def rewrite(self, tenant: str, change_sets: Mapping[int, ChangeSet]) -> None:
        """See `Journal.rewrite`."""
        entries = self._entries(tenant)
        for index, each in enumerate(entries):
            if each.number in change_sets:
                entries[index] = replace(each, change_set=change_sets[each.number])
        self._seal(tenant, [each for each in entries if each.number >= min(change_sets, default=0)])

    def reverted_by(self, tenant: str, number: int) -> int | None:
        """See `Journal.reverted_by`."""
        found = (each.number for each in self._entries(tenant) if each.change_set.reverts == number)
        return next(found, None)

    def clear(self, tenant: str) -> None:
        """See `Journal.clear`."""
        self._state.entries.pop(tenant, None)
        for key in [each for each in self._state.seals if each[0] == tenant]:
            del self._state.seals[key]

    def _seal(self, tenant: str, entries: Sequence[JournalEntry]) -> None:
        for each in entries:
            self._state.seals[tenant, each.number] = self._due(tenant, each)

    def _due(self, tenant: str, entry: JournalEntry) -> bytes:
        change_set = entry.change_set
        header = Header(
            change_set.realm, entry.number, entry.recorded_at, entry.after, change_set.reverts
        )
        previous = self._state.seals.get((tenant, entry.number - 1), NO_SEAL)
        return seal(previous, header, repr(change_set).encode(errors="replace"))

    def _entries(self, tenant: str) -> list[JournalEntry]:
        return self._state.entries.get(tenant, [])
