"""A spy in every process of a test: which addresses Python code there reaches for.

It is put on PYTHONPATH as `sitecustomize`, so a child of a child has it too. Audit hooks cannot
be taken off again by the code they watch.
"""

from __future__ import annotations

import os
from pathlib import Path

LOOPBACK = ("127.", "::1", "localhost")

_SPY = """
import os, sys

_place = os.environ.get("HELIX_TEST_SPY", "")

def _seen(event, arguments):
    if event not in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto",
                     "urllib.Request", "http.client.connect"):
        return
    if event in ("socket.getaddrinfo", "urllib.Request"):
        where = str(arguments[0])
    else:
        address = arguments[1] if len(arguments) > 1 else arguments[0]
        where = str(address[0] if isinstance(address, tuple) else address)
    line = f"{event}\\t{where}\\n".encode()
    handle = os.open(_place, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(handle, line)
    os.close(handle)

if _place:
    sys.addaudithook(_seen)
"""


class Spy:
    """What the processes reached for."""

    def __init__(self, folder: Path) -> None:
        """Prepare the folder that goes on PYTHONPATH."""
        self._folder = folder / "spy"
        self._folder.mkdir()
        (self._folder / "sitecustomize.py").write_text(_SPY)
        self._seen = folder / "seen"

    @property
    def environment(self) -> dict[str, str]:
        """What a process needs to be watched."""
        before = os.environ.get("PYTHONPATH", "")
        path = os.pathsep.join(each for each in (str(self._folder), before) if each)
        return {"PYTHONPATH": path, "HELIX_TEST_SPY": str(self._seen)}

    def seen(self) -> list[tuple[str, str]]:
        """Return every event with its address."""
        if not self._seen.exists():
            return []
        lines = self._seen.read_text().splitlines()
        return [(event, where) for event, _, where in (line.partition("\t") for line in lines)]

    def outside(self) -> list[tuple[str, str]]:
        """Return what was neither loopback nor a socket in the file system."""
        return [
            (event, where)
            for event, where in self.seen()
            if not (where.startswith((*LOOPBACK, "/")) or where in {"", "None", "b''"})
        ]
