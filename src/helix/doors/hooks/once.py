"""Keeping what a hook saw, unless an import of the session has brought it already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix.connect.importing.knowing import OWN, event_id, in_project, names, only_waits
from helix.connect.importing.witnessed import ASKED, ENDED, said_key, used, used_key
from helix.rules.influence import IMPORTER

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.model.memory import Memory

MOST_REPEATS = 50
"""Times that the same words of a session are counted; further ones are kept without an id."""

KNOWN = ""
"""Instead of an id: an import has brought it."""


def keep_use(
    memory: Helix, session: str, use: str, content: str, *,
    tool: str, exit_status: int | None, files: Sequence[str],
) -> None:  # fmt: skip
    """Keep what a tool did, under the agent's id of that use, if there is one."""
    realm = memory.context.realm
    if use and session:
        held = in_project(memory, names([used_key(session, use)], realm))
        if held is not None and _was_imported(held):
            return
    memory.capture(
        content, session=session, tool=tool, exit_status=exit_status, files=files,
        event_id=used(session, use) if use else None,
    )  # fmt: skip


def keep_asked(memory: Helix, session: str, words: str, content: str) -> None:
    """Keep what the user asked; the same words again in a session are kept again."""
    event = _event(memory, session, ASKED, words)
    if event != KNOWN:
        memory.hearing().capture(content, session=session, tool="prompt", event_id=event)


def keep_ended(memory: Helix, session: str, words: str, content: str) -> None:
    """Keep the last words of a turn, likewise."""
    event = _event(memory, session, ENDED, words)
    if event != KNOWN:
        memory.capture(content, session=session, tool="turn", event_id=event)


def _event(memory: Helix, session: str, kind: str, words: str) -> str | None:
    """Return the id for words that are said now, None for any, or `KNOWN`."""
    for before in range(MOST_REPEATS if session else 0):
        event = event_id(said_key(session, kind, words, before), memory.context.realm)
        held = memory.by_event(event)
        if held is not None and only_waits(held):
            # A copy that somebody sent answers nobody, and must not keep this one out.
            event += OWN
            held = memory.by_event(event)
        if held is None:
            return event
        if _was_imported(held):
            return KNOWN
    return None


def _was_imported(memory: Memory) -> bool:
    around = memory.circumstances
    imported = around is not None and around.agent.startswith(IMPORTER)
    return imported and not only_waits(memory)
