"""A process that sweeps everything and expects to die."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.living.filling import opened
from helix.adapters.sqlite.store import SqliteStore
from helix.app.sweeping import Sweeper
from helix.testing.clock import SettableClock

READY, DONE = b"r", b"d"


@dataclass
class Sweeping:
    """A child process in the middle of a sweep."""

    process: int
    words: int

    def said(self) -> bytes:
        """Wait for its next word: it is ready, it is done; nothing once it is dead."""
        return os.read(self.words, 1)

    def kill(self) -> None:
        """End it with SIGKILL, wherever it is, and wait until it is gone."""
        os.kill(self.process, 9)
        self.wait()

    def wait(self) -> None:
        """Wait until it is gone."""
        os.waitpid(self.process, 0)
        os.close(self.words)


def started(store: Path, kind: str, moment: float, cap: int) -> Sweeping:
    """Start a process that sweeps a store, `cap` changes to a transaction.

    A fork of this one, which must have no store open: it begins at once, where loading the
    program anew would take a hundred times as long as the sweep.
    """
    ours, theirs = os.pipe()
    process = os.fork()
    if process:
        os.close(theirs)
        return Sweeping(process, ours)
    code = 1
    try:
        sweep(store, kind, moment, cap, lambda word: os.write(theirs, word))
        code = 0
    finally:
        os._exit(code)


def sweep(store: Path, kind: str, moment: float, cap: int, say: Callable[[bytes], int]) -> None:
    """Sweep everything; say when it begins and when it is done."""
    clock = SettableClock(datetime.fromtimestamp(moment, UTC))
    with closing(SqliteStore(store)) as data:
        memory = opened(data, clock)
        memory.life.sweep([kind], dry_run=True)
        say(READY)
        # Without rests: a kill while it rests would hit nothing.
        Sweeper(memory.context, memory.life.now, rest=lambda _: None).run(
            [kind], everything=True, cap=cap
        )
        say(DONE)
