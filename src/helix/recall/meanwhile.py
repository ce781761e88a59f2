"""Something that is worked out while something else is done.

Embedding a question takes as long as searching for its words, on a core of its own: models and
SQLite both let go of Python while they work.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Meanwhile(Generic[T]):
    """Begins at once in a thread of its own; `result` waits for the end of it."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._found: list[T] = []
        self._failure: BaseException | None = None
        self._thread = Thread(target=self._run, args=(work,), name="helix-meanwhile", daemon=True)
        self._thread.start()

    def result(self) -> T:
        """Return what was worked out, or raise what went wrong there."""
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._found[0]

    def _run(self, work: Callable[[], T]) -> None:
        try:
            self._found.append(work())
        except BaseException as failure:  # noqa: BLE001 - raised again where it is waited for
            self._failure = failure
