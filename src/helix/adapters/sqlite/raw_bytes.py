"""Reading the bytes of files that SQLite has open, without taking its locks away.

POSIX gives a file's locks to the process, not to the handle: whoever closes any handle of a file
lets go of every lock that the process has on it, those of other connections among them, and a
second writer is let in beside the first. SQLite minds that when it opens and closes a file itself,
so it is asked to. Only the index of the log (`-shm`) is locked past that care.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock

import apsw

CHUNK = 1 << 20
_READ_ONLY = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY

_kept: list[int] = []
"""Handles of logs' indexes. They are closed once the file is gone, which SQLite sees to."""
_one_at_a_time = Lock()


def beginning(path: Path, length: int) -> bytes:
    """Return the first bytes of a file, fewer if it is shorter; raises `OSError`."""
    try:
        with closing(_Opened(path)) as file:
            return file.xRead(length, 0)
    except apsw.Error as error:
        raise _reason(path) from error


def holds(path: Path, needles: Sequence[bytes]) -> bool:
    """Return whether a file's raw bytes hold one of the needles; raises `OSError`."""
    overlap = max(map(len, needles), default=1) - 1
    before = b""
    for chunk in _index(path) if path.name.endswith("-shm") else _chunks(path):
        piece = before + chunk
        if any(needle in piece for needle in needles):
            return True
        before = piece[-overlap:] if overlap else b""
    return False


class _Opened(apsw.VFSFile):
    """A file as SQLite itself opens it."""

    def __init__(self, path: Path) -> None:
        super().__init__("", str(path.absolute()), [_READ_ONLY, 0])

    def close(self) -> None:
        self.xClose()


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with closing(_Opened(path)) as file:
            at = 0
            while chunk := file.xRead(CHUNK, at):
                yield chunk
                at += len(chunk)
    except apsw.Error as error:
        raise _reason(path) from error


def _index(path: Path) -> Iterator[bytes]:
    if os.name == "nt":  # locks belong to their handles there, and a kept one would be in the way
        yield path.read_bytes()
        return
    with _one_at_a_time:
        handle = _kept_handle(path)
        at = 0
        while chunk := os.pread(handle, CHUNK, at):
            yield chunk
            at += len(chunk)


def _kept_handle(path: Path) -> int:
    for each in list(_kept):
        # Nobody can open a file without a name any more, so nobody asks for its locks.
        if not os.fstat(each).st_nlink:
            _kept.remove(each)
            os.close(each)
    wanted = path.stat()
    for each in _kept:
        if os.path.samestat(os.fstat(each), wanted):
            return each
    _kept.append(os.open(path, os.O_RDONLY))
    return _kept[-1]


def _reason(path: Path) -> OSError:
    # What SQLite could not open it has no lock on: trying is harmless, and tells why.
    try:
        path.open("rb").close()
    except OSError as error:
        return error
    return OSError(errno.EIO, os.strerror(errno.EIO), str(path))
