"""New stores for generated examples, in memory where the machine offers it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

from helix.adapters.sqlite import words
from helix.adapters.sqlite.store import SqliteStore

_IN_MEMORY = Path("/dev/shm")
"""Thousands of small stores are made here; on a disk, most of the time would go into syncing."""


_TOGETHER = 3
"""Words enter the index by threes, so that small histories have both indexed and waiting ones."""


@contextmanager
def sqlite_store() -> Iterator[SqliteStore]:
    """Give a new, empty SQLite store that vanishes afterwards."""
    where = _IN_MEMORY if _IN_MEMORY.is_dir() else None
    with (
        patch.object(words, "TOGETHER", _TOGETHER),
        tempfile.TemporaryDirectory(prefix="helix-test-", dir=where) as folder,
        closing(SqliteStore(Path(folder) / "memory.db")) as store,
    ):
        yield store
