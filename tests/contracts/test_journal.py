"""The journal's promises, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.journal import JournalContract


class TestSqliteJournal(OnSqlite, JournalContract):
    pass


class TestReferenceJournal(OnReference, JournalContract):
    pass
