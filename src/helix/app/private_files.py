"""Files and folders for their owner alone, whatever mask the user has set.

Light on purpose: hooks and commands come by here before anything else is loaded.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing takes longer than opening a file
    from pathlib import Path
    from typing import TextIO

PRIVATE = 0o600
PRIVATE_FOLDER = 0o700
_OTHERS = 0o077


def appended(path: str | os.PathLike[str]) -> TextIO:
    """Open a lock or a log to append to, making it if need be; one that is open to others is not.

    Whoever can open a lock can hold it, even where all they may do is read.
    """
    handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, PRIVATE)
    try:
        _tightened(handle)
        return os.fdopen(handle, "a", encoding="utf-8")
    except BaseException:
        os.close(handle)
        raise


def created(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file that was not there before; raises `FileExistsError` if one is."""
    binary = getattr(os, "O_BINARY", 0)
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | binary, PRIVATE)
    with os.fdopen(handle, "wb") as file:
        file.write(content)


def private_folder(path: Path) -> None:
    """Make a folder and those above it that are missing; one that is there is left alone."""
    missing = []
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    for each in reversed(missing):
        each.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)


def _tightened(handle: int) -> None:
    if not hasattr(os, "fchmod"):  # Windows knows no such modes
        return
    found = os.fstat(handle)
    if found.st_mode & _OTHERS and found.st_uid == os.geteuid():
        os.fchmod(handle, PRIVATE)
