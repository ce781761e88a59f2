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
_ANY_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_COMMENTS = re.compile(r"(?:^[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z))+\Z", re.MULTILINE)


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


def server_table(text: str, container: str, name: str) -> object:
    """Return what stands in the table `[container.name]`, or None."""
    there = _toml(text).get(container)
    return there.get(name) if isinstance(there, dict) else None


def without_server_table(text: str, container: str, name: str) -> str:
    """Return the text without the table and the tables below it; the rest means what it meant.

    Raises `BadInput` where they cannot be told from what is around them.
    """
    whole = _toml(text)
    servers = whole.get(container)
    if not isinstance(servers, dict) or name not in servers:
        return text
    left = {key: value for key, value in servers.items() if key != name}
    wanted = {**whole, container: left}
    head = re.compile(rf"^[ \t]*\[{container}\.{name}(?:\.[^\]\n]*)?\]", re.MULTILINE)
    while found := head.search(text):
        text = _without_table(text, found.start())
    now = _toml(text)
    if {container: {}, **now} != wanted:
        raise _unknown(f"{container}.{name} is written in a way that cannot be taken out")
    return text


def _without_table(text: str, start: int) -> str:
    """Return the text without the table that begins at `start`."""
    body = text.find("\n", start) + 1 or len(text)
    ends = [each.start() for each in _ANY_TABLE.finditer(text, body)] + [len(text)]
    for end in ends:
        table = text[start:end]
        if not _is_toml(table):
            continue  # what looked like a table stands in a list or in a text
        # Comments right before the next table speak of that one.
        comments = _COMMENTS.search(table)
        tail = comments[0].lstrip("\r\n") if comments and "#" in comments[0] else ""
        before, after = text[:start], tail + text[end:]
        # The gap that was put before the table goes where nothing follows it.
        return before + after if after else re.sub(r"(?<=\n)\r?\n\Z", "", before)
    raise _unknown("a table does not end")


def _is_toml(text: str) -> bool:
    try:
        _toml(text)
    except BadInput:
        return False
    return True


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


def yaml_server(text: str, key: str, name: str) -> str:
    """Return the entry of the server in the list under `key`, or an empty text."""
    start = re.search(rf"^{key}:", text, re.MULTILINE)
    found = _entry(name).search(text, start.end()) if start else None
    return found[0] if found else ""


def without_yaml_server(text: str, key: str, name: str) -> str:
    """Return the text without the server, and without the key if nothing is left under it."""
    entry = yaml_server(text, key, name)
    if not entry:
        return text
    at = text.index(entry)
    text = text[:at] + text[at + len(entry) :]
    # What follows at the beginning of a line is the next key, unless it is an item of this one.
    return re.sub(rf"^{key}:[ ]*\r?\n(?=[^\s-]|\s*\Z)", "", text, count=1, flags=re.MULTILINE)


def _entry(name: str) -> re.Pattern[str]:
    item = rf"""^([ ]*)- name: (["']?){name}\2[ ]*(?:#[^\n]*)?\r?\n(?:\1  [^\n]*\n?)*"""
    return re.compile(item, re.MULTILINE)


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
