"""Where the private copy of a store lies while it is worked on, and who still works on it.

Beside the store, under a name that scouring knows: a process that is killed leaves its copy
behind, and what is erased later must be gone from that as well. Whoever works on a copy holds
a lock beside it, which the system lets go of however the process ends.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from helix.adapters.sqlite import opening

_LOCK = ".lock"
_TRIES = 10
"""Names to try: another process may take a lock for a leftover before it is held."""


@contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Yield the place for a private copy of a store; what was written there goes afterwards.

    Where the store's folder cannot be written, it is a folder for temporary files.
    """
    if not os.access(path.parent, os.W_OK):
        import tempfile  # noqa: PLC0415 - a tenth of a hook's imports, and hooks take no copies

        with tempfile.TemporaryDirectory(prefix="helix-") as folder:
            yield Path(folder) / "copy.db"
        return
    remove_abandoned(path)
    try:
        copy, lock = _claimed(path)
    except OSError as error:
        raise opening.uncreatable(path, error) from error
    with lock:
        try:
            yield copy
        finally:
            _remove(copy)


def remove_abandoned(path: Path) -> list[str]:
    """Remove the copies of a store that nobody works on any more; return their names."""
    return [each.name for each in _copies(path) if _removed_if_abandoned(each)]


def _copies(path: Path) -> list[Path]:
    # As strict as names can be: what else lies beside a store is its user's.
    ours = re.compile(rf"(\.{re.escape(path.name)}\.[0-9a-f]{{16}}\.snapshot)(?:-\w+|\.lock)?")
    try:
        names = [each.name for each in path.parent.iterdir()]
    except OSError:  # a folder may let somebody write to it and not look around
        return []
    found = {match[1] for match in map(ours.fullmatch, names) if match}
    return [path.with_name(name) for name in sorted(found)]


def _claimed(path: Path) -> tuple[Path, IO[bytes]]:
    """Return a place that nobody else uses, and its lock, held until it is closed."""
    for _ in range(_TRIES):
        copy = path.with_name(f".{path.name}.{secrets.token_hex(8)}.snapshot")
        lock = _lock_of(copy)
        file = os.fdopen(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_RDWR, opening.PRIVATE), "w+b")
        # Who clears up may have met the lock before it was held, and removed it since.
        if _holds(file, unknown=True) and lock.exists():
            return copy, file
        file.close()
    raise BlockingIOError(None, "others keep removing it")


def _removed_if_abandoned(copy: Path) -> bool:
    try:
        file = _lock_of(copy).open("r+b")
    except FileNotFoundError:
        # It is made first and removed last: whoever worked on this copy is done with it.
        return _remove(copy)
    except OSError:
        return False
    with file:
        return _holds(file, unknown=False) and _remove(copy)


def _remove(copy: Path) -> bool:
    """Remove a copy with all that lies beside it, the lock last; return whether it is gone."""
    for ending in ("-wal", "-shm", "-journal", "", _LOCK):
        try:
            copy.with_name(copy.name + ending).unlink(missing_ok=True)
        except OSError:  # the folder was locked meanwhile; on Windows, it is in use
            return False
    return True


def _holds(file: IO[bytes], *, unknown: bool) -> bool:
    """Take a lock if it is free; return `unknown` where there are no locks."""
    try:
        import fcntl  # noqa: PLC0415 - Windows has none; an open file cannot be removed there
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return unknown
    return True


def _lock_of(copy: Path) -> Path:
    return copy.with_name(copy.name + _LOCK)
