"""The ledger: what happened and what was decided, written down once, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from helix.model.errors import StoreUnavailable
from helix.model.record import Head, Record
from helix.model.scope import Realm


class Unreadable(StoreUnavailable):
    """A record stands there, but not as any Helix wrote it: it was changed behind its back.

    `fault` says in what way, in the words of `helix verify`.
    """

    def __init__(self, says: str, fault: str = "it cannot be read") -> None:
        """Take what to say of it where it was met, and what verifying says."""
        super().__init__(
            f"the store is damaged: {says}",
            code="store_damaged",
            remedy="`helix verify` says more; keep the file, and restore the latest backup",
        )
        self.fault = fault


class Ledger(Protocol):
    """An append-only sequence of records per tenant.

    Positions start at 1 and rise by one. A reader who has seen position n will never
    later find a new record at or below n, however many writers there are.

    Whoever reads a record that was damaged gets `Unreadable`, never another record in its place.
    """

    def head(self, tenant: str) -> Head:
        """Return the tenant's last position, moment and seal; `EMPTY_HEAD` if there is none."""
        ...

    def append(self, record: Record) -> None:
        """Write a record that continues the head.

        Raises `Conflict` and writes nothing if the position is not the next one or the
        tenant already has a record with this event id.
        """
        ...

    def find(self, tenant: str, event_id: str) -> Record | None:
        """Return the tenant's record with this event id, if there is one."""
        ...

    def at(self, tenant: str, position: int) -> Record | None:
        """Return the tenant's record at this position, if there is one."""
        ...

    def read(self, tenant: str, after: int = 0, limit: int = 1000) -> Sequence[Record]:
        """Return up to `limit` records after a position, in order.

        They end before one that cannot be read; if it is the first, `Unreadable` is raised.
        """
        ...

    def recent(
        self, realms: Sequence[Realm], *, before: int | None = None, after: int = 0, limit: int = 50
    ) -> Sequence[Record]:
        """Return up to `limit` records of exactly these realms of one tenant, newest first.

        Only positions below `before` and above `after` count.
        """
        ...

    def erase(self, tenant: str, position: int) -> bool:
        """Destroy the payload and salt of one record; the record itself and its seal stay.

        Returns False if there was no payload to destroy. Other tenants are untouched.
        """
        ...

    def oldest(self, realm: Realm, after: int = 0) -> Record | None:
        """Return the first record of exactly this realm after a position, if there is one."""
        ...

    def purges(self, tenant: str) -> Sequence[Record]:
        """Return the tenant's records of the kind `purged`, in order: what left by age, and when.

        Costs what there are of them, not what the ledger holds.
        """
        ...

    def destroyed_since(self, tenant: str, position: int) -> bool:
        """Return whether anything was erased or purged after a position.

        Costs what was written since, not what the ledger holds.
        """
        ...

    def realms(self, tenant: str) -> Sequence[Realm]:
        """Return every realm of a tenant that has a record, sorted."""
        ...

    def firsts(self) -> Sequence[Record | None]:
        """Return the first record of every ledger in the store, whosever it is.

        None where it cannot be read, or nobody's name is on it. Only verifying asks this.
        """
        ...

    def tenants(self) -> Sequence[str]:
        """Return every tenant that has a record, sorted."""
        ...
