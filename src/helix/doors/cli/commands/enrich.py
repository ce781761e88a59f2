"""`helix enrich`: let what was captured be found by meaning as well."""

from __future__ import annotations

from helix.doors.cli.door import Answer, Door, command
from helix.doors.cli.progress import watched


@command("enrich", examples=["helix enrich", "helix enrich --json"])
def enrich_command(door: Door) -> Answer:
    """Embed every memory that waits for it, and note what it mentions.

    Without an embedder only mentions are noted; `helix doctor` says which one is in use.
    It may be stopped at any time and goes on where it was. A switch to another model that
    was begun is carried on as well.
    """
    from helix.app import switching

    with door.memory() as memory:
        with watched("Enriching", memory.upkeep.lag().memories) as progress:
            done = memory.upkeep.enrich(progress)
        found = switching.standing(memory.context)
        if found.coming:
            with watched(f"Switching to {found.coming}", found.waiting_for_coming) as progress:
                switching.carry_on(memory.context, progress)
        embedder = memory.context.embedder()
        scope = memory.scope
    with_what = embedder.name if embedder else "no embedder: words only"
    noun = "memory" if done == 1 else "memories"
    document: Answer = {
        "scope": scope, "enriched": done, "embedder": embedder.name if embedder else None,
    }  # fmt: skip
    return door.say(f"Enriched {done} {noun}, asked from {scope} ({with_what}).", document)
