"""Handing a hook over to `helix serve`, if it runs: quicker than opening the store.

Spoken by hand over a socket: Python's own HTTP client takes longer to import than the whole
exchange. Where nothing answers, the hook does its work itself.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import IO

from helix.doors.hooks.events import Event

PATIENCE = 0.3
"""Seconds to wait for a connection; for the answer, the hook's own deadline counts."""

MOST_ANSWERED = 1 << 20


def handed_over(event: Event, agent: str, raw: bytes) -> str | None:
    """Return what the server said, or None if there is none and nothing was sent."""
    place = resident()
    if place is None:
        return None
    import socket

    port, token = place
    head = (
        f"POST /v1/hooks/{event.name}?agent={agent} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(raw)}\r\nConnection: close\r\n\r\n"
    )
    try:
        link = socket.create_connection(("127.0.0.1", port), PATIENCE)
    except OSError:
        return None
    with link:
        link.settimeout(None)
        link.sendall(head.encode("ascii", "replace") + raw)
        answer = b""
        while len(answer) < MOST_ANSWERED and (part := link.recv(1 << 16)):
            answer += part
    top, _, body = answer.partition(b"\r\n\r\n")
    if b" 200 " not in top.split(b"\r\n", 1)[0]:
        # It was refused, not done: a wrong token, too many at once.
        return None
    told = json.loads(body)
    return str(told.get("context") or "")


def resident() -> tuple[int, str] | None:
    """Return where the server of this user's store listens, and its token, if it left a note."""
    home = Path(os.environ.get("HELIX_HOME") or Path.home() / ".helix").expanduser()
    store = os.environ.get("HELIX_STORE")
    if not store and (home / "settings.toml").exists():
        from helix.app.settings import load

        store = str(load(os.environ, Path.home()).store)
    file = Path(store).expanduser() if store else home / "memory.db"
    note = note_beside(file)
    try:
        # A note of one that is gone: somebody else may listen there now, and gets no token.
        if not note.exists() or not is_held(file):
            return None
        told = json.loads(note.read_text(encoding="utf-8"))
        return int(told["port"]), str(told["token"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def is_held(store: Path) -> bool:
    """Return whether a server of this store runs."""
    lock = lock_beside(store)
    if not lock.exists():
        return False
    with lock.open("a") as file:
        return not locked(file)


def locked(file: IO[str]) -> bool:
    """Take the lock if it is free; it is let go of when the file is closed."""
    try:
        import fcntl
    except ImportError:  # Windows has no such thing; the port keeps two servers apart there
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def lock_beside(store: Path) -> Path:
    """Return what the server of a store holds while it runs."""
    return store.with_name(store.name + ".serve.lock")


def note_beside(store: Path) -> Path:
    """Return where a server of a store leaves word of itself."""
    return store.with_name(store.name + ".serve.json")
