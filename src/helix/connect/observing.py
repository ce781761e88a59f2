"""What a tool did, distilled: commands, how they ended, files and errors. Pure.

The ledger holds observations, not transcripts. What only looked around and went well is
not kept; what changed something is kept in a line; what failed is kept with the end of
what it said, which is where the reason stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from helix.connect.shells import UNTOLD

OWN_TOOLS = "helix"
ENDS_AT = 1_200
"""Letters of a failure's output that are kept: its end."""

GIST = 300
COMMAND = 2_000
PROMPT = 4_000
MOST_NAMED = 5
"""Files of a patch that its line names; all of them are kept beside it."""

_SHELLS = frozenset(
    {"bash", "shell", "run_shell_command", "exec", "local_shell", "terminal", "shell_command",
     "exec_command"}
)  # fmt: skip
_WRITERS = frozenset(
    {"edit", "write", "multiedit", "notebookedit", "write_file", "replace", "apply_patch"}
)
_LOOKING = re.compile(
    r"^\s*(?:cd|ls|pwd|cat|head|tail|less|grep|rg|find|fd|echo|printf|which|type|wc|tree|file|"
    r"stat|du|df|date|whoami|env|ps|sed -n|"
    r"git (?:status|diff|log|show|branch|remote|blame|rev-parse))\b[^|>;&]*$"
)
_EXIT = re.compile(
    r"(?:exit(?:ed)?(?: with)?(?: code| status)?|code)[:= ]+(-?\d{1,3})", re.IGNORECASE
)
_PATHS = ("file_path", "path", "notebook_path", "absolute_path")
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)


class Observation(NamedTuple):
    """Something worth keeping."""

    content: str
    tool: str
    exit_status: int | None = None
    files: tuple[str, ...] = ()


def observed(said: Mapping[str, object], *, failed: bool) -> Observation | None:
    """Return what a tool did, or None if it is not worth keeping."""
    tool = _text(said.get("tool_name"))
    asked = _table(said.get("tool_input"))
    answered = said.get("tool_response", said.get("tool_output"))
    if not tool or OWN_TOOLS in tool.lower():
        return None
    name = tool.lower().rsplit("__", 1)[-1]
    error = _text(said.get("error")) or _error_in(answered)
    failed = failed or bool(error)
    files = tuple(_text(asked[key]) for key in _PATHS if _text(asked.get(key)))
    if name == "apply_patch":
        patch = "\n".join(_text(asked.get(key)) for key in ("command", "input", "patch"))
        files = tuple(dict.fromkeys(each.strip() for each in _PATCHED.findall(patch)))
    if name in _SHELLS:
        seen = _command(tool, asked, answered, error, failed=failed)
        untold = seen is not None and not seen.exit_status and said.get(UNTOLD) is True
        return seen._replace(exit_status=None) if seen is not None and untold else seen
    if failed:
        what = _gist(json.dumps(asked, ensure_ascii=False), GIST)
        return Observation(f"{tool} failed on {what}: {_end(error)}", tool, 1, files)
    if name in _WRITERS and files:
        several = ", ".join(files[:MOST_NAMED])
        return Observation(f"{_verb(name)} {several}{_change(asked)}", tool, 0, files)
    return None


def _command(
    tool: str, asked: Mapping[str, object], answered: object, error: str, *, failed: bool
) -> Observation | None:
    given = asked.get("command") or asked.get("cmd")
    command = _text(given) or " ".join(_texts(given))
    command = command.strip()[:COMMAND]
    out = _output(answered)
    status = _status(answered, error if failed else "")
    failed = failed or bool(status)
    if not command or (not failed and _LOOKING.match(command)):
        return None
    why = _text(asked.get("description"))
    lines = [f"$ {command}"]
    if why:
        lines.insert(0, _gist(why, GIST))
    if failed:
        lines.append(_end(error or out) or "It failed and said nothing.")
    elif out.strip():
        lines.append(_gist(out.strip().splitlines()[-1], GIST))
    return Observation("\n".join(lines), tool, status if status is not None else int(failed))


def _status(answered: object, error: str) -> int | None:
    table = _table(answered)
    for key in ("exit_code", "exitCode", "returnCodeInterpretation", "exit_status"):
        value = table.get(key)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    found = _EXIT.search(error[:200])
    return int(found[1]) if found else None


def _output(answered: object) -> str:
    table = _table(answered)
    parts = [_text(table.get(key)) for key in ("stdout", "stderr", "output", "llmContent")]
    return "\n".join(part for part in parts if part) or _text(answered)


def _error_in(answered: object) -> str:
    table = _table(answered)
    error = table.get("error")
    if isinstance(error, str):
        return error
    if isinstance(error, dict):
        return _text(error.get("message"))
    return _output(answered) if table.get("is_error") is True else ""


def _change(asked: Mapping[str, object]) -> str:
    new = _text(asked.get("new_string")).strip()
    return f": {_gist(new, 200)}" if new else ""


def _verb(name: str) -> str:
    return "Wrote" if name.startswith("write") else "Edited"


def _end(text: str) -> str:
    text = text.strip()
    return text if len(text) <= ENDS_AT else "… " + text[-ENDS_AT:].lstrip()


def _gist(text: str, letters: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= letters else line[: letters - 1].rstrip() + "…"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
