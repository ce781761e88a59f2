"""The promises of replies, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.replies import RepliesContract


class TestSqliteReplies(OnSqlite, RepliesContract):
    pass


class TestReferenceReplies(OnReference, RepliesContract):
    pass
