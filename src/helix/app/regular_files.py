"""Reading a file that somebody named: a real one, and no more of it than is wanted.

A pipe may never end, nor may a device, and opening one may wait for ever.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Nothing is waited for: a pipe that nobody writes to is opened and found to be one."""


def opened(path: Path) -> BinaryIO:
    """Open a regular file to read, or what a link leads to; raises `OSError` for all else."""
    handle = os.open(path, os.O_RDONLY | _AT_ONCE)
    try:
        # Of what is open, not of what bears the name: that may be another by now.
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def whole(path: Path, most: int) -> bytes:
    """Return what is in a regular file; raises `OSError` if that is more than `most` bytes."""
    with opened(path) as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes", str(path))
    return found
