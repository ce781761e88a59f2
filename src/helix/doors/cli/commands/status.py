"""`helix status`: what is held here, and where."""

from __future__ import annotations

from helix.doors import documents, lives, reports
from helix.doors.cli.door import Answer, Door, command


@command("status", examples=["helix status", "helix status --scope global --json"])
def status_command(door: Door) -> Answer:
    """Show what is held here by scope, type, status and tier, what is fading, and where it lies."""
    store = str(door.store_path())
    with door.memory() as memory:
        holdings = memory.upkeep.status()
        ages = memory.life.ages()
    text = "\n".join([reports.status(holdings, store), *lives.ages(ages)])
    return door.say(text, documents.status(holdings, store) | {"life": lives.ages_document(ages)})
