"""Which project a working folder belongs to.

The one place that turns a folder into a scope. First what the user says (environment, then
their own settings), then the git remote, then the repository's root, then `global`. Git's
files are read directly and git is never started: hooks must be fast, and git may be missing.

No file inside a working tree is ever asked. A hostile repository could otherwise claim to be
another project and read its memories. For the same reason a folder that merely looks like a
bare repository is not one: such a folder can be checked in, `.git` cannot. Who unpacks an
archive that brings its own `.git` trusts its remote, as git does with its hooks.

A `.git` in the home folder counts like any other.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from helix.app.git_config import remote_urls
from helix.app.remotes import LONGEST_ID, is_safe, normalise_remote
from helix.model.errors import BadInput
from helix.model.frozen import dataclass
from helix.model.scope import GLOBAL, PROJECT_PREFIX

VARIABLE = "HELIX_PROJECT"
_LARGEST_FILE = 1 << 20  # bytes; a git configuration is a few hundred
_ROOT_HASH = 8  # hex digits that keep two folders of one name apart
_ROOT_NAME = 60  # characters of the folder's name in front of them


@dataclass(frozen=True, slots=True)
class ResolvedScope:
    """A scope, one sentence on how it was found, and the working tree it was found in."""

    scope: str
    reason: str
    root: Path | None


@dataclass(frozen=True, slots=True)
class _Repository:
    tree: Path  # the folder that holds `.git`
    common: Path | None  # where configuration lives, shared by all worktrees; None: unreadable

    @property
    def home(self) -> Path:
        """The path that the main checkout and all its worktrees share."""
        if self.common is None:
            return self.tree
        return self.common.parent if self.common.name == ".git" else self.common


def resolve_scope(
    start: Path,
    environment: Mapping[str, str],
    projects: Mapping[Path, str] = MappingProxyType({}),
) -> ResolvedScope:
    """Return the scope of a folder, with the reason. Never fails because of what is on disk.

    `projects` are the user's own names for folders, by absolute path; the deepest folder
    wins. Worktrees and sub-folders share the scope of the main checkout, a submodule is a
    project of its own. Raises `BadInput` if `HELIX_PROJECT` or a name in `projects` cannot
    name a project; an empty `HELIX_PROJECT` counts as not set.
    """
    folder = _real(start)
    repository = _find_repository(folder) if folder else None
    if named := environment.get(VARIABLE, "").strip():
        root = repository.tree if repository else None
        return _explicit(named, f"the environment variable {VARIABLE}", root)
    if folder is None:
        return ResolvedScope(GLOBAL, "no project: the working folder cannot be read", None)
    if found := _named_in_settings(folder, repository, projects):
        return found
    return _of_repository(repository) if repository else _outside(folder)


def scope_without_remote(start: Path) -> tuple[str, Path] | None:
    """Return the scope a folder's repository has while it has no remote, and its root.

    What was remembered before a remote was added stands there.
    """
    folder = _real(start)
    repository = _find_repository(folder) if folder else None
    if repository is None:
        return None
    return PROJECT_PREFIX + _root_id(repository.home), repository.home


# --- what the user says -------------------------------------------------------------------


def _explicit(name: str, reason: str, root: Path | None) -> ResolvedScope:
    name = name.strip().removeprefix(PROJECT_PREFIX)
    if name.lower() == GLOBAL:
        return ResolvedScope(GLOBAL, reason, None)
    if not is_safe(name):
        # The value is not repeated: somebody may have put a URL with a password there.
        raise BadInput(
            f"the project name in {reason} cannot be used",
            code="unusable_project",
            remedy=f"use `global`, or a name of up to {LONGEST_ID} letters, digits and . _ - /",
        )
    return ResolvedScope(PROJECT_PREFIX + name, reason, root)


def _named_in_settings(
    folder: Path, repository: _Repository | None, projects: Mapping[Path, str]
) -> ResolvedScope | None:
    above = (folder, *folder.parents)
    names = {_real(root): name for root, name in projects.items() if root.is_absolute()}
    for place in _places(folder, repository) if names else ():
        if place in names:
            # A worktree elsewhere goes by the name of its main checkout, and has its own files.
            root = repository.tree if repository and place not in above else place
            return _explicit(names[place], f"the settings for {_shown(place)}", root)
    return None


def _places(folder: Path, repository: _Repository | None) -> Iterator[Path]:
    """Yield where the user may have named this folder, the most telling place first."""
    above = (folder, *folder.parents)
    if repository:
        yield from above[: above.index(repository.tree) + 1]
        yield from (repository.home, *repository.home.parents)
    yield from above


# --- what is on disk ----------------------------------------------------------------------


def _of_repository(repository: _Repository) -> ResolvedScope:
    tree, home = repository.tree, repository.home
    project_id, note = _remote_id(repository.common)
    if project_id is not None:
        return ResolvedScope(PROJECT_PREFIX + project_id, f"{note} of {_shown(tree)}", tree)
    reason = f"the repository root {_shown(home)} ({note})"
    return ResolvedScope(PROJECT_PREFIX + _root_id(home), reason, tree)


def _remote_id(common: Path | None) -> tuple[str | None, str]:
    """Return the id a repository's remote gives it, and which remote, or why there is none."""
    config = _text(common / "config") if common else None
    if config is None:
        return None, "its .git cannot be read"
    urls = remote_urls(config)
    if not urls:
        return None, "it has no remote"
    name = "origin" if "origin" in urls else min(urls)
    note = f"git remote {_printable(name)}"
    found = normalise_remote(urls[name])
    return found, note if found else f"{note} is not a network address"


def _root_id(root: Path) -> str:
    digest = hashlib.sha256(os.fsencode(os.path.normcase(root))).hexdigest()[:_ROOT_HASH]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", root.name.removesuffix(".git")).strip(".-")
    return f"{name[:_ROOT_NAME] or 'project'}-{digest}"


def _outside(folder: Path) -> ResolvedScope:
    bare = _text(folder / "HEAD") is not None and _is_folder(folder / "objects")
    what = "a bare repository has no working tree" if bare else "no .git here or above"
    return ResolvedScope(GLOBAL, f"no project: {what} ({_shown(folder)})", None)


def _find_repository(folder: Path) -> _Repository | None:
    for tree in (folder, *folder.parents):
        # Whatever is called .git marks a root, even a broken link: a damaged repository must
        # not dissolve into the project around it.
        if os.path.lexists(tree / ".git"):
            return _Repository(tree, _common_folder(tree))
    return None


def _common_folder(tree: Path) -> Path | None:
    """Return the git folder with the configuration: for a linked worktree, the main one's."""
    git = _real(tree / ".git")
    pointer = _text(tree / ".git")
    if pointer is not None:
        if not pointer.startswith("gitdir:"):
            return None
        git = _real(tree / pointer.removeprefix("gitdir:").strip())
    common = git and _text(git / "commondir")
    if git and common:
        git = _real(git / common.strip())
    return git if git and _is_folder(git) else None


def _real(path: Path) -> Path | None:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # deleted folder, loop of links, NUL
        return None


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 - unlike Path.is_dir, it never raises


def _text(path: Path) -> str | None:
    try:
        if not path.is_file():  # opening a pipe would hang the hook
            return None
        with path.open("rb") as file:
            return file.read(_LARGEST_FILE).decode("utf-8-sig", "surrogateescape")
    except (OSError, ValueError):
        return None


def _shown(path: Path) -> str:
    return _printable(str(path))


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)
