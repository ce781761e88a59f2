"""Work done beside what was asked for, while a memory is open: enriching, carrying switches on.

One thread for each open store, started when the memory is first used, and not at once: a
script that ends soon never pays for it. It works in small batches while nobody else does
anything, takes at most half of the time, and is stopped by closing. Whatever it does could
be killed at any moment and goes on next time, here or in another process.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from helix.model.errors import HelixError

if TYPE_CHECKING:
    from helix.app.context import Context

FIRST_AFTER = 1.0
"""Seconds after the first use before anything is begun."""

LOOK_AGAIN = 30.0
"""Seconds after which somebody who is not nudged looks whether another process left work."""

QUIET = 0.2
"""Seconds without a write or a question after which the moment counts as quiet."""

LONGEST_HELD_BACK = 2.0
"""Seconds after which a batch is worked off although it is not quiet: lag stays bounded."""

AFTER_A_FAULT = 30.0
"""Seconds before the next try when the store or the embedder could not be used."""

AT_ONCE = 16
"""Memories embedded together: small, since the interpreter is shared with whoever asks."""

STOP_WITHIN = 10.0
"""Seconds that closing waits for the batch at hand."""

Pause = Callable[[float], bool]
"""Is told how long a piece of work took; rests as long; says whether to go on."""


class Tending:
    """The thread, and how it is nudged and stopped."""

    def __init__(self, work: Callable[[Pause], None], first_after: float = FIRST_AFTER) -> None:
        """Take what is to be done whenever there may be something to do."""
        self._work = work
        self._first_after = first_after
        self._nudged, self._stopped = threading.Event(), threading.Event()
        self._used_at = 0.0
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self.fault: HelixError | None = None
        """Why the last round ended early, if it did."""

    def nudge(self) -> None:
        """Say that the memory is in use and something may have come in. Takes microseconds."""
        self._used_at = monotonic()
        if not self._nudged.is_set():
            self._nudged.set()
        if self._thread is None:
            self._start()

    def stop(self) -> None:
        """End the work after the batch at hand. Stopping twice is harmless."""
        self._stopped.set()
        self._nudged.set()
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(STOP_WITHIN)
        atexit.unregister(self.stop)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None and not self._stopped.is_set():
                # Not closed, a process must still be able to end; but not in mid-batch, where
                # native code would wake up in an interpreter that is gone.
                thread = threading.Thread(target=self._run, name="helix-tending", daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the process ends; what waits is another one's to do
                    return
                self._thread = thread
                atexit.register(self.stop)

    def _run(self) -> None:
        self._stopped.wait(self._first_after)
        while not self._stopped.is_set():
            self._nudged.clear()
            self.fault = None
            try:
                self._work(self._pause)
            except HelixError as error:
                # The store is busy, the disk full, a server away: told by `helix doctor`.
                self.fault = error
                self._stopped.wait(AFTER_A_FAULT)
            except RuntimeError:
                # A process that ends refuses new threads and imports before it stops this thread.
                if threading.main_thread().is_alive():
                    raise
                return
            self._nudged.wait(LOOK_AGAIN)

    def _pause(self, seconds: float) -> bool:
        """Rest as long as the last batch took, then until it is quiet; False when stopped."""
        until = monotonic() + LONGEST_HELD_BACK
        self._stopped.wait(seconds)
        while not self._stopped.is_set() and monotonic() < until:
            busy = self._used_at + QUIET - monotonic()
            if busy <= 0:
                break
            self._stopped.wait(busy)
        return not self._stopped.is_set()


def rounds(context: Context, pause: Pause) -> None:
    """Do what there is to do: settle notes, enrich what waits, carry a switch on, clear away.

    Before, vectors that nobody can read are mended. Last comes what nobody waits for: words for
    what was embedded before they were kept.
    """
    from helix.app.scratching import come_by  # noqa: PLC0415 - loaded with the first round
    from helix.app.switching import worker_name  # noqa: PLC0415 - as above
    from helix.enrichment.words import give_words  # noqa: PLC0415 - numpy
    from helix.enrichment.workflow import (  # noqa: PLC0415 - as above
        clear_away,
        enrich_in_turn,
        mend,
        switch,
    )

    store, clock, worker = context.store, context.clock, worker_name()

    rested_at = monotonic()

    def stop() -> bool:
        nonlocal rested_at
        go_on = pause(monotonic() - rested_at)
        rested_at = monotonic()
        return not go_on

    if stop():
        return
    come_by(context)
    mend(store)
    enrich_in_turn(
        store, context.realm, context.embedder(), clock, worker, at_once=AT_ONCE, pause=pause
    )
    if switch(store, context.named_embedder, clock, worker, stop=stop):
        clear_away(store, stop)
        give_words(store, context.embedder(), stop=stop)
