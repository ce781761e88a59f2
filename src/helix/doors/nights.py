"""Sleep for whoever is resident: in a child of its own, when something is owed, one at a time.

Sleep is hours of plain computing in a bad case. In a thread it would share the interpreter
with whoever asks; in a child of low priority it does not. A child that is killed, with its
parent or alone, loses nothing: the next one goes on where it stopped.
"""

from __future__ import annotations

import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING

from helix.doors.falling_asleep import fallen_asleep

if TYPE_CHECKING:
    from pathlib import Path

    from helix.app.facade import Helix
    from helix.app.sleep_settings import SleepSettings

STOP_PATIENCE = 5.0


class Nights:
    """The child of this process, if it has one."""

    def __init__(self, store: Path, chosen: SleepSettings) -> None:
        """Take the store to sleep over, and what the user chose."""
        self._store = store
        self._chosen = chosen
        self._child: subprocess.Popen[bytes] | None = None

    def look(self, memory: Helix) -> bool:
        """Owe what has waited too long; begin to sleep if something is owed and nobody does.

        Returns whether a child was started. Takes milliseconds, on the caller's thread.
        """
        self.owe(memory)
        if not self._chosen.in_background or memory.context.store.read_only or self.asleep:
            return False
        return memory.sleeping.due() and self._begun()

    def owe(self, memory: Helix) -> None:
        """Owe sleep wherever something has waited too long."""
        if self._chosen.every is not None and not memory.context.store.read_only:
            memory.sleeping.owe_what_waits(self._chosen.every)

    @property
    def asleep(self) -> bool:
        """Whether the child is at work."""
        if self._child is None:
            return False
        if self._child.poll() is None:
            return True
        self._child = None
        return False

    def stop(self) -> None:
        """End the child; what it has concluded is kept, and the rest is done another time."""
        if self._child is None:
            return
        with suppress(OSError):
            self._child.terminate()
        try:
            self._child.wait(STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        self._child = None

    def _begun(self) -> bool:
        # Every agent has a server of its own on the same store; one child does for all.
        self._child = fallen_asleep(self._store)
        return self._child is not None
