"""Trajectories of SWE-agent: each step with a command becomes an observation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from helix.connect.importing.pieces import Happened, Piece, Unreadable, clipped, digest
from helix.rules.secrets.cutting import Clean, ending, last_line
from helix.rules.secrets.redacting import redacted

_LOOKING = re.compile(r"^\s*(?:open|goto|scroll_\w+|search_\w+|find_file|ls|cat|cd|pwd)\b")
_FAILED = re.compile(r"Traceback|Error\b|error:|FAILED|not found|syntax error", re.IGNORECASE)
END = 600


def read(told: object, ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield the pieces of one trajectory."""
    if isinstance(told, dict) and isinstance(told.get("traj"), dict):
        ref = f"{ref}#{told.get('name', '')}"
        told = told["traj"]
    steps = told.get("trajectory") if isinstance(told, dict) else None
    if not isinstance(steps, list):
        yield Unreadable(ref, "no trajectory in it")
        return
    session = digest(ref)
    for number, step in enumerate(steps, start=1):
        piece = _step(step, ref, session, number, clean) if isinstance(step, dict) else None
        if piece is not None:
            yield piece


def _step(
    step: Mapping[str, object], ref: str, session: str, number: int, clean: Clean
) -> Happened | None:
    action, seen = _text(step.get("action")), _text(step.get("observation"))
    failed = bool(_FAILED.search(seen))
    if not action or (_LOOKING.match(action) and not failed):
        return None
    thought = _text(step.get("thought")).split("\n\n")[0]
    end = ending(seen, END, clean) if failed else last_line(seen, END, clean)
    did = f"$ {clipped(action, 1_000, clean)}"
    content = "\n".join(part for part in (clipped(thought, 400, clean), did, end) if part)
    return Happened(
        content, digest(ref, str(number)), f"{ref}:{number}", None, session, "swe-agent",
        1 if failed else 0, placed=True,
    )  # fmt: skip


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
