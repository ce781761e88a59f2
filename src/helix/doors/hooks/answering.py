"""A hook's work where a memory is open already: in a server, for a process that asked it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from helix.app.facade import Helix
from helix.doors.hooks.dialects import common
from helix.doors.hooks.events import NAMES, USUAL_AGENT, Event
from helix.doors.hooks.handing_over import RUNS_IN
from helix.doors.hooks.steps import taken
from helix.model.errors import BadInput


def answered(memory: Helix, name: str, agent: str, raw: bytes) -> tuple[str, Helix]:
    """Do what one event asks for; return what the agent should know, and where it was done."""
    try:
        said = json.loads(raw or b"{}")
    except (ValueError, RecursionError):
        raise BadInput(
            "the body is not JSON", code="not_json", remedy="send one JSON object"
        ) from None
    event = Event(NAMES[name], name, common(name, said if isinstance(said, dict) else {}))
    folder = event.text("cwd") or event.text(RUNS_IN)
    # Without a name it would be the owner who speaks, and what tools print would be their word.
    agent = agent or USUAL_AGENT
    seen = memory.seen_from(Path(folder) if folder else None, agent)
    # Words only, as in a process of its own: the same prompt gets the same answer.
    by_words = Helix(replace(seen.context, embedder=lambda: None))
    return "".join(taken(event, agent, lambda: by_words)), by_words
