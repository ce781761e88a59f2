"""The journal: what Helix concluded, each conclusion revertible."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from helix.model.changes import ChangeSet, JournalEntry


class Journal(Protocol):
    """Numbered change sets per tenant, in the order in which they were applied."""

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

    def clear(self, tenant: str) -> None:
        """Forget every entry of a tenant, to conclude anew from its ledger."""
        ...

    def rewrite(self, tenant: str, number: int, change_set: ChangeSet) -> None:
        """Put a change set in an entry's place. Only erasure may: the old one is not kept."""
        ...

    def reverted_by(self, tenant: str, number: int) -> int | None:
        """Return the number of the entry that took this one back, if any."""
        ...
