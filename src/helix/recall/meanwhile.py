"""Something that is worked out while something else is done.

Embedding a question takes as long as searching for its words, on a core of its own: models,
numpy and SQLite all let go of Python while they work.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

T = TypeVar("T")


class Meanwhile(Generic[T]):
    """Begins at once in a thread of its own; `result` waits until it is worked out.

    What is to be done `then` with it goes on in the thread, and nobody waits for it.
    Without `threading.Thread`, which waits until the thread has begun: a question asks for this
    to lose no time.
    """

    def __init__(self, work: Callable[[], T], then: Callable[[T], object] = lambda _: None) -> None:
        self._found: list[T] = []
        self._failure: BaseException | None = None
        self._working = allocate_lock()
        self._working.acquire()
        try:
            start_new_thread(self._run, (work, then))
        except RuntimeError:  # the process ends, or may have no more threads: not beside, then
            self._run(work, lambda _: None)

    def result(self) -> T:
        """Return what was worked out, or raise what went wrong there."""
        with self._working:
            if self._failure is not None:
                raise self._failure
            return self._found[0]

    def _run(self, work: Callable[[], T], then: Callable[[T], object]) -> None:
        try:
            self._found.append(work())
        except BaseException as failure:  # noqa: BLE001 - raised again where it is waited for
            self._failure = failure
            return
        finally:
            self._working.release()
        with suppress(Exception):  # whoever needs it does it, and meets what is wrong with it
            then(self._found[0])
