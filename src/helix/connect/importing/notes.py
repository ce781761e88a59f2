"""Markdown that people keep: rules for agents, decision records, notes.

A rules file becomes conventions, one for each point. A decision record becomes a decision,
or, if it was superseded or rejected, something that happened. Any other note becomes facts,
one for each section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from helix.connect.importing.pieces import Happened, IsSo, Piece, clipped, digest, moment
from helix.rules.secrets.cutting import Clean
from helix.rules.secrets.redacting import redacted

RULE_FILES = (
    "AGENTS.md", "CLAUDE.md", "GEMINI.md", ".cursorrules", ".windsurfrules",
    ".github/copilot-instructions.md",
)  # fmt: skip
SHORTEST = 15
SECTION = 1_200

_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_POINT = re.compile(r"^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_MARKED = re.compile(r"<!--.*?-->", re.DOTALL)
_STATUS = re.compile(r"^(?:[-*]\s*)?(?:\*\*)?status(?:\*\*)?\s*:?\s*(?:\*\*)?\s*:?\s*(.*)$", re.I)
_ENDED = re.compile(r"supersed|reject|deprecat|withdrawn|replaced", re.IGNORECASE)
_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")


class Section(NamedTuple):
    """A heading's path, where it stands, and the lines below it."""

    path: tuple[str, ...]
    line: int
    body: str


def rules(text: str, ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield the points of a rules file as conventions."""
    for section in sections(text):
        under = ": ".join(section.path[1:] or section.path)
        for line, point in _points(section):
            if len(point) >= SHORTEST:
                content = f"{under}: {point}" if under else point
                yield IsSo(clipped(content, SECTION, clean), "convention", f"{ref}:{line}")


def decision_record(text: str, ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield a decision record as a decision, or as what happened if it no longer holds."""
    parts = sections(text)
    title = parts[0].path[0] if parts and parts[0].path else ref.rsplit("/", 1)[-1]
    status = _status(text, parts)
    chosen = _section(parts, "decision") or _section(parts, "") or ""
    why = _section(parts, "context") or ""
    said = ". ".join(part for part in (title, clipped(chosen, 700, clean)) if part)
    if why:
        said += f"\nBecause: {clipped(why, 400, clean)}"
    day = _DATE.search(text[:2_000])
    since = moment(day[1]) if day else None
    if _ENDED.search(status):
        content = f"Decision record, {clipped(status, 100, clean)}: {said}"
        yield Happened(content, digest(ref, content), ref, since, tool="decision-record")
    else:
        yield IsSo(said, "decision", ref, since)


def notes(text: str, ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield the sections of a note as facts."""
    for section in sections(text):
        body = section.body.strip()
        if len(body) >= SHORTEST:
            head = ": ".join(section.path)
            content = f"{head}: {body}" if head else body
            yield IsSo(clipped(content, SECTION, clean), "fact", f"{ref}:{section.line}")


def is_decision_record(path: str, text: str) -> bool:
    """Return whether a file is one: by where it stands, or by what it says."""
    folder = re.search(r"(?:^|/)(?:adrs?|decisions|decision-records|architecture-decisions)/", path)
    # An index of records is none.
    named = re.match(r"(?:adr[-_]?)?\d+", path.rsplit("/", 1)[-1], re.IGNORECASE)
    return bool(named and (folder or re.search(r"^#+\s*Decision\b", text, re.I | re.M)))


def sections(text: str) -> list[Section]:
    """Return a text cut at its headings; what stands in fences and comments is no heading."""
    text = _FRONT.sub(lambda match: "\n" * match[0].count("\n"), text.replace("\r\n", "\n"))
    text = _MARKED.sub(lambda match: "\n" * match[0].count("\n"), text)
    found: list[Section] = []
    path: list[tuple[int, str]] = []
    lines: list[str] = []
    start, fenced = 1, False
    for number, line in enumerate(text.split("\n"), start=1):
        if _FENCE.match(line):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        if any(each.strip() for each in lines) or path:
            found.append(Section(tuple(each for _, each in path), start, "\n".join(lines)))
        level = len(heading[1])
        path = [each for each in path if each[0] < level] + [(level, heading[2].strip())]
        lines, start = [], number
    found.append(Section(tuple(each for _, each in path), start, "\n".join(lines)))
    return found


def _points(section: Section) -> Iterator[tuple[int, str]]:
    """Yield the points of a section; a section without points is one, by paragraph."""
    point: list[str] = []
    start, fenced = section.line, False
    for number, line in enumerate(section.body.split("\n"), start=section.line + 1):
        if _FENCE.match(line):
            fenced = not fenced
        begins = None if fenced else _POINT.match(line)
        if begins is not None and (len(begins[1]) < 2 or not point):  # noqa: PLR2004
            if point:
                yield start, " ".join(point)
            point, start = [begins[2].strip()], number
        elif line.strip():
            point.append(line.strip())
            start = start if len(point) > 1 else number
        elif point and not fenced:
            yield start, " ".join(point)
            point = []
    if point:
        yield start, " ".join(point)


def _status(text: str, parts: list[Section]) -> str:
    named = _section(parts, "status")
    if named:
        return named.strip().split("\n")[0]
    for line in text.split("\n")[:40]:
        found = _STATUS.match(line.strip())
        if found:
            return found[1]
    return ""


def _section(parts: list[Section], name: str) -> str:
    for part in parts:
        last = part.path[-1].lower() if part.path else ""
        if (name and last.startswith(name)) or (not name and part.body.strip()):
            return part.body.strip()
    return ""
