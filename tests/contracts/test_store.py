"""The store's promises, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.store import StoreContract


class TestSqliteStore(OnSqlite, StoreContract):
    pass


class TestReferenceStore(OnReference, StoreContract):
    pass
