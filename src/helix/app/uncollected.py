"""Work that Python's collector of cycles is kept out of for a moment.

An answer makes thousands of values that are gone again by their reference counts, in no cycles.
The collector walks them every few hundred, and now and then everything the process holds: an
eighth of a question's time, for nothing found. It goes on where the answer ends.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_pausing = Lock()


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the collector; of several threads the first one does, so that it is never off long.

    Where somebody else has switched it off, it stays off.
    """
    if not gc.isenabled() or not _pausing.acquire(blocking=False):
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        _pausing.release()
