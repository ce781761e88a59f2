"""What a person changed in a section, as against what is held."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from helix.model.memory import Memory, Status
from helix.portable import markdown
from helix.portable.knowing import HELD, Known
from helix.rules.naming import fingerprint

Shown = Callable[[str], str]
"""How a text is written into a file; twice gives the same as once."""

CORRECTED, ADDED, OUTDATED = "corrected", "added", "outdated"
UNKNOWN, ELSEWHERE = "unknown", "elsewhere"
"""Of a memory that is not held here: edited, or as it was written."""
EMPTY, LOOSE = "empty", "loose"
"""A section whose text was taken out; words that stand in no section."""

UNTAKEN = frozenset({CORRECTED, ADDED, OUTDATED, EMPTY, LOOSE})
"""What stands in the file and nowhere else."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A change that somebody made in the files: what it does, to which memory.

    Of kind HELD or EARLIER it is none any more: what it says is on record already.
    """

    kind: str
    type: str
    memory_id: str
    text: str
    path: Path
    before: str = ""


def edit_of(
    known: Known, path: Path, section: markdown.Section, ways: Sequence[Shown]
) -> Edit | None:
    """Return what became of a section in a file; nothing if nobody touched it."""
    named = section.digest or markdown.is_id(section.title)
    held = known.by_id(section.title) if named else None
    if held is not None:
        kind, before = _of_held(known, held, section, ways), held.content
    elif named:
        kind, before = _of_unknown(known, path.stem, section), ""
    else:
        words = markdown.words(section)
        kind = words and (known.stands(path.stem, words) or ADDED)
        return Edit(kind, path.stem, "", words, path) if kind else None
    return Edit(kind, path.stem, section.title, section.text, path, before) if kind else None


def is_edited(known: Known, section: markdown.Section, ways: Sequence[Shown]) -> bool:
    """Return whether a section is that of a memory that is held here, with other words."""
    held = known.by_id(section.title)
    if held is None or markdown.is_unedited(section):
        return False
    return held.status is Status.ACTIVE and _fits(section, _written(known, held, ways))


def _of_held(known: Known, held: Memory, section: markdown.Section, ways: Sequence[Shown]) -> str:
    if markdown.is_unedited(section):
        return ELSEWHERE if _is_another(known, held, section, ways) else ""
    active = held.status is Status.ACTIVE
    if not section.text:
        return EMPTY if active else ""
    written = _written(known, held, ways)
    # Editors cut blanks at the end of lines: what says the same in the same words is no edit.
    if fingerprint("", section.text) in {fingerprint("", each) for each in written}:
        return HELD if active else ""
    if active and _fits(section, written):
        return CORRECTED
    return known.stands(held.type, section.text) or OUTDATED


def _written(known: Known, held: Memory, ways: Sequence[Shown]) -> list[str]:
    return [way(known.clean(held.content)) for way in ways]


def _fits(section: markdown.Section, written: Sequence[str]) -> bool:
    # Without its mark, a section is that of the memory it names: its words never change.
    return not section.digest or section.digest in {markdown.digest(each) for each in written}


def _is_another(
    known: Known, held: Memory, section: markdown.Section, ways: Sequence[Shown]
) -> bool:
    """Return whether another store gave the same id to other words."""
    if held.status in {Status.QUARANTINED, Status.REJECTED} or not section.text:
        return False
    # As it is shown today: an earlier version may have written the same words otherwise.
    now = {fingerprint("", each) for each in _written(known, held, ways)}
    if now & {fingerprint("", way(known.clean(section.text))) for way in ways}:
        return False
    return not known.stands(held.type, section.text)


def _of_unknown(known: Known, type_name: str, section: markdown.Section) -> str:
    unedited = markdown.is_unedited(section)
    if not section.text:
        return EMPTY
    if stands := known.stands(type_name, section.text):
        return "" if unedited else stands
    return ELSEWHERE if unedited else UNKNOWN
