"""Lending a hand: an agent's server does the work of that agent's hooks and of questions.

Whoever has connected an agent has a server with the store open, so a hook need not open it
itself. One server of each store listens on a socket beside it, that only its user can open;
when it goes away, another takes over. Nothing depends on it: where nobody answers, hooks and
commands do their work themselves.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from helix.app.facade import Helix
from helix.app.private_files import appended
from helix.doors.resident import DONE, MOST_SENT, locked, socket_beside
from helix.doors.workers import Workers

LOOKED_EVERY = 0.5
"""Seconds between two looks whether somebody should listen."""

LONGEST_NAME = 100
"""Letters of a socket's path; systems take a few more."""

BODY_PATIENCE = 10.0


class Lending:
    """Listens while the store is open and nobody else does."""

    def __init__(self, memory: Callable[[], Helix | None], store: Path) -> None:
        """Take a way to the open memory, which is None until it was opened, and its file."""
        self._memory = memory
        self._path = socket_beside(store)
        self._held: IO[str] | None = None
        self._server: asyncio.Server | None = None
        # One of its own: a hook must not wait behind a question that loads a model.
        self._workers = Workers(1)

    async def keep(self) -> None:
        """Take over whenever nobody listens, until cancelled."""
        if sys.platform == "win32" or len(self._path) > LONGEST_NAME:
            return
        while True:
            if self._server is None and self._memory() is not None:
                with suppress(OSError):
                    await self._listen()
            await asyncio.sleep(LOOKED_EVERY)

    def close(self) -> None:
        """Stop listening and leave nothing behind."""
        if self._server is not None:
            self._server.close()
            with suppress(OSError):
                Path(self._path).unlink()
        if self._held is not None:
            self._held.close()

    async def _listen(self) -> None:
        held = appended(self._path + ".lock")
        try:
            if locked(held):
                self._server = await self._opened()
                self._held = held
        finally:
            if self._held is not held:  # somebody else listens, or will
                held.close()

    async def _opened(self) -> asyncio.Server:
        place = Path(self._path)
        place.unlink(missing_ok=True)  # of one that was killed
        link = _bound(self._path)
        try:
            return await asyncio.start_unix_server(self._served, sock=link)
        except BaseException:
            link.close()
            place.unlink(missing_ok=True)
            raise

    async def _served(self, reading: asyncio.StreamReader, writing: asyncio.StreamWriter) -> None:
        with suppress(Exception):  # whoever asked does it itself then
            async with asyncio.timeout(BODY_PATIENCE):
                head = (await reading.readuntil(b"\n")).decode("ascii").split()
                size = int(head[3])
                raw = await reading.readexactly(size) if size <= MOST_SENT else b""
            memory = self._memory()
            if memory is not None and len(raw) == size:
                done = self._workers.submit(lambda: _done(memory, head, raw))
                answer = await asyncio.wrap_future(done)
                writing.write(DONE + answer)
                await writing.drain()
        writing.close()


def _done(memory: Helix, head: list[str], raw: bytes) -> bytes:
    what, name, agent, _ = head
    if what == "hook":
        from helix.doors.hooks.answering import answered

        text, _ = answered(memory, name, agent, raw)
        return json.dumps({"context": text}).encode()
    from helix.doors.heard import asked

    return json.dumps(asked(memory, raw)).encode()


def _bound(path: str) -> socket.socket:
    """Return a socket that nobody but its owner can open, from its first moment."""
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        link.bind(path)
    except OSError:
        link.close()
        raise
    finally:
        os.umask(before)
    return link
