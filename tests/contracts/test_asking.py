"""The promises of the side that is asked, on every backend."""

from __future__ import annotations

import pytest
from tests.contracts.backends import OnReference, OnSqlite

from helix.adapters.sqlite import words
from helix.testing.contracts.asking import AskingContract


class TestSqliteAsking(OnSqlite, AskingContract):
    """Few memories: the words of all of them are still waiting for their index."""


class TestSqliteAskingIndexed(OnSqlite, AskingContract):
    """The same promises where every memory's words are indexed at once."""

    @pytest.fixture(autouse=True)
    def _indexed_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(words, "TOGETHER", 1)


class TestReferenceAsking(OnReference, AskingContract):
    pass
