"""The promises of serving, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.serving import ServingContract


class TestSqliteServing(OnSqlite, ServingContract):
    pass


class TestReferenceServing(OnReference, ServingContract):
    pass
