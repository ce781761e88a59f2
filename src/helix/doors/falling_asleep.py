"""Starting a process that sleeps: one for each store, by itself, and nobody's to wait for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from helix.app.private_files import appended
from helix.doors.resident import locked

MINUTES = 30.0
"""How long such a process works before it gives the rest back; the next one takes it up."""

_SCOPE_BY_NAME = "HELIX_PROJECT"
_DETACHED = 0x00000008 | 0x00000200
"""Windows: without a console, and in a process group of its own."""


def fallen_asleep(
    store: Path, folder: Path | None = None, *, enrich: bool = False
) -> subprocess.Popen[bytes] | None:
    """Start a process that sleeps over whatever is owed, unless one does; return it, or None.

    It belongs to no terminal and no process group of ours, holds none of our pipes, and keeps
    the store's lock until it ends, however that comes and whatever becomes of us. In `folder`,
    claims about that project's files are checked too; with `enrich`, what waits is embedded.
    """
    path = lock_beside(store)
    with appended(path) as lock:
        if not locked(lock):
            return None
        os.utime(path)
        return subprocess.Popen(
            # -P: a file of the project that is called like a module of ours is not one of ours.
            [sys.executable, "-P", "-m", "helix", "sleep", "--owed", "--json",
             f"--minutes={MINUTES}", "--store", str(store), *["--enrich"] * enrich],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd=folder, env=_environment(), start_new_session=True,
            # The lock is the child's from here on: ours is closed, and its own lives as it does.
            pass_fds=(lock.fileno(),) if os.name == "posix" else (),
            creationflags=_DETACHED if os.name == "nt" else 0,
        )  # fmt: skip


def lock_beside(store: Path) -> Path:
    """Return what whoever sleeps over a store holds; changed whenever somebody begins."""
    return store.with_name(store.name + ".sleep.lock")


def _environment() -> dict[str, str]:
    # Whatever an agent starts may have been given variables by the repository it works in:
    # the folder alone says which project's claims are held against it.
    return {name: value for name, value in os.environ.items() if name != _SCOPE_BY_NAME}
