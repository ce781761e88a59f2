"""Work shared by the thread that asks for it and others that help.

Not a pool of `concurrent.futures`: a process that ends takes those away before its threads
have ended, and whoever still embeds then, beside the script or after it, would fail.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
_NONE = object()


def share(work: Callable[[Item], object], items: Sequence[Item], threads: int) -> None:
    """Do the work for each item, on up to this many threads, the calling one among them.

    The first failure ends the work and is raised here; so does an interruption.
    """
    left = iter(items)
    taking = threading.Lock()
    failures: list[BaseException] = []

    def help_out() -> None:
        try:
            while not failures:
                with taking:
                    item = next(left, _NONE)
                if item is _NONE:
                    return
                work(item)  # type: ignore[arg-type]
        except BaseException as failure:  # noqa: BLE001 - raised where it is waited for
            failures.append(failure)

    helpers = _started(help_out, min(threads, len(items)) - 1)
    help_out()
    try:
        for helper in helpers:
            helper.join()
    except BaseException as interruption:
        failures.append(interruption)
        raise
    if failures:
        raise failures[0]


def _started(work: Callable[[], None], number: int) -> list[threading.Thread]:
    # Never daemons: native code must not wake up in an interpreter that is gone.
    helpers = [
        threading.Thread(target=work, name=f"helix-embed-{each}", daemon=False)
        for each in range(number)
    ]
    for place, helper in enumerate(helpers):
        try:
            helper.start()
        except RuntimeError:  # the process ends, or may have no more threads: alone, then
            return helpers[:place]
    return helpers
