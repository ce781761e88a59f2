"""What hooks and imports both see of a session: under ids by which it is kept once. Pure.

A tool's use has an id of the agent's. What somebody said has none that both are told, so it
goes by its words, and by how often they were said in the session before.
"""

from __future__ import annotations

from helix.connect.importing.pieces import digest
from helix.rules.echo import without_echo

ASKED, ENDED = "asked", "turn"

WORDS = 200
"""Letters by which words are told apart; hooks and imports cut at different lengths."""

_LONGEST = 300


def used(session: str, use: str) -> str:
    """Return the event id that a hook gives to the use of a tool."""
    return f"hook:{session}:{use}"[:_LONGEST]


def used_key(session: str, use: str) -> str:
    """Return the key that an import gives to it."""
    return digest(session, use)


def said_key(session: str, kind: str, words: str, before: int) -> str:
    """Return the key of words that were said `before` times in the session already."""
    told = " ".join(without_echo(words[: WORDS * 50]).split())[:WORDS]
    return f"said:{digest(session, kind, told, str(before))}"
