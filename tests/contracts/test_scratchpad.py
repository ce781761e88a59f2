"""The promises of the scratchpad, on every backend."""

from __future__ import annotations

from tests.contracts.backends import OnReference, OnSqlite

from helix.testing.contracts.scratchpad import ScratchpadContract


class TestSqliteScratchpad(OnSqlite, ScratchpadContract):
    pass


class TestReferenceScratchpad(OnReference, ScratchpadContract):
    pass
