"""Handing a hook over to a server that runs, if one does."""

from __future__ import annotations

import json
import os

from helix.doors import resident

RUNS_IN = "helix_runs_in"
"""The key under which a server is told the folder a hook runs in; agents have none like it."""


def handed_over(name: str, agent: str, raw: bytes) -> str | None:
    """Return what the server said, or None if there is none and nothing was done.

    It may take as long as it likes: the hook's own deadline counts.
    """
    body = resident.handed_over("hook", name, agent, placed(raw))
    return None if body is None else str(json.loads(body).get("context") or "")


def placed(raw: bytes) -> bytes:
    """Return an event that also says where its hook runs, for one that names no folder.

    Written before the rest, which is not read: a hook has no time for that.
    """
    start, brace, rest = raw.partition(b"{")
    try:
        here = os.getcwd()  # noqa: PTH109 - spares a hook the import of pathlib
    except OSError:  # the folder is gone
        return raw
    if start.strip() or not brace:
        return raw
    comma = b"" if rest.lstrip().startswith(b"}") else b","
    return b"{" + json.dumps({RUNS_IN: here}).encode()[1:-1] + comma + rest
