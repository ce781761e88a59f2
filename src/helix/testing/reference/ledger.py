"""The ledger as one list of records per tenant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from helix.model.errors import Conflict
from helix.model.record import EMPTY_HEAD, Head, Record
from helix.model.scope import Realm
from helix.testing.reference.state import State


class ReferenceLedger:
    """Implements `Ledger`: the record at position n is the n-th of its tenant's list."""

    def __init__(self, state: State) -> None:
        self._state = state

    def head(self, tenant: str) -> Head:
        """See `Ledger.head`."""
        records = self._records(tenant)
        if not records:
            return EMPTY_HEAD
        return Head(records[-1].position, records[-1].recorded_at, records[-1].seal)

    def append(self, record: Record) -> None:
        """See `Ledger.append`."""
        tenant = record.realm.tenant
        if record.position != self.head(tenant).position + 1:
            raise Conflict("it does not continue the ledger", code="position_taken")
        if self.find(tenant, record.event_id) is not None:
            raise Conflict("its event id is already in the ledger", code="event_id_taken")
        self._state.records.setdefault(tenant, []).append(record)

    def find(self, tenant: str, event_id: str) -> Record | None:
        """See `Ledger.find`."""
        found = (each for each in self._records(tenant) if each.event_id == event_id)
        return next(found, None)

    def at(self, tenant: str, position: int) -> Record | None:
        """See `Ledger.at`."""
        found = (each for each in self._records(tenant) if each.position == position)
        return next(found, None)

    def read(self, tenant: str, after: int = 0, limit: int = 1000) -> Sequence[Record]:
        """See `Ledger.read`."""
        return [each for each in self._records(tenant) if each.position > after][:limit]

    def recent(
        self, realms: Sequence[Realm], *, before: int | None = None, after: int = 0, limit: int = 50
    ) -> Sequence[Record]:
        """See `Ledger.recent`."""
        found = [
            each
            for tenant in dict.fromkeys(realm.tenant for realm in realms)
            for each in self._records(tenant)
            if each.realm in realms
            and each.position > after
            and (before is None or each.position < before)
        ]
        return sorted(found, key=lambda each: -each.position)[:limit]

    def erase(self, tenant: str, position: int) -> bool:
        """See `Ledger.erase`."""
        record = self.at(tenant, position)
        if record is None or record.payload is None:
            return False
        self._state.records[tenant][position - 1] = replace(record, payload=None)
        return True

    def oldest(self, realm: Realm, after: int = 0) -> Record | None:
        """See `Ledger.oldest`."""
        later = (each for each in self._records(realm.tenant) if each.position > after)
        return next((each for each in later if each.realm == realm), None)

    def purges(self, tenant: str) -> Sequence[Record]:
        """See `Ledger.purges`."""
        return [each for each in self._records(tenant) if each.kind == "purged"]

    def destroyed_since(self, tenant: str, position: int) -> bool:
        """See `Ledger.destroyed_since`."""
        return any(each.kind in ("erased", "purged") for each in self._records(tenant)[position:])

    def realms(self, tenant: str) -> Sequence[Realm]:
        """See `Ledger.realms`."""
        found = {each.realm for each in self._records(tenant)}
        return sorted(found, key=lambda each: (each.owner, each.scope))

    def firsts(self) -> Sequence[Record | None]:
        """See `Ledger.firsts`."""
        return [self._records(tenant)[0] for tenant in self.tenants()]

    def tenants(self) -> Sequence[str]:
        """See `Ledger.tenants`."""
        return sorted(tenant for tenant, records in self._state.records.items() if records)

    def _records(self, tenant: str) -> list[Record]:
        return self._state.records.get(tenant, [])
