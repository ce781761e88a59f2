"""Whose words a conclusion repeats: where these may not be told, neither may it.

A rule or a procedure stands on many who say the same. An account of what happened and an
insight into what keeps changing repeat somebody's sentence, and say nothing without it.
"""

from __future__ import annotations

from helix.model.memory import Memory
from helix.rules.concluded import is_concluded, is_summary

CHANGES = "changes:"
"""How the subject of an insight begins that quotes what keeps changing."""
ASKED_OF_CHANGES = "What does not last? "
QUOTES, LENGTHS = "quotes", "lengths"
"""The attributes of a summary that say where its sentences were captured, and how long each is."""


def quoted_memory(memory: Memory) -> str:
    """Return the id of the statement that an insight quotes, or ""."""
    if not is_concluded(memory):
        return ""
    if not str(memory.attributes.get("subject", "")).startswith(CHANGES):
        return ""
    return str(memory.attributes.get("question", "")).removeprefix(ASKED_OF_CHANGES)


def quoted_positions(memory: Memory) -> tuple[int, ...]:
    """Return where a summary's words were captured; of a model's words, wherever it may be from."""
    if not is_summary(memory):
        return ()
    noted = memory.attributes.get(QUOTES)
    if isinstance(noted, list | tuple):
        return tuple(each for each in noted if isinstance(each, int))
    return tuple(each.position for each in memory.belief.provenance)
