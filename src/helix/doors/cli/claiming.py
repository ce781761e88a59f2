"""Taking a file before the deed it is to tell of, where the deed cannot be repeated."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from helix.model.errors import BadInput

PRIVATE = 0o600


@contextmanager
def claimed(path: Path) -> Iterator[Callable[[bytes], None]]:
    """Make a new private file, give a way to fill it, and remove it again if the block fails.

    Raises `BadInput` before anything is done if the file is there or cannot be made.
    """
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, PRIVATE)
    except (OSError, ValueError) as error:
        raise BadInput(
            f"{path} cannot be made: {getattr(error, 'strerror', None) or error}",
            code="file_not_made",
            remedy="name a file that is not there, in a folder that is; nothing was changed",
        ) from error
    # Without a buffer: what could not be written must not be tried again when it is closed.
    with os.fdopen(handle, "wb", buffering=0) as file:

        def fill(content: bytes) -> None:
            if file.write(content) != len(content):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())

        try:
            yield fill
        except BaseException:
            path.unlink(missing_ok=True)
            raise
