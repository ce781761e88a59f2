"""Moving the write-ahead log into the file, off the write path.

SQLite would do this inside an unlucky writer's commit, and that commit would take
milliseconds. Here a thread does it, started only when a process writes a lot; a short
command never pays for one, since closing the last connection tidies up anyway.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress

import apsw

from helix.model.errors import StoreUnavailable

PAGES_BEFORE = 1_000
"""Pages of log (4 MB) after which a quiet checkpoint is due."""

PAGES_TOO_MANY = 16_000
"""Pages (64 MB) at which writers are asked to pause while the log is started anew."""

RESTART_PATIENCE_MS = 50
"""How long starting the log anew may wait for readers: all writers wait with it."""


class Checkpointer:
    """A thread that checkpoints when told that the log has grown."""

    def __init__(self, connect: Callable[[], apsw.Connection]) -> None:
        """Take a way to open a connection of the thread's own."""
        self._connect = connect
        self._grown = threading.Event()
        self._stopping = False
        self._due_at = PAGES_BEFORE
        self._restart_at = PAGES_TOO_MANY
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def note(self, pages: int) -> None:
        """Hear, after a commit, how long the log is. Costs nothing while it is short."""
        if pages < self._due_at:
            if pages < PAGES_BEFORE:  # the log was started anew
                self._due_at = PAGES_BEFORE
            return
        # Waking the thread costs a capture a tenth of its time, so not for every page.
        self._due_at = pages + PAGES_BEFORE
        with self._starting:
            if self._thread is None and not self._stopping:
                thread = threading.Thread(target=self._run, daemon=True)
                try:
                    thread.start()
                except RuntimeError:  # the process ends; the log keeps everything
                    return
                self._thread = thread
        self._grown.set()

    def stop(self) -> None:
        """End the thread and wait for it."""
        self._stopping = True
        self._grown.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        connection: apsw.Connection | None = None
        try:
            while True:
                self._grown.wait()
                self._grown.clear()
                if self._stopping:
                    return
                # Another process may be at it already, a reader in the way, the disk full: the
                # log keeps everything meanwhile, and it is tried again when it has grown.
                with suppress(apsw.Error, StoreUnavailable):
                    connection = connection or self._opened()
                    self._checkpoint(connection)
        finally:
            if connection is not None:
                connection.close()

    def _opened(self) -> apsw.Connection:
        connection = self._connect()
        connection.set_busy_timeout(RESTART_PATIENCE_MS)
        return connection

    def _checkpoint(self, connection: apsw.Connection) -> None:
        log, moved = connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
        if log < PAGES_TOO_MANY:
            self._restart_at = PAGES_TOO_MANY
        elif log >= self._restart_at and log - moved < PAGES_BEFORE:
            # Nearly everything has just been moved, so the pause for writers is short. Where
            # more is left a reader is in the way, and waiting for it would hold up writers.
            self._restart_at = log + PAGES_BEFORE
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
