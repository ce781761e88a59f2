"""A few threads that live as long as the server: each keeps one connection to the store.

Threads that come and go would open a connection each; and a pool that is joined at exit
would keep a dead client's server alive while it waits for a lock. These are daemons.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Workers:
    """Does what it is given, in order, on its own threads."""

    def __init__(self, number: int) -> None:
        """Start them."""
        self._waiting: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = (
            queue.SimpleQueue()
        )
        for each in range(number):
            threading.Thread(target=self._work, name=f"helix-{each}", daemon=True).start()

    def submit(self, does: Callable[[], Answer]) -> Future[Answer]:
        """Return what will hold the answer."""
        future: Future[Answer] = Future()
        self._waiting.put((future, does))
        return future

    def _work(self) -> None:
        while True:
            future, does = self._waiting.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(does())
            except BaseException as error:  # noqa: BLE001 - the asker gets it, whatever it is
                future.set_exception(error)
