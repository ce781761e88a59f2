"""A memory on a real file, and a clock that the test moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.model.provenance import Source
from helix.model.scope import Realm
from helix.testing.builders import HERE, USER, open_memory
from helix.testing.clock import SettableClock

Opener = Callable[..., Helix]


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        yield store


@pytest.fixture
def seen_from(store: SqliteStore, clock: SettableClock) -> Opener:
    """Open the same store from another realm, or for another speaker."""

    def opened(realm: Realm = HERE, source: Source = USER) -> Helix:
        return open_memory(store, realm, clock=clock, source=source)

    return opened


@pytest.fixture
def memory(seen_from: Opener) -> Helix:
    return seen_from()
