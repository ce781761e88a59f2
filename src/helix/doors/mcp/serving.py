"""Serving one client over stdio, until it goes away."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from helix.app.facade import Helix

WATCHED_EVERY = 2.0
"""Seconds between two looks whether whoever started us is still there."""


def serve_stdio(
    opened: Callable[[], Helix], store: Path, *, full: bool, started_in: Path | None
) -> None:
    """Serve the client at the other end of stdin and stdout; returns when it has gone.

    What sleep it began goes on by itself: the end of a session is when sleep is owed.
    """
    parent = os.getppid()  # asked before the import, during which it may go away
    # Importing the SDK makes half a million objects that stay: collecting on the way costs a
    # tenth of the start, and they need never be looked at again.
    gc.disable()
    from helix.app.wiring import settings
    from helix.doors.mcp.server import Door
    from helix.doors.nights import Nights

    gc.freeze()
    gc.enable()
    nights = Nights(store, settings().sleep)
    door = Door(opened, full=full, started_in=started_in, nights=nights)
    try:
        asyncio.run(_served(door, parent))
    finally:
        door.close()
    sys.stderr.flush()
    # Nothing is left to do, and a thread that waits for a lock must not keep the process.
    os._exit(0)


async def _served(door: object, parent: int) -> None:
    from mcp.server.stdio import stdio_server

    from helix.doors.mcp.server import Door

    assert isinstance(door, Door)
    watching = asyncio.create_task(_watched(parent))
    server = door.server
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
    watching.cancel()


async def _watched(parent: int) -> None:
    """End the process when its parent has: a client that was killed closes no pipe politely."""
    while os.getppid() == parent:
        await asyncio.sleep(WATCHED_EVERY)
    os._exit(0)
