"""The projection's promises, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.projection import ProjectionContract


class TestSqliteProjection(OnSqlite, ProjectionContract):
    pass


class TestReferenceProjection(OnReference, ProjectionContract):
    pass
