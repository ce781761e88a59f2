"""Serving one client over stdio, until it goes away: greet it, then load what serves it."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from helix.doors.mcp.greeting import first_line, greeting

if TYPE_CHECKING:
    from helix.app.facade import Helix


def serve_stdio(
    opened: Callable[[], Helix], store: Path, *, full: bool, started_in: Path | None
) -> None:
    """Serve the client at the other end of stdin and stdout; returns when it has gone.

    `store` is the file that `opened` will open. What sleep it began goes on by itself: the end
    of a session is when sleep is owed.
    """
    parent = os.getppid()  # asked before the import, during which it may go away
    line = first_line()
    answer = greeting(line)
    if answer is not None:
        # To the descriptor itself: nothing may wait in a buffer while the SDK loads.
        os.write(1, answer)
    # Importing the SDK makes half a million objects that stay: collecting on the way costs a
    # tenth of the start, and they need never be looked at again.
    gc.disable()
    from helix.app.wiring import settings
    from helix.doors.mcp.lending import Lending
    from helix.doors.mcp.server import Door
    from helix.doors.mcp.stdio import run
    from helix.doors.nights import Nights

    gc.freeze()
    gc.enable()
    nights = Nights(store, settings().sleep)
    door = Door(opened, full=full, started_in=started_in, nights=nights)
    try:
        lending = Lending(lambda: door.memory, store)
        run(door.server, lending, parent, line, greeted=answer is not None)
    finally:
        door.close()
    sys.stderr.flush()
    # Nothing is left to do, and a thread that waits for a lock must not keep the process.
    os._exit(0)
