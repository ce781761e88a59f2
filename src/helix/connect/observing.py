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
from helix.rules.secrets.cutting import Clean, beginning, ending, gist, last_line
from helix.rules.secrets.redacting import redacted

OWN_TOOLS = "helix"
ENDS_AT = 1_200
"""Letters of a failure's output that are kept: its end."""

GIST = 300
CHANGE = 200
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


def observed(
    said: Mapping[str, object], *, failed: bool, clean: Clean = redacted
) -> Observation | None:
    """Return what a tool did, or None if it is not worth keeping.

    `clean` is what a text passes before it is cut; it is asked only for what is kept.
    """
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
        seen = _command(tool, asked, answered, error, failed=failed, clean=clean)
        untold = seen is not None and not seen.exit_status and said.get(UNTOLD) is True
        return seen._replace(exit_status=None) if seen is not None and untold else seen
    if failed:
        what = gist(json.dumps(asked, ensure_ascii=False), GIST, clean)
        why = ending(error, ENDS_AT, clean)
        return Observation(f"{tool} failed on {what}: {why}", tool, 1, files)
    if name in _WRITERS and files:
        several = ", ".join(files[:MOST_NAMED])
        return Observation(f"{_verb(name)} {several}{_change(asked, clean)}", tool, 0, files)
    return None


def _command(
    tool: str, asked: Mapping[str, object], answered: object, error: str, *,
    failed: bool, clean: Clean,
) -> Observation | None:  # fmt: skip
    given = asked.get("command") or asked.get("cmd")
    command = (_text(given) or " ".join(_texts(given))).strip()
    out = _output(answered)
    status = _status(answered, error if failed else "")
    failed = failed or bool(status)
    if not command or (not failed and _LOOKING.match(command)):
        return None
    why = _text(asked.get("description"))
    lines = [f"$ {beginning(command, COMMAND, clean)}"]
    if why:
        lines.insert(0, gist(why, GIST, clean))
    if failed:
        lines.append(ending(error or out, ENDS_AT, clean) or "It failed and said nothing.")
    elif out.strip():
        lines.append(last_line(out, GIST, clean))
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


def _change(asked: Mapping[str, object], clean: Clean) -> str:
    new = _text(asked.get("new_string")).strip()
    return f": {gist(new, CHANGE, clean)}" if new else ""


def _verb(name: str) -> str:
    return "Wrote" if name.startswith("write") else "Edited"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
