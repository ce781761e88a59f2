"""The promises of lives, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.lives import LivesContract


class TestSqliteLives(OnSqlite, LivesContract):
    pass


class TestReferenceLives(OnReference, LivesContract):
    pass
