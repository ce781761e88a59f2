"""Writing a memory out as Markdown, and taking edits back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from helix.app.facade import Helix
from helix.app.regular_files import opened, whole
from helix.app.whole_files import replace_whole
from helix.capture.admission import cleaning
from helix.model.errors import BadInput, Conflict, HelixError
from helix.model.memory import Memory
from helix.model.outcome import Joined, Kept, Skipped
from helix.portable import markdown
from helix.portable.comparing import ADDED, CORRECTED, LOOSE, Edit, Shown, edit_of
from helix.portable.knowing import Known, listed

LARGEST = 64 << 20
"""Bytes of a file that is taken back; it is read whole."""

HEAD = 64 << 10
"""Bytes in which the header of an export stands, behind what an editor put before it."""


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
class Exported:
    """How many memories of each type were written, and how many are under suspicion."""

    counts: Mapping[str, int]
    left_out: int


def export(memory: Helix, folder: Path, shown: Shown = as_it_is) -> Exported:
    """Write what is held in this scope, without episodes and without what is under suspicion.

    The files lie in a repository, where agents read them that know no marks of ours: a heading
    that warns would not keep them from acting on what stands below. What is left out waits in
    review, and is written once a person has approved it.
    """
    held: dict[str, list[Memory]] = defaultdict(list)
    left_out = 0
    # What an older version let in must not leave by an export: today's rules read it once more.
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
    for stale in folder.glob("*.md"):
        if stale.stem not in held and _is_ours(stale):
            stale.unlink()
    for name, memories in held.items():
        raw = markdown.written(name, memories).encode()
        path = folder / f"{name}.md"
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


def _files(memory: Helix, folder: Path) -> list[Path]:
    known = {each.name for each in memory.context.schema}
    return [each for each in sorted(folder.glob("*.md")) if each.stem in known and _is_ours(each)]


def _is_ours(path: Path) -> bool:
    try:
        with opened(path) as file:
            return markdown.is_ours(file.read(HEAD).decode("utf-8", "replace"))
    except OSError:
        return False


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
