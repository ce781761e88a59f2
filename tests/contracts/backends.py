"""A new, empty store of each backend, to mix into a contract."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from helix.adapters.sqlite.store import SqliteStore
from helix.ports.store import Store
from helix.testing.reference_store import ReferenceStore


class OnSqlite:
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with closing(SqliteStore(tmp_path / "memory.db")) as store:
            yield store


class OnReference:
    @pytest.fixture
    def store(self) -> Store:
        return ReferenceStore()
