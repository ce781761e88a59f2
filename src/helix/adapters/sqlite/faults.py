"""What SQLite says went wrong, in Helix's words. Drivers' exceptions never leak."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from helix.model.errors import BadInput, HelixError, StoreUnavailable

UNREADABLE = (TypeError, ValueError, LookupError, ArithmeticError, BadInput)
"""What reading a row runs into where a value is not what Helix wrote there."""
RESTORE = "`helix verify` says more; keep the file, and restore the latest backup"
FOLD_AGAIN = "keep a copy of the file; if `helix verify` finds the record sound, `helix rebuild`"
FOLD_AGAIN += " folds the memories again"

_SAYINGS: tuple[tuple[type[apsw.Error], str, str, str], ...] = (
    (
        apsw.BusyError,
        "store_busy",
        "is being written by another process and did not become free in time",
        "try again; if it stays so, look for a stuck process that holds the file",
    ),
    (
        apsw.LockedError,
        "store_busy",
        "is locked by another part of this process",
        "try again",
    ),
    (
        apsw.ReadOnlyError,
        "store_read_only",
        "cannot be written",
        "reading still works; make the file and its folder writable to write",
    ),
    (
        apsw.FullError,
        "disk_full",
        "could not grow: the disk is full. Nothing was half-written",
        "free some space and repeat the last command",
    ),
    (
        apsw.NotADBError,
        "not_a_store",
        "is not a Helix store",
        "point `--store` at another file, or restore a backup",
    ),
    (
        apsw.CorruptError,
        "store_damaged",
        "is damaged",
        "keep the file, and restore the latest backup; `helix doctor` says more",
    ),
    (
        apsw.CantOpenError,
        "store_unopenable",
        "cannot be opened",
        "check that the folder exists and that you may read it",
    ),
    (
        apsw.InterruptError,
        "store_closed",
        "was closed meanwhile. Nothing was half-written",
        "open it again",
    ),
    (
        apsw.ConnectionClosedError,
        "store_closed",
        "is closed. Nothing was half-written",
        "open it again",
    ),
    (
        apsw.CursorClosedError,
        "store_closed",
        "is closed. Nothing was half-written",
        "open it again",
    ),
    (
        apsw.IOError,
        "store_io_error",
        "could not be read or written by the operating system. Nothing was half-written",
        "check the disk's space and health, then repeat the last command",
    ),
)


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's exceptions into `StoreUnavailable`, naming the file and a way out."""
    try:
        yield
    except apsw.Error as error:
        raise translation(error, path) from error


def damaged(what: str, remedy: str = RESTORE) -> StoreUnavailable:
    """Return the error for a row that no Helix wrote like this."""
    return StoreUnavailable(
        f"the store is damaged: {what} cannot be read", code="store_damaged", remedy=remedy
    )


def translation(error: apsw.Error, path: Path) -> HelixError:
    """Return Helix's word for a driver's exception."""
    for kind, code, saying, remedy in _SAYINGS:
        if isinstance(error, kind):
            return StoreUnavailable(f"{path} {saying}", code=code, remedy=remedy)
    return StoreUnavailable(
        f"{path} could not be used: {error}",
        code="store_fault",
        remedy="`helix doctor` looks closer",
    )
