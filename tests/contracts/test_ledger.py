"""The ledger's promises, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.ledger import LedgerContract


class TestSqliteLedger(OnSqlite, LedgerContract):
    pass


class TestReferenceLedger(OnReference, LedgerContract):
    pass
