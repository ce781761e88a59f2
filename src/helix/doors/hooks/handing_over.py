"""Handing a hook over to a server that runs, if one does."""

from __future__ import annotations

import json

from helix.doors import resident


def handed_over(name: str, agent: str, raw: bytes) -> str | None:
    """Return what the server said, or None if there is none and nothing was done.

    It may take as long as it likes: the hook's own deadline counts.
    """
    body = resident.handed_over("hook", name, agent, raw)
    return None if body is None else str(json.loads(body).get("context") or "")
