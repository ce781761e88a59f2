"""What Helix said itself, marked so that it is never taken for news.

Everything an agent is told stands in a fence. When the agent's words come back through
capture, the fence and what stands in it is taken out: otherwise a memory would confirm
itself by being read aloud.
"""

from __future__ import annotations

import re

NAME = "helix-memory"
OPENING = f"<{NAME}>"
CLOSING = f"</{NAME}>"

_ECHO = re.compile(rf"<{NAME}\b[^>]{{0,200}}>.*?(?:</{NAME}>|\Z)", re.DOTALL)
_FORGED = re.compile(rf"<(?=/?{NAME}\b)", re.IGNORECASE)


def fenced(text: str) -> str:
    """Return a text in the fence. What stands in it must have been through `unforged`."""
    return f"{OPENING}\n{text}\n{CLOSING}"


def unforged(text: str) -> str:
    """Return a text in which nothing looks like an end or a beginning of the fence."""
    return _FORGED.sub("&lt;", text)


def without_echo(text: str) -> str:
    """Return a text without what Helix had put into it."""
    if NAME not in text:
        return text
    return _ECHO.sub("", text)
