"""Running the server: one for each store, on this machine only, gone without a trace.

A lock beside the store keeps a second one away, and is let go of by the system itself if
the process dies. A note beside it says where the server listens and with which token; it
is readable by the user alone, and is believed only while the lock is held.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

from helix.app.facade import Helix
from helix.app.private_files import appended, private_folder
from helix.app.whole_files import replace_whole
from helix.app.wiring import settings
from helix.doors.alone import enrich_alone
from helix.doors.nights import Nights
from helix.doors.resident import is_held, lock_beside, locked, note_beside
from helix.model.errors import Conflict, StoreUnavailable

HOST = "127.0.0.1"
MOST_CONNECTIONS = 256
STOP_PATIENCE = 10.0
A_LOOK = 0.01
"""Seconds: much longer than it takes to see whether a lock is held."""
LOOKS_WAITED_FOR = 20


def serve(
    store: Path, port: int, *, token: str | None, full: bool, ready: Callable[[str], None]
) -> None:
    """Serve a store until told to stop; `ready` is told the address once it listens."""
    import uvicorn

    from helix.doors.mcp.server import Door
    from helix.doors.rest.app import Application, built
    from helix.doors.rest.patience import Impatient

    with _alone(store), Helix.open(store, scope="global", agent="rest") as memory:
        chosen = secrets.token_urlsafe(32) if token is None else token
        link = _listening(port)
        port = link.getsockname()[1]
        application = Application(memory, known_by=secrets.token_urlsafe(16))
        door = Door(lambda: application.memory, full=full, started_in=None)
        mounted = door.server.streamable_http_app(host=HOST)
        config = uvicorn.Config(
            built(application, chosen, mounted), log_level="warning", access_log=False,
            limit_concurrency=MOST_CONNECTIONS, timeout_keep_alive=5, timeout_graceful_shutdown=3,
            http=Impatient, lifespan="on", ws="none", server_header=False,
        )  # fmt: skip
        server = uvicorn.Server(config)
        # uvicorn raises what stopped it once more when it is done; the files are tidied first.
        signal.signal(signal.SIGTERM, lambda *_: None)
        with _noted(store, port, chosen, application.known_by), link:
            ready(f"http://{HOST}:{port}")
            nights = Nights(store, settings().sleep)
            try:
                asyncio.run(_run(server, link, application, nights))
            finally:
                nights.stop()


async def _run(server: Any, link: socket.socket, application: Any, nights: Nights) -> None:
    upkeep = asyncio.create_task(_upkeep(application, nights))
    try:
        await server.serve(sockets=[link])
    finally:
        upkeep.cancel()


async def _upkeep(application: Any, nights: Nights) -> None:
    """Embed what waits and sleep over what is owed, whenever something is."""
    chosen = settings()
    home = chosen.home
    while True:
        await asyncio.sleep(chosen.sleep.look_seconds)
        for work in (
            partial(enrich_alone, application.memory, home),
            partial(nights.look, application.memory),
        ):
            with suppress(Exception):  # tried again at the next look
                await application.on_thread(work)


def running(store: Path) -> dict[str, Any] | None:
    """Return the note of the server of a store, if one runs, but for the word it is known by."""
    if not is_held(store):
        return None
    try:
        told = json.loads(Path(note_beside(store)).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(told, dict):
        return None
    return {name: each for name, each in told.items() if name != "known_by"}


def stop(store: Path) -> bool:
    """Stop the server of a store; return whether one ran. Returns when it is gone.

    Raises `StoreUnavailable` for one that has not come so far as to listen, or listens no more.
    """
    told = running(store)
    if told is None:
        if is_held(store):
            raise StoreUnavailable(
                "a server of this store is just starting or ending",
                code="starting_or_ending",
                remedy="try again in a moment",
            )
        return False
    with suppress(ProcessLookupError):
        os.kill(int(told["pid"]), signal.SIGTERM)
    end = time.monotonic() + STOP_PATIENCE
    while is_held(store):
        if time.monotonic() > end:
            raise StoreUnavailable(
                f"the server {told['pid']} does not stop",
                code="does_not_stop",
                remedy="end it by hand",
            )
        time.sleep(0.05)
    return True


# --- one for each store -------------------------------------------------------------------


@contextmanager
def _alone(store: Path) -> Iterator[None]:
    lock = Path(lock_beside(store))
    private_folder(lock.parent)
    with appended(lock) as file:
        if not _taken(file):
            told = running(store) or {}
            raise Conflict(
                f"a server of this store runs already, on port {told.get('port', 'unknown')}",
                code="already_serving",
                remedy="use that one, or stop it with `helix serve --stop`",
            )
        # Of one that was killed. Opening the store may take long, and for that long nobody is
        # to be sent to a port, or to a process, that is somebody else's by now.
        Path(note_beside(store)).unlink(missing_ok=True)
        yield


def _taken(file: IO[str]) -> bool:
    """Take the lock, waiting for those who only look whether it is held."""
    for _ in range(LOOKS_WAITED_FOR):
        if locked(file):
            return True
        time.sleep(A_LOOK)
    return False


@contextmanager
def _noted(store: Path, port: int, token: str, known_by: str) -> Iterator[None]:
    note = Path(note_beside(store))
    told = {
        "pid": os.getpid(), "port": port, "token": token, "known_by": known_by,
        "started": time.time(),
    }  # fmt: skip
    # A link that lies there is replaced: what it leads to must not be given the token.
    replace_whole(note, json.dumps(told).encode(), private=True)
    try:
        yield
    finally:
        note.unlink(missing_ok=True)


def _listening(port: int) -> socket.socket:
    link = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        link.bind((HOST, port))
    except OSError as error:
        link.close()
        raise StoreUnavailable(
            f"port {port} cannot be used: {error.strerror}",
            code="port_taken",
            remedy="choose another with --port, or 0 for any",
        ) from error
    link.listen(1024)
    return link
