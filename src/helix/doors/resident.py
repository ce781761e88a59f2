"""Handing work over to a server that runs: quicker than opening the store.

That is `helix serve`, spoken to over HTTP, or else the server of a connected agent, over a
socket beside the store (`helix.doors.mcp.lending`).

Spoken by hand over a socket: Python's own HTTP client takes longer to import than the whole
exchange, and so does nearly everything else. Where nothing answers, whoever asked does the
work itself.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing typing takes as long as asking
    import socket
    from typing import IO

PATIENCE = 0.3
"""Seconds to wait for a connection."""

MOST_ANSWERED = 1 << 22
MOST_SENT = 1 << 22
"""Bytes an agent's server takes."""
MOST_POSTED = 1 << 20
"""Bytes `helix serve` takes: it turns more away unread, and a sender who is cut off in the
middle could not tell that from a server that died at work."""
KNOWN_BY = "helix-known-by"
"""The header in which `helix serve` says a word that stands only in its note: whoever listens
where it did before does not know it."""
DONE = b"done\n"
"""What an agent's server says before its answer, once the work is done."""


def handed_over(
    what: str, name: str, agent: str, raw: bytes, patience: float | None = None
) -> bytes | None:
    """Return what a server answered, or None if there is none that did it."""
    path = f"/v1/hooks/{name}?agent={agent}" if what == "hook" else f"/v1/commands/{name}"
    answer = posted(path, raw, patience) if len(raw) <= MOST_POSTED else None
    if answer is None and len(raw) <= MOST_SENT:
        head = f"{what} {name} {agent or '-'} {len(raw)}\n"
        answer = passed(head.encode("ascii", "replace"), raw, patience)
    return answer


def passed(head: bytes, raw: bytes, patience: float | None = None) -> bytes | None:
    """Return what the server of a connected agent answered, or None if it did not do it."""
    store = _store()
    if store is None or not os.path.exists(path := socket_beside(store)):
        return None
    import socket

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        try:
            link.settimeout(PATIENCE)
            link.connect(path)
        except OSError:  # it was killed
            return None
        link.settimeout(patience)
        answer = _exchanged(link, head + raw)
    return answer[len(DONE) :] if answer.startswith(DONE) else None


def posted(path: str, raw: bytes, patience: float | None = None) -> bytes | None:
    """Return what the server answered to a document, or None if it did not do it.

    `patience` bounds each wait for the answer, in seconds. Raises `OSError` if the server
    went away with the work in its hands.
    """
    place = resident()
    if place is None:
        return None
    import socket

    port, token, known_by = place
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(raw)}\r\nConnection: close\r\n\r\n"
    )
    link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # Not `create_connection`, which looks names up and loads what international ones take.
        link.settimeout(PATIENCE)
        link.connect(("127.0.0.1", port))
    except (OSError, OverflowError):  # no such port: the note is not ours
        link.close()
        return None
    with link:
        link.settimeout(patience)
        answer = _exchanged(link, head.encode("ascii", "replace") + raw)
    top, _, body = answer.partition(b"\r\n\r\n")
    status, *headers = top.split(b"\r\n")
    # Anything else was refused, not done: a wrong token, too many at once.
    return body if b" 200 " in status and _is_known(headers, known_by) else None


def _is_known(headers: list[bytes], known_by: str) -> bool:
    told = (each.partition(b":") for each in headers)
    said = [value.strip() for name, _, value in told if name.lower() == KNOWN_BY.encode()]
    return said == [known_by.encode()]


def _exchanged(link: socket.socket, sent: bytes) -> bytes:
    link.sendall(sent)
    answer = b""
    while len(answer) < MOST_ANSWERED and (part := link.recv(1 << 16)):
        answer += part
    return answer


def resident() -> tuple[int, str, str] | None:
    """Return where the server of this user's store listens, its token and its word.

    None if it left no note, or one without a word, as earlier versions did.
    """
    store = _store()
    if store is None:
        return None
    note = note_beside(store)
    try:
        # A note of one that is gone: somebody else may listen there now, and gets no token.
        if not os.path.exists(note) or not is_held(store):
            return None
        import json

        with open(note, encoding="utf-8") as file:
            told = json.load(file)
        if not told["known_by"]:
            return None
        return int(told["port"]), str(told["token"]), str(told["known_by"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def home_here() -> str:
    """Return where this process's settings lie."""
    home = os.environ.get("HELIX_HOME") or os.path.join(os.path.expanduser("~"), ".helix")
    return os.path.expanduser(home)


def _store() -> str | None:
    """Return this user's store; None if the settings are at fault, which another will tell."""
    home = home_here()
    store = os.environ.get("HELIX_STORE")
    if not store and os.path.exists(os.path.join(home, "settings.toml")):
        from helix.app.homes import user_home
        from helix.app.settings import load
        from helix.model.errors import BadInput

        try:
            return str(load(os.environ, user_home()).store)
        except BadInput:
            return None
    return os.path.expanduser(store) if store else os.path.join(home, "memory.db")


def is_held(store: str | os.PathLike[str]) -> bool:
    """Return whether a server of this store runs."""
    try:
        import fcntl
    except ImportError:  # Windows has no such thing
        return False
    try:
        with open(lock_beside(store), "rb") as file:
            # Shared: hooks come in swarms, and who only looks must not be taken for a server.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:  # none ever ran
        pass
    return False


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


def lock_beside(store: str | os.PathLike[str]) -> str:
    """Return what the server of a store holds while it runs."""
    return os.fspath(store) + ".serve.lock"


def note_beside(store: str | os.PathLike[str]) -> str:
    """Return where a server of a store leaves word of itself."""
    return os.fspath(store) + ".serve.json"


def socket_beside(store: str | os.PathLike[str]) -> str:
    """Return where the server of a connected agent listens."""
    return os.fspath(store) + ".hooks.sock"
