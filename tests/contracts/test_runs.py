"""The promises of runs, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.runs import RunsContract


class TestSqliteRuns(OnSqlite, RunsContract):
    pass


class TestReferenceRuns(OnReference, RunsContract):
    pass
