"""A process that nobody waits for lets others go first; but never while it holds the store.

What is computed is computed on a thread of low priority. What is written is written on a
thread of the usual one: a process of low priority that is set aside in the middle of a
transaction would keep every capture waiting until the machine has nothing better to do.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from typing import Any, TypeVar

NICENESS = 10
"""Steps of priority below whoever started it."""

Answer = TypeVar("Answer")


class Aside:
    """Does what it is given on a thread of low priority, and waits for it."""

    def __init__(self) -> None:
        """Start the thread. It is a daemon: a process that is told to end need not wait for it."""
        self._given: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="helix-aside", daemon=True).start()

    def __call__(self, work: Callable[[], Answer]) -> Answer:
        """Return what the work returns, or raise what it raises."""
        future: Future[Answer] = Future()
        self._given.put((future, work))
        return future.result()

    def _work(self) -> None:
        lower_this_thread()
        while True:
            future, work = self._given.get()
            try:
                future.set_result(work())
            except BaseException as error:  # noqa: BLE001 - whoever waits gets it, whatever it is
                future.set_exception(error)


def lower_this_thread() -> None:
    """Lower the priority of the calling thread for the rest of its life."""
    # Linux alone has a priority for each thread; elsewhere the whole process steps back.
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)
    elif hasattr(os, "nice"):
        os.nice(NICENESS)


@cache
def aside() -> Aside:
    """Return the one thread of this process that computes aside."""
    return Aside()
