"""The promises of the side that is asked, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.asking import AskingContract


class TestSqliteAsking(OnSqlite, AskingContract):
    pass


class TestReferenceAsking(OnReference, AskingContract):
    pass
