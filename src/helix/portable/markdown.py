"""Memories as Markdown: one file per type, one section per memory, stable from run to run. Pure.

Each section carries a digest of its text, so that an edit is told from a memory that has
changed since. Lines that could be taken for the frame, or for a merge that was not finished,
are escaped with a backslash.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from helix.model.memory import Memory
from helix.portable.cutting import HEADING, MARK, cut
from helix.rules.influence import is_users

HEADER = "<!-- helix-export 1 -->"
ADVICE = (
    "Written by `helix export --markdown`. Edit the text below a heading, or add a section of"
    " your own; `helix import --markdown` takes it back as a correction."
)
_FRAME = re.compile(r"^(?=\\*(?:## |<!-- helix|<<<<<<< |>>>>>>> ))", re.MULTILINE)
_ESCAPED = re.compile(r"^\\(?=\\*(?:## |<!-- helix|<<<<<<< |>>>>>>> ))", re.MULTILINE)
_ID = re.compile(r"mem_[a-z0-9_]+")
_TITLE = re.compile(r"^# .*$", re.MULTILINE)
_UNMERGED = re.compile(r"^(?:<<<<<<<|>>>>>>>) ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    """A section as it stands in a file; `digest` is empty for one that a person added."""

    title: str
    text: str
    digest: str = ""


def written(type_name: str, memories: Iterable[Memory]) -> str:
    """Return the file of one type."""
    parts = [HEADER, f"# {type_name.capitalize()}", ADVICE]
    for memory in sorted(memories, key=lambda each: each.id):
        mark = f"<!-- helix: {digest(memory.content)} {_about(memory)} -->"
        parts.append(f"## {memory.id}\n{mark}\n\n{_FRAME.sub(_backslash, memory.content.strip())}")
    return "\n\n".join(parts) + "\n"


def read(text: str) -> list[Section]:
    """Return the sections of a file."""
    return [_section(each) for each in cut(text).sections]


def is_ours(text: str) -> bool:
    """Return whether a file was written by an export, whatever an editor put before that."""
    return cut(text).before.lstrip().startswith(HEADER)


def title(text: str) -> str:
    """Return the type that a file says it is of."""
    found = _TITLE.search(cut(text).before)
    return found[0].removeprefix("# ").strip().lower() if found else ""


def front(text: str) -> str:
    """Return what an editor put before the header of a file."""
    return cut(text).front


def is_unmerged(text: str) -> bool:
    """Return whether a merge left its marks in a file: outside of what is as it was written."""
    parts = cut(text)
    edited = [each for each in parts.sections if not is_unedited(_section(each))]
    return any(_UNMERGED.search(each) for each in (parts.before, *edited))


def is_id(title: str) -> bool:
    """Return whether a heading is the id of a memory, and not words of a person."""
    return _ID.fullmatch(title) is not None


def is_unedited(section: Section) -> bool:
    """Return whether a section is as it was written."""
    return section.digest == digest(section.text)


def words(section: Section) -> str:
    """Return what a section says: its text, and before it the heading, where a person gave it.

    One line follows the heading after a colon, more of them after an empty line.
    """
    head, text = section.title, section.text
    if section.digest or is_id(head):
        return text
    if not text or not head or text.casefold().startswith(head.casefold()):
        return text or head
    return f"{head}\n\n{text}" if "\n" in text else f"{head.rstrip(':')}: {text}"


def loose(text: str) -> str:
    """Return the words of a file that stand in no section, in one line."""
    before = cut(text).before.strip().removeprefix(HEADER).strip()
    said = _TITLE.sub("", before, count=1)
    return " ".join(said.split()).replace(ADVICE, "").strip()


def digest(content: str) -> str:
    """Return what tells a text from an edited one."""
    return hashlib.sha256(content.strip().encode()).hexdigest()[:16]


def _section(part: str) -> Section:
    title, _, rest = part.removeprefix(HEADING).partition("\n")
    first, _, body = rest.lstrip("\n").partition("\n")
    mark = MARK.match(first.strip())
    body = body if mark else rest
    return Section(title.strip(), _ESCAPED.sub("", body).strip(), mark[1] if mark else "")


def _about(memory: Memory) -> str:
    said = is_users(memory)
    pinned = ", pinned" if memory.belief.pinned else ""
    return f"{'user-asserted' if said else 'agent-ingested'}, act {memory.belief.since}{pinned}"


def _backslash(_: re.Match[str]) -> str:
    return "\\"
