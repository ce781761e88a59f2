"""Is it still the same file? A store may be deleted, or another put in its place, below us.

SQLite goes on with the file it opened, which nobody else can reach by then: what it is told
would be lost. A file that is open keeps its number, so another one never bears it.
"""

from __future__ import annotations

import os

from helix.model.errors import StoreUnavailable

File = tuple[int, int]
"""A file, whatever it is called: the disk it lies on, and its number there."""


def file_at(path: str) -> File | None:
    """Return which file a path leads to; None if it leads to none."""
    try:
        found = os.stat(path)  # noqa: PTH116 - twice for each transaction
    except OSError:
        return None
    return found.st_dev, found.st_ino


def gone(path: str) -> StoreUnavailable:
    """Return the error for a store that was deleted while it was open."""
    return StoreUnavailable(
        f"{path} is gone: it was deleted or moved away while it was open",
        code="store_gone",
        remedy="put it back, or begin a new one with `helix init`; it is found by itself then",
    )


def replaced(path: str) -> StoreUnavailable:
    """Return the error for a store that went away below a transaction."""
    return StoreUnavailable(
        f"{path} was deleted or replaced at this very moment",
        code="store_replaced",
        remedy="try again; nothing of it stands in the file that is there now",
    )
