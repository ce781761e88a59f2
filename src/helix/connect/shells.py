"""How a command ended and what it printed, where an agent's shell answers in a text. Pure.

Codex puts the exit code above the output, Gemini CLI below it. Read from the agents' sources
in November 2026. Where a text tells no code, none is made up.
"""

from __future__ import annotations

import json
import re

UNTOLD = "status_untold"
"""Beside a tool's answer: the agent did not tell how the command ended, not even that it did."""

_CODEX = re.compile(
    r"\A(?:Exit code: |(?:(?!Output:)[^\n]*\n){0,9}?Process exited with code )(-?\d{1,10})\n"
    r"(?:(?!Output:)[^\n]*\n){0,9}Output:\n?"
)
_GEMINI = re.compile(r"\A(?:Command: .*?\n)?(?:Output|Stdout): ", re.DOTALL)
_BELOW = re.compile(r"(Stderr|Error|Exit Code|Signal|Background PIDs|Process Group PGID): (.*)")
_NOTHING = ("(none)", "(empty)")
_BY_SIGNAL = 128
"""Added to a signal's number where a command was ended by it, as shells do."""


def answered(told: object) -> object:
    """Return a shell's answer with its output and exit code, where the text tells one."""
    if isinstance(told, str):
        return _document(told) if told.startswith("{") else _codex(told)
    text = told.get("llmContent") if isinstance(told, dict) else None
    if isinstance(told, dict) and isinstance(text, str) and (head := _GEMINI.match(text)):
        error = {"error": told["error"]} if told.get("error") else {}
        return {**_gemini(text[head.end() :]), **error}
    return told


def tells_status(told: object) -> bool:
    """Return whether an answer, as `answered` returns it, holds an exit code."""
    return isinstance(told, dict) and isinstance(told.get("exit_code"), int)


def _document(text: str) -> object:
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return text
    about = told.get("metadata")
    status = about.get("exit_code") if isinstance(about, dict) else told.get("exit_code")
    return {**told, "exit_code": status}


def _codex(text: str) -> object:
    found = _CODEX.match(text)
    if found is None:
        return text
    return {"output": text[found.end() :], "exit_code": int(found[1])}


def _gemini(text: str) -> dict[str, object]:
    lines = text.split("\n")
    below: dict[str, str] = {}
    while len(lines) > 1 and (found := _BELOW.fullmatch(lines[-1])):
        below.setdefault(found[1], "" if found[2] in _NOTHING else found[2])
        lines.pop()
    printed = ["\n".join(lines), below.get("Stderr", "")]
    said: dict[str, object] = {
        "output": "\n".join(each for each in printed if each and each not in _NOTHING),
        "exit_code": _number(below.get("Exit Code", "")),
    }
    if signal := _number(below.get("Signal", "")):
        said["exit_code"] = said["exit_code"] or _BY_SIGNAL + signal
    if below.get("Error"):
        said["error"] = below["Error"]
    return said


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?\d{1,10}", text) else None
