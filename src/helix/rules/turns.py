"""Reading an episode: who speaks, what of it is prose, and in which sentences.

Transcripts carry much that nobody said: code, diffs, tool output, markup a harness wrapped
around a message, and memories that Helix itself had put in front of the agent. None of that
is read as news.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from helix.model.memory import Memory
from helix.model.provenance import HEARD, Origin

USER, ASSISTANT, TOOL, HISTORY = "user", "assistant", "tool", "history"

LETTERS_READ = 4_000
"""Of a longer text only the beginning is read: nobody states a rule on the third page of a log."""

_ROLE = re.compile(r"^\s*(user|human|assistant|agent|ai)\s*:\s*", re.IGNORECASE)
_ASKED = re.compile(r"^The user asked: ")
_PROMPT = "prompt"
"""What hooks and importers write of a prompt: how it begins, and what they call it."""
_USERS = frozenset(("user", "human"))
_HISTORY_TOOLS = frozenset(("git", "git-commit", "commit"))
_FENCED = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_ECHO = re.compile(r"<helix[\w-]*\b.*?(?:</helix[\w-]*>|\Z)", re.DOTALL | re.IGNORECASE)
_MARKUP = re.compile(r"<([a-z][\w-]*)\b[^<>]*>.*?</\1>|</?[a-z][^<>]{0,200}>", re.DOTALL)
_UNSAID = re.compile(r"^\s*(?:[>|+@#]|[-+]{2,}|\u2502|\u258f|- \[[ x]\]|\d+[:|]).*$", re.MULTILINE)
_BREAK = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'`(0-9])|\n+|\s+[\u2014\u2013]\s+|;\s+")
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s+")


class Turn(NamedTuple):
    """An episode as it reads: who speaks, the prose of it, and whether it is a turn of talk."""

    memory: Memory
    role: str
    prose: str
    spoken: bool = True


def turn_of(memory: Memory) -> Turn:
    """Return an episode as a turn of talk or work.

    The role is what the door noted (`role` among the attributes), or how the text begins, as
    that of a prompt does. A role is a claim about who spoke, not about who vouches: origin
    stays what it is, and `is_heard` tells whose claim it is not.
    """
    head = memory.content[:LETTERS_READ]
    around = memory.circumstances
    tool = around.tool if around else ""
    noted = noted_role(memory)
    if noted:
        role = noted
        spoken = _ROLE.match(head)
        head = head[spoken.end() :] if spoken else head
    elif is_heard(memory) or (tool == _PROMPT and _ASKED.match(head)):
        return Turn(memory, USER, prose(_ASKED.sub("", head)))
    elif tool:
        role = HISTORY if tool.lower() in _HISTORY_TOOLS else TOOL
    else:
        role = USER if _origin(memory) is Origin.USER_ASSERTED else ""
    return Turn(memory, role, prose(head), bool(noted))


def is_heard(memory: Memory) -> bool:
    """Return whether a door itself heard the user say this; nobody only says so."""
    witnesses = memory.belief.provenance
    return bool(witnesses) and witnesses[0].source.extractor == HEARD


def noted_role(memory: Memory) -> str:
    """Return who spoke, as the door noted or as the text begins; "" if neither says."""
    noted = str(memory.attributes.get("role", "")).lower()
    if not noted:
        spoken = _ROLE.match(memory.content)
        noted = spoken[1].lower() if spoken else ""
    if not noted:
        return ""
    return USER if noted in _USERS else TOOL if noted == TOOL else ASSISTANT


@lru_cache(maxsize=131_072)  # every pass reads the same episodes
def prose(text: str) -> str:
    """Return a text without code, diffs, markup, quotations and Helix's own words."""
    text = _ECHO.sub("\n", text)
    if "`" in text or "~" in text:
        text = _FENCED.sub("\n", text)
    if "<" in text:
        text = _MARKUP.sub("\n", text)
    return _UNSAID.sub("", text).strip()


def sentences(text: str) -> list[str]:
    """Return the sentences of a prose, without bullets and outer space."""
    cut = (_BULLET.sub("", each).strip() for each in _BREAK.split(text))
    return [each for each in cut if each]


def _origin(memory: Memory) -> Origin:
    return memory.belief.provenance[0].source.origin
