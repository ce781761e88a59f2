"""Which project a working folder belongs to.

The one place that turns a folder into a scope. First what the user says (environment, then
their own settings), then the git remote, then the repository's root, then `global`. Git's
files are read directly and git is never started: hooks must be fast, and git may be missing.

No file inside a working tree is ever asked. A hostile repository could otherwise claim to be
another project and read its memories. For the same reason a folder that merely looks like a
bare repository is not one: such a folder can be checked in, `.git` cannot.

A `.git` in the home folder counts like any other. Included configuration files, `insteadOf`
rewrites and ssh host aliases are not followed: they differ between machines.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote, unquote_to_bytes

from helix.model.errors import BadInput
from helix.model.scope import GLOBAL, PROJECT_PREFIX

VARIABLE = "HELIX_PROJECT"
LONGEST_ID = 190
"""Characters of a project id; a scope has at most 200 with its prefix."""

_LARGEST_FILE = 1 << 20  # bytes; a git configuration is a few hundred
_ROOT_HASH = 8  # hex digits that keep two folders of one name apart
_ROOT_NAME = 60  # characters of the folder's name in front of them

_SAFE_ID = re.compile(r"(?!.*(?:^|/)\.{1,2}(?:/|$))[\w.~%+:-]+(?:/[\w.~%+:-]+)*", re.ASCII)


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
    return (
        _named_in_settings(folder, repository, projects)
        or (repository and _of_repository(repository))
        or _outside(folder)
    )


def normalise_remote(url: str) -> str | None:
    """Return a remote as `host/path`, the same for all its spellings; None if it has no name.

    None for local paths, which differ between machines, and for whatever is not plainly a
    network address. User names, passwords and tokens never survive: where they might hide
    in the path, the answer is None.
    """
    address = _address(url.strip())
    if address is None:
        return None
    authority, rest = address
    # A password with a bare "/", "?" or "#" ends the authority early; its "@" gives it away.
    host = None if "@" in rest else _host(authority.rpartition("@")[2])
    path = host and _path(re.split("[?#]", rest)[0], host.partition(":")[0])
    found = f"{host}/{path}"
    return found if path and _is_safe(found) else None


# --- what the user says -------------------------------------------------------------------


def _explicit(name: str, reason: str, root: Path | None) -> ResolvedScope:
    name = name.strip().removeprefix(PROJECT_PREFIX)
    if name.lower() == GLOBAL:
        return ResolvedScope(GLOBAL, reason, None)
    if not _is_safe(name):
        # The value is not repeated: somebody may have put a URL with a password there.
        raise BadInput(
            f"the project name in {reason} cannot be used",
            code="unusable_project",
            remedy=f"use `global`, or a name of up to {LONGEST_ID} letters, digits and . _ - /",
        )
    return ResolvedScope(PROJECT_PREFIX + name, reason, root)


def _is_safe(project_id: str) -> bool:
    return len(project_id) <= LONGEST_ID and _SAFE_ID.fullmatch(project_id) is not None


def _named_in_settings(
    folder: Path, repository: _Repository | None, projects: Mapping[Path, str]
) -> ResolvedScope | None:
    names = {_real(root): name for root, name in projects.items() if root.is_absolute()}
    for place in _places(folder, repository) if names else ():
        if place in names:
            # A worktree elsewhere goes by the name of its main checkout, and has its own files.
            away = repository is not None and not folder.is_relative_to(place)
            root = repository.tree if repository and away else place
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
    urls = _remote_urls(config)
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


# --- git's configuration ------------------------------------------------------------------

_SECTION = re.compile(r'[ \t\r]*\[[ \t]*([\w.-]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*+)")?[ \t]*\]')
_ENTRY = re.compile(
    r"[ \t\r]*([A-Za-z][\w-]*)[ \t]*=[ \t]*"
    r'((?:[^"\\\n#;]|\\(?:\r?\n|.)|"(?:[^"\\\n]|\\(?:\r?\n|.))*+"?)*+)'
)
_ESCAPED = re.compile(r'\\(\r?\n|.)|"')
_CONTROL = {"n": "\n", "t": "\t", "b": "\b", "\n": "", "\r\n": ""}


def _remote_urls(config: str) -> dict[str, str]:
    """Return the first url of each remote, which is the one git fetches from."""
    urls: dict[str, str] = {}
    remote: str | None = None
    at = 0
    while at < len(config):
        if section := _SECTION.match(config, at):
            remote = _unquoted(section[2] or "") if section[1].lower() == "remote" else None
            at = section.end()
        elif entry := _ENTRY.match(config, at):
            if remote and entry[1].lower() == "url":
                urls.setdefault(remote, _unquoted(entry[2].rstrip()))
            at = entry.end()
        else:
            at = config.find("\n", at) + 1 or len(config)
    return urls


def _unquoted(value: str) -> str:
    return _ESCAPED.sub(lambda match: _CONTROL.get(match[1], match[1]) if match[1] else "", value)


# --- remotes ------------------------------------------------------------------------------

_NETWORK = frozenset({"https", "http", "ssh", "git", "git+ssh", "ssh+git", "git+https", "git+http"})
_SHORT_FORM = re.compile(r"(?P<authority>[^/:]{2,}):(?!:)(?P<rest>.*)")
_HOST = re.compile(r"((?:[a-z0-9_-]+\.)*[a-z0-9_-]+)\.?(?::(\d{0,5}))?")
_TOKEN = re.compile(r"gh[a-z]_[A-Za-z0-9]{16}|github_pat_|glpat-|x-access-token|x-oauth-basic")

# One server answers https and ssh on different ports; the project is the same.
_DEFAULT_PORTS = frozenset({22, 80, 443, 9418})
_IGNORE_CASE = frozenset({"github.com", "gitlab.com", "bitbucket.org"})
# Documented second names for ssh through port 443.
_SAME_HOST = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}


def _address(url: str) -> tuple[str, str] | None:
    """Return authority and the rest of a network address, or None for a path or noise."""
    if not _is_plain(url):
        return None
    scheme, separator, rest = url.partition("://")
    if separator:
        end = re.search("[/?#]", rest)
        at = end.start() if end else len(rest)
        return (rest[:at], rest[at:]) if scheme.lower() in _NETWORK else None
    short = _SHORT_FORM.fullmatch(url)
    if short is None or short["authority"].lower() in _NETWORK:
        return None
    return short["authority"], short["rest"]


def _host(text: str) -> str | None:
    match = _HOST.fullmatch(text.lower())
    if match is None:
        return None
    name = _SAME_HOST.get(match[1], match[1])
    port = int(match[2] or 22)
    return name if port in _DEFAULT_PORTS else f"{name}:{port}"


def _path(encoded: str, host: str) -> str | None:
    plain = unquote_to_bytes(encoded).decode("utf-8", "replace")
    if not _is_plain(plain) or "@" in plain or _TOKEN.search(plain):
        return None
    plain = plain.lower() if host in _IGNORE_CASE else plain
    segments = [segment for segment in plain.split("/") if segment]
    while segments and segments[-1].endswith(".git"):
        last = segments.pop().removesuffix(".git")
        segments += [last] if last else []
    return "/".join(quote(segment, safe="+:") for segment in segments)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable() and "\\" not in text
