"""Writing a memory out as Markdown, and taking edits back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from helix.app.facade import Helix
from helix.app.regular_files import opened, whole
from helix.app.whole_files import replace_whole
from helix.capture.admission import cleaning
from helix.model.errors import BadInput, Conflict, HelixError
from helix.model.memory import Memory
from helix.model.outcome import Joined, Kept, Skipped
from helix.portable import markdown
from helix.portable.comparing import (
    ADDED,
    CORRECTED,
    ELSEWHERE,
    LOOSE,
    UNKNOWN,
    UNTAKEN,
    Edit,
    Shown,
    edit_of,
    is_edited,
)
from helix.portable.knowing import Known, listed

LARGEST = 64 << 20
"""Bytes of a file that is taken back; it is read whole."""

HEAD = 64 << 10
"""Bytes in which the header of an export stands, behind what an editor put before it."""

EDITED = "edited"
"""Of a statement: it is the edit of a memory that is held here."""

NO_EXPORT = "it does not begin as an export does"
RENAMED = "it is called after no type of memory; give it back its name"
"""Why a file is not read."""


def as_it_is(text: str) -> str:
    """Return a text as it is held."""
    return text


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of an edit: taken back, held already in these words, or refused, and why."""

    edit: Edit
    state: str  # taken, held, refused
    memory_id: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a section of another memory says; `stands` is empty where that is news here.

    Else it is HELD, was so EARLIER, or is EDITED.
    """

    type: str
    title: str
    text: str
    stands: str


@dataclass(frozen=True, slots=True)
class Exported:
    """How many memories of each type were written, and how many are under suspicion."""

    counts: Mapping[str, int]
    left_out: int


def export(
    memory: Helix,
    folder: Path,
    shown: Shown = as_it_is,
    earlier: Sequence[Shown] = (),
    *,
    force: bool = False,
) -> Exported:
    """Write what is held in this scope, without episodes and without what is under suspicion.

    What stands in the folder and nowhere else is written over by `force` alone; see `edits`.

    The files lie in a repository, where agents read them that know no marks of ours: a heading
    that warns would not keep them from acting on what stands below. What is left out waits in
    review, and is written once a person has approved it.
    """
    held: dict[str, list[Memory]] = defaultdict(list)
    left_out = 0
    # What an older version let in must not leave by an export: today's rules read it once more,
    # for secrets here, for orders where it is listed.
    clean = cleaning(memory.context.gates)
    for each in listed(memory):
        if each.belief.suspicion is not None:
            left_out += 1
        else:
            held[each.type].append(replace(each, content=shown(clean(each.content))))
    folder.mkdir(parents=True, exist_ok=True)
    for name in held:
        if (folder / f"{name}.md").exists() and not _is_ours(folder / f"{name}.md"):
            raise Conflict(
                f"{name}.md is there already and was not written by an export",
                code="not_an_export",
                remedy="name another folder, or move that file out of the way",
            )
    ours = _files(memory, folder)
    if not force:
        _check_on_record(memory, folder, (shown, *earlier))
    for stale in ours:
        if stale.stem not in held:
            stale.unlink()
    for name, memories in held.items():
        path = folder / f"{name}.md"
        # What an editor put before the header is the user's, and stays.
        front = markdown.front(_head(path)) if path in ours else ""
        raw = (front + markdown.written(name, memories)).encode()
        if not _holds(path, raw):
            # Half of one would come back as corrections.
            replace_whole(path, raw)
    counts = {name: len(memories) for name, memories in sorted(held.items())}
    return Exported(counts, left_out)


def edits(
    memory: Helix, folder: Path, shown: Shown = as_it_is, earlier: Sequence[Shown] = ()
) -> list[Edit]:
    """Return what was changed in the files since they were written; nothing is changed yet.

    `shown` is how the export writes them, `earlier` how other versions of Helix did.
    """
    known, ways = Known(memory), (shown, *earlier)
    found = []
    for path in _files(memory, folder):
        text = _merged(path)
        if words := markdown.loose(text):
            found.append(Edit(LOOSE, path.stem, "", words, path))
        sections = (edit_of(known, path, each, ways) for each in markdown.read(text))
        found += [each for each in sections if each is not None]
    return found


def is_export(path: Path) -> bool:
    """Return whether a file was written by an export, whatever it is called by now."""
    return _is_ours(path)


def statements(memory: Helix, path: Path, ways: Sequence[Shown]) -> list[Statement]:
    """Return what a file of another memory says, as what it is, without the frame."""
    known, text = Known(memory), _merged(path)
    types = {each.name for each in memory.context.schema}
    name = next((each for each in (path.stem, markdown.title(text)) if each in types), "")
    if not name:
        raise BadInput(f"{path.name} was exported, but is of no type that is known here")
    return [
        Statement(name, section.title, words, how)
        for section in markdown.read(text)
        if (words := markdown.words(section))
        for how in [
            known.stands(name, words) or (EDITED if is_edited(known, section, ways) else "")
        ]
    ]


def passed_over(memory: Helix, folder: Path) -> list[tuple[Path, str]]:
    """Return the Markdown files of a folder that `edits` does not read, each with the reason."""
    read = set(_files(memory, folder))
    others = [each for each in sorted(folder.iterdir()) if each.suffix.lower() == ".md"]
    return [(each, RENAMED if _is_ours(each) else NO_EXPORT) for each in others if each not in read]


def apply(memory: Helix, found: list[Edit]) -> list[Taken]:
    """Take edits back as corrections and statements; return each with how it turned out."""
    done = []
    for edit in found:
        try:
            if edit.kind == CORRECTED:
                done.append(
                    Taken(edit, "taken", memory.correct(edit.memory_id, edit.text).memory.id)
                )
            elif edit.kind == ADDED:
                done.append(_remembered(edit, memory.remember(edit.text, type=edit.type)))
        except HelixError as error:
            done.append(Taken(edit, "refused", why=error.message))
    return done


def _remembered(edit: Edit, outcome: Kept | Joined | Skipped) -> Taken:
    match outcome:
        case Kept():
            return Taken(edit, "taken", outcome.memory.id)
        case Joined():
            return Taken(edit, "held", outcome.memory.id)
        case Skipped():
            return Taken(edit, "refused", why=outcome.reason)


def _check_on_record(memory: Helix, folder: Path, ways: Sequence[Shown]) -> None:
    """Raise `Conflict` where the folder holds what this scope does not."""
    known, where = Known(memory), quote(str(folder))
    found = edits(memory, folder, ways[0], ways[1:])
    elsewhere = [each.path for each in found if each.kind in (UNKNOWN, ELSEWHERE)]
    elsewhere += [
        path
        for path in _files(memory, folder)
        for section in markdown.read(_text(path))
        if known.in_another_scope(section.title)
    ]
    if elsewhere:
        raise Conflict(
            f"{elsewhere[0].name} holds memories that {memory.scope} does not: it was written from"
            " another scope or store",
            code="another_export",
            remedy=f"name another folder, or take them in first: `helix import {where}`;"
            " --force writes over them",
        )
    untaken = [each.path for each in found if each.kind in UNTAKEN]
    if untaken:
        raise Conflict(
            f"{untaken[0].name} holds edits that were never taken back",
            code="not_taken_back",
            remedy=f"`helix import --markdown {where}` takes them back, or says why not;"
            " --force writes over them; or name another folder",
        )


def _files(memory: Helix, folder: Path) -> list[Path]:
    known = {each.name for each in memory.context.schema}
    return [each for each in sorted(folder.glob("*.md")) if each.stem in known and _is_ours(each)]


def _is_ours(path: Path) -> bool:
    return markdown.is_ours(_head(path))


def _head(path: Path) -> str:
    try:
        with opened(path) as file:
            return file.read(HEAD).decode("utf-8", "replace")
    except OSError:
        return ""


def _holds(path: Path, raw: bytes) -> bool:
    try:
        return whole(path, len(raw)) == raw
    except OSError:
        return False


def _merged(path: Path) -> str:
    text = _text(path)
    if markdown.is_unmerged(text):
        raise BadInput(
            f"{path.name} holds the marks of a merge that was not finished",
            code="unmerged_file",
            remedy="choose between the two sides (lines that begin with <<<<<<< and >>>>>>>);"
            " a backslash before such a line makes it text",
        )
    return text


def _text(path: Path) -> str:
    try:
        return whole(path, LARGEST).decode("utf-8")
    except OSError as error:
        raise BadInput(
            f"{path.name} cannot be read: {error.strerror or error}",
            code="unreadable_file",
            remedy="check it, or take it out of the folder",
        ) from None
    except UnicodeDecodeError:
        raise BadInput(
            f"{path.name} holds bytes that are not UTF-8 text",
            code="not_unicode",
            remedy="save it in UTF-8, or take it out of the folder",
        ) from None
