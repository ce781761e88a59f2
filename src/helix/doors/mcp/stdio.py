"""The SDK's server on stdin and stdout, for a client whose first line was read already."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from helix.doors.mcp.lending import Lending
from helix.doors.mcp.mending import Mended
from helix.doors.mcp.replaying import KeptBack, Replayed

WATCHED_EVERY = 2.0
"""Seconds between two looks whether whoever started us is still there."""


def run(server: Server[Any], lending: Lending, parent: int, line: bytes, *, greeted: bool) -> None:
    """Serve until the client goes away; `line` was read from it, and perhaps answered."""
    asyncio.run(_served(server, lending, parent, line, greeted=greeted))


async def _served(
    server: Server[Any], lending: Lending, parent: int, line: bytes, *, greeted: bool
) -> None:
    watching = asyncio.create_task(_watched(parent))
    lent = asyncio.create_task(lending.keep())
    options = server.create_initialization_options()
    async with stdio_server() as (reading, writing):
        replayed = Replayed(line, reading)
        told = KeptBack(replayed.number, writing) if greeted else writing
        await server.run(Mended(replayed, told), told, options)
    watching.cancel()
    lent.cancel()
    lending.close()


async def _watched(parent: int) -> None:
    """End the process when its parent has: a client that was killed closes no pipe politely."""
    while os.getppid() == parent:
        await asyncio.sleep(WATCHED_EVERY)
    os._exit(0)
