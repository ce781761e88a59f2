"""Where agents and people keep things that belong to a project. Looks, and takes nothing in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from helix.connect.importing import git, notes
from helix.connect.importing.detecting import files

ADR_FOLDERS = (
    "docs/adr",
    "docs/adrs",
    "adr",
    "docs/decisions",
    "doc/adr",
    "docs/architecture/decisions",
)
CODEX_HEAD = 4_096


@dataclass(frozen=True, slots=True)
class Source:
    """Something that can be imported: what it is, and the files or the folder."""

    kind: str
    says: str
    paths: tuple[Path, ...]


def sources(project: Path, home: Path) -> list[Source]:
    """Return what is there for a project, the most telling first."""
    found = [
        Source("rules", "rules for agents", tuple(_rules(project))),
        Source("decisions", "decision records", tuple(_in(project, ADR_FOLDERS))),
        Source("claude-code", "sessions of Claude Code", tuple(_claude(project, home))),
        Source("codex", "sessions of Codex CLI", tuple(_codex(project, home))),
        Source("specstory", "histories of SpecStory", tuple(_in(project, [".specstory/history"]))),
        Source("git", "git history", (project,) if _is_kept_in_git(project) else ()),
    ]
    return [each for each in found if each.paths]


def _is_kept_in_git(project: Path) -> bool:
    return (project / ".git").exists() and git.has_history(project)


def _rules(project: Path) -> Iterator[Path]:
    yield from (project / each for each in notes.RULE_FILES if (project / each).is_file())
    folder = project / ".cursor" / "rules"
    if folder.is_dir():
        yield from (each for each in sorted(folder.glob("*.mdc")) if each.is_file())


def _in(project: Path, folders: tuple[str, ...] | list[str]) -> Iterator[Path]:
    for folder in folders:
        if (project / folder).is_dir():
            yield from files(project / folder)


def _claude(project: Path, home: Path) -> Iterator[Path]:
    # Claude Code names a project's folder after its path.
    name = re.sub(r"[^A-Za-z0-9]", "-", str(project))
    folder = home / ".claude" / "projects" / name
    if folder.is_dir():
        yield from (each for each in sorted(folder.glob("*.jsonl")) if each.is_file())


def _codex(project: Path, home: Path) -> Iterator[Path]:
    folder = home / ".codex" / "sessions"
    for path in sorted(folder.rglob("rollout-*.jsonl")) if folder.is_dir() else ():
        try:
            with path.open("rb") as file:
                head = file.read(CODEX_HEAD)
        except OSError:
            continue
        if f'"cwd":"{project}"'.encode() in head.replace(b'": "', b'":"'):
            yield path


def is_own(path: Path, project: Path | None, home: Path) -> bool:
    """Return whether a path is the user's own: in the project, or written by the user's agents.

    Links are followed first: a link in the project does not make a foreign file the user's.
    """
    whole = path.resolve()
    own = [home / ".claude", home / ".codex", *([project] if project else [])]
    return any(whole.is_relative_to(each.resolve()) for each in own)
