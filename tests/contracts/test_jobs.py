"""The job queue's promises, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.jobs import JobsContract


class TestSqliteJobs(OnSqlite, JobsContract):
    pass


class TestReferenceJobs(OnReference, JobsContract):
    pass
