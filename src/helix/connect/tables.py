"""TOML and YAML of agents: one table or one entry is added at the end of what is there. Pure.

Codex keeps its servers as TOML tables, which may stand anywhere, so one is appended.
Continue keeps a YAML list. Only its plainest form is added to, a list in block style under
a key at the beginning of a line; every other form is refused.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence

from helix.model.errors import BadInput

_NEXT_KEY = re.compile(r"^[^\s#-]", re.MULTILINE)
_ITEM = re.compile(r"^([ ]*)- ", re.MULTILINE)


def with_server_table(text: str, container: str, name: str, command: Sequence[str]) -> str:
    """Return the text with a table `[container.name]` that starts `command`."""
    there = _toml(text).get(container, {})
    ours = {"command": command[0], "args": list(command[1:])}
    if isinstance(there, dict) and there.get(name) == ours:
        return text
    if not isinstance(there, dict) or name in there:
        raise _in_the_way(f"{container}.{name}")
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    lines = [
        f"[{container}.{name}]",
        f"command = {json.dumps(ours['command'])}",
        f"args = {json.dumps(ours['args'])}",
        "",
    ]
    added = gap + newline.join(lines)
    then = _toml(text + added).get(container)
    if not isinstance(then, dict) or then.get(name) != ours:
        # Such as an inline table, to which nothing can be added.
        raise _in_the_way(f"{container}.{name}")
    return text + added


def without_server_table(text: str, container: str, name: str) -> str:
    """Return the text without the table: its head, and the keys right below it."""
    table = rf"(?:\r?\n)?^\[{container}\.{name}\][^\n]*\n?(?:^\w[^\n]*\n?)*"
    return re.sub(table, "", text, count=1, flags=re.MULTILINE)


def with_yaml_server(text: str, key: str, name: str, command: Sequence[str]) -> str:
    """Return the text with a server in the list under `key`."""
    newline = "\r\n" if "\r\n" in text else "\n"

    def entry(indent: str) -> str:
        lines = [
            f"{indent}- name: {name}",
            f"{indent}  command: {json.dumps(command[0])}",
            f"{indent}  args: {json.dumps(list(command[1:]))}",
        ]
        return newline.join(lines) + newline

    if "\t" in text or "---" in text.split("\n")[1:]:
        raise _unknown("it has tabs or several documents")
    start = re.search(rf"^{key}:(.*)$", text, re.MULTILINE)
    if start is None:
        if text.strip() and _NEXT_KEY.search(text) is None:
            raise _unknown("it has no key at the beginning of a line")
        gap = "" if not text or text.endswith("\n") else newline
        return f"{text}{gap}{key}:{newline}{entry('  ')}"
    if start[1].split("#")[0].strip():
        raise _unknown(f"{key} is not a list in block style")
    end = _NEXT_KEY.search(text, start.end())
    body = text[start.end() : end.start() if end else len(text)]
    if re.search(rf"^\s*-?\s*name:\s*[\"']?{name}[\"']?\s*$", body, re.MULTILINE):
        if entry("").split(newline)[1].strip() in body:
            return text
        raise _in_the_way(f"{key}: {name}")
    item = _ITEM.search(body)
    at = text.find("\n", start.end()) + 1 or len(text)
    gap = "" if text[:at].endswith("\n") else newline
    return text[:at] + gap + entry(item[1] if item else "  ") + text[at:]


def without_yaml_server(text: str, key: str, name: str) -> str:
    """Return the text without the server, and without the key if nothing is left under it."""
    entry = rf"^([ ]*)- name: {name}[ ]*\r?\n(?:\1  [^\n]*\n?)*"
    text = re.sub(entry, "", text, count=1, flags=re.MULTILINE)
    return re.sub(rf"^{key}:[ ]*\r?\n(?=\S|\s*\Z)", "", text, count=1, flags=re.MULTILINE)


def _toml(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _unknown(str(error)) from None


def _in_the_way(where: str) -> BadInput:
    return BadInput(
        f"{where}: something else stands there",
        code="already_configured",
        remedy="take it out by hand if it is an old one, then try again",
    )


def _unknown(why: str) -> BadInput:
    return BadInput(
        f"it cannot be added to: {why}",
        code="unknown_format",
        remedy="nothing was changed; correct the file, or add Helix by hand",
    )
