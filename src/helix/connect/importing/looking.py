"""Where agents and people keep things that belong to a project. Looks, and takes nothing in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
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


def sources(project: Path, home: Path, environment: Mapping[str, str] = os.environ) -> list[Source]:
    """Return what is there for a project, the most telling first."""
    claude, codex = _sessions(home, environment)
    found = [
        Source("rules", "rules for agents", tuple(_rules(project))),
        Source("decisions", "decision records", tuple(_in(project, ADR_FOLDERS))),
        Source("claude-code", "sessions of Claude Code", tuple(_claude(project, claude))),
        Source("codex", "sessions of Codex CLI", tuple(_codex(project, codex))),
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


def _sessions(home: Path, environment: Mapping[str, str]) -> tuple[Path, Path]:
    """Return where Claude Code and Codex keep their sessions."""
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    codex = Path(environment.get("CODEX_HOME") or home / ".codex")
    return claude / "projects", codex / "sessions"


def _claude(project: Path, sessions: Path) -> Iterator[Path]:
    # Claude Code names a project's folder after its path.
    folder = sessions / re.sub(r"[^A-Za-z0-9]", "-", str(project))
    if folder.is_dir():
        yield from (each for each in sorted(folder.glob("*.jsonl")) if each.is_file())


def _codex(project: Path, folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("rollout-*.jsonl")) if folder.is_dir() else ():
        try:
            with path.open("rb") as file:
                head = file.read(CODEX_HEAD)
        except OSError:
            continue
        if f'"cwd":"{project}"'.encode() in head.replace(b'": "', b'":"'):
            yield path


def is_own(
    path: Path, project: Path | None, home: Path, environment: Mapping[str, str] = os.environ
) -> bool:
    """Return whether a path is the user's own: in the project, or written by the user's agents.

    Links are followed first: a link in the project does not make a foreign file the user's.
    """
    whole = path.resolve()
    # A variable could name any folder: only the sessions in it are taken for the user's.
    told = _sessions(home, environment)
    own = [home / ".claude", home / ".codex", *told, *([project] if project else [])]
    return any(whole.is_relative_to(each.resolve()) for each in own)
