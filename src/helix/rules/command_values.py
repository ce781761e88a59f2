"""Which parts of a command are values: what another run of the same thing may have otherwise.

A command is gathered with others by what remains without them. Some differ by nature and say
nothing (hashes, moments, process numbers, temporary paths); a host, a port or a count makes
it another command, until enough runs show that it is a place to fill.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

GAP = "\u2026"
"""What stands for a value where commands are compared."""

_VALUE = re.compile(
    r"(?P<quoted>\"[^\"]*\"|'[^']*')"
    r"|(?P<temporary>(?<![\w.])(?:/tmp|/var/folders)/[^\s\"']+)"
    r"|(?P<moment>(?<!\w)(?:(?:19|20)\d\d-?[01]\d-?[0-3]\d"
    r"(?:[-_T ]?\d\d[:.-]?\d\d(?:[:.-]?\d\d)?Z?)?|1\d{9}(?:\d{3})?)(?!\w))"
    r"|(?P<hash>\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64})\b)"
    r"|(?P<number>(?<![\w.])\d[\d.]*\d(?!\w))",
    re.IGNORECASE,
)
_PASSING = {"temporary": "temporary path", "moment": "time", "hash": "hash"}
_PROCESS = re.compile(r"\bkill(?:\s+-\w+)*\s+(?:\d+\s+)*$|\bwait\s+$|--pid[=\s]+$")
_SCRIPT = re.compile(r"(?:^|\s)(?:-\w?[ce]|--(?:eval|exec|execute|command))[\s=]+$")
_FLAG = re.compile(r"(?:^|\s)--?([a-z][\w-]*)[=\s]+$|\b(\w+)=$", re.IGNORECASE)
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_SHORT = {"h": "host", "p": "port", "m": "message", "t": "title", "u": "user"}
"""What the usual flags of one letter mean."""


class Slot(NamedTuple):
    """A value in its place: where it stands, what it is, what to call the place."""

    start: int
    end: int
    value: str
    name: str
    passing: bool
    """Whether it differs from run to run by nature."""


def slots(command: str) -> tuple[Slot, ...]:
    """Return the values of a command, in order."""
    found = []
    for match in _VALUE.finditer(command):
        kind, value = str(match.lastgroup), match[0].strip("\"'")
        before = command[: match.start()]
        flag = _flag(before)
        if kind == "quoted" and (_SCRIPT.search(before) or (not flag and " " in value)):
            # What is handed over to be run is the step itself, and no value of it.
            continue
        process = kind == "number" and _PROCESS.search(before) is not None
        name = "pid" if process else _PASSING.get(kind) or _name(kind, flag, before, value)
        passing = process or kind in _PASSING
        found.append(Slot(match.start(), match.end(), value, name, passing))
    return tuple(found)


def form(command: str) -> str:
    """Return what a command has in common with itself in other values."""
    # A gap that somebody wrote is none: forms alike must have as many values.
    plain = filled(command.replace(GAP, "_"), slots(command), range(len(command)), GAP)
    return " ".join(plain.split())


def filled(command: str, places: tuple[Slot, ...], differing: Container[int], gap: str = "") -> str:
    """Return a command in which some of its values are left open, by their number."""
    parts = []
    read_to = 0
    for number, slot in enumerate(places):
        if number in differing:
            parts += [command[read_to : slot.start], gap or f"<{slot.name}>"]
            read_to = slot.end
    return "".join([*parts, command[read_to:]])


def _flag(before: str) -> str:
    """Return the flag or the variable whose value comes next, or ""."""
    match = _FLAG.search(before)
    return (match[1] or match[2]).lower() if match else ""


def _name(kind: str, flag: str, before: str, value: str) -> str:
    if len(flag) > 1:
        return flag.replace("_", "-")
    if flag in _SHORT and (kind == "number") == (flag == "p"):
        return _SHORT[flag]
    if kind == "quoted":
        return "text"
    if _ADDRESS.fullmatch(value):
        return "host"
    if "." in value:
        return "version"
    return "port" if before.endswith(":") else "number"
