"""`helix status`: what is held here, and where."""

from __future__ import annotations

from helix.doors import documents, reports
from helix.doors.cli.door import Answer, Door, command


@command("status", examples=["helix status", "helix status --scope global --json"])
def status_command(door: Door) -> Answer:
    """Show what is held here by scope, type and status, and where it lies."""
    store = str(door.store_path())
    with door.memory() as memory:
        holdings = memory.upkeep.status()
    return door.say(reports.status(holdings, store), documents.status(holdings, store))
