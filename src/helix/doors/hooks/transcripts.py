"""The last words of a session, read from the end of an agent's transcript."""

from __future__ import annotations

import json
from pathlib import Path

from helix.rules.secrets.cutting import Clean, gist
from helix.rules.secrets.redacting import redacted

TAIL = 1 << 17
"""Bytes read from the end; a transcript may be many megabytes."""

WORDS = 600


def last_words(path: str, clean: Clean = redacted) -> str:
    """Return what the user last asked and the agent last said; empty if that cannot be told.

    `clean` is what they pass before they are cut.
    """
    user = agent = ""
    for line in _tail(path):
        role, text = _said(line)
        if role == "user" and text:
            user = text
        elif role == "assistant" and text:
            agent = text
    told = [
        f"{role}: {gist(text, WORDS, clean)}"
        for role, text in (("asked", user), ("at", agent))
        if text
    ]
    return "; ".join(told)


def _tail(path: str) -> list[str]:
    try:
        with Path(path).open("rb") as file:
            file.seek(0, 2)
            size = file.tell()
            file.seek(max(0, size - TAIL))
            lines = file.read(TAIL).decode("utf-8", "replace").split("\n")
    except (OSError, ValueError):
        return []
    return lines[1:] if size > TAIL else lines


def _said(line: str) -> tuple[str, str]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return "", ""
    message = told.get("message") if isinstance(told, dict) else None
    if not isinstance(message, dict):
        return "", ""
    content = message.get("content")
    if isinstance(content, list):
        texts = [each.get("text") for each in content if isinstance(each, dict)]
        content = "\n".join(text for text in texts if isinstance(text, str))
    role = message.get("role")
    if not isinstance(content, str) or not isinstance(role, str) or content.startswith("<"):
        return "", ""
    return role, content
