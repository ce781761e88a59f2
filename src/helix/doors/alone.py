"""Background work that one process does for all of them.

Every agent has a server of its own on the same store. If each embedded what waits, twenty of
them would do the same work twenty times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix.app.private_files import appended, private_folder
from helix.doors.resident import locked

if TYPE_CHECKING:
    from pathlib import Path

    from helix.app.facade import Helix

LOCK = "enriching.lock"


def enrich_alone(memory: Helix, home: Path) -> int | None:
    """Embed what waits, unless another process is at it; return how many, or None."""
    private_folder(home)
    with appended(home / LOCK) as file:
        return memory.upkeep.enrich() if locked(file) else None
