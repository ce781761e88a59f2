"""The journal: what Helix concluded, each conclusion revertible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from helix.model.changes import ChangeSet, JournalEntry


class Journal(Protocol):
    """Numbered change sets per tenant, in the order in which they were applied.

    Each is sealed when it is written down, together with the one before it (`rules.sealing`).
    """

    def record(
        self, tenant: str, change_set: ChangeSet, recorded_at: datetime, after: int
    ) -> JournalEntry:
        """Write down a change set applied after ledger position `after`; numbers rise by one."""
        ...

    def entry(self, tenant: str, number: int) -> JournalEntry | None:
        """Return one entry, if there is one."""
        ...

    def entries(self, tenant: str, after: int = 0, limit: int = 1000) -> Sequence[JournalEntry]:
        """Return up to `limit` entries after a number, in order."""
        ...

    def last(self, tenant: str) -> int:
        """Return the number of the newest entry, 0 if there is none."""
        ...

    def latest(self, tenant: str) -> datetime | None:
        """Return the moment of the newest entry; None if there is none. Asked on every write."""
        ...

    def clear(self, tenant: str) -> None:
        """Forget every entry of a tenant, to conclude anew from its ledger."""
        ...

    def rewrite(self, tenant: str, change_sets: Mapping[int, ChangeSet]) -> None:
        """Put change sets in the place of entries, by number, and seal again from there on.

        Only erasure may: the old ones are not kept, nor anything that follows from them.
        """
        ...

    def head(self, tenant: str) -> tuple[int, bytes]:
        """Return the number and the seal of the last entry; 0 and nothing if there is none."""
        ...

    def seal_at(self, tenant: str, number: int) -> bytes | None:
        """Return the seal of one entry, if there is one."""
        ...

    def first_broken(self, tenant: str) -> tuple[int, str] | None:
        """Return the first entry that does not bear its seal, and in what way; None is good."""
        ...

    def reverted_by(self, tenant: str, number: int) -> int | None:
        """Return the number of the entry that took this one back, if any."""
        ...
