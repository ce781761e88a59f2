"""The history of a repository: commits as episodes, choices as decisions, and who and where.

Read from `git log`, oldest first, as a stream. A revert is tied to what it takes back, and
a choice that was reverted is no decision. Nothing is fetched: what a partial clone lacks is
not read.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from helix.connect.importing.pieces import Happened, IsSo, Piece, Summed, clipped, moment
from helix.model.errors import BadInput
from helix.rules.counting import how_many
from helix.rules.secrets.cutting import Clean
from helix.rules.secrets.redacting import redacted

FIELD, RECORD, FILES = "\x1f", "\x1e", "\x1d"
FORMAT = f"%x1e%H{FIELD}%an{FIELD}%aI{FIELD}%s{FIELD}%b{FILES}".replace(FIELD, "%x1f").replace(
    FILES, "%x1d"
)
MOST_FILES = 50
HOT = 10
BODY = 1_200
LONGEST_FAULT = 2_000

_REVERTS = re.compile(r"This reverts commit ([0-9a-f]{7,40})")
_TRAILER = re.compile(r"^(?:[\w-]+-by|Change-Id): .*$\n?", re.MULTILINE)
_CHOICE = re.compile(
    r"\b(?:switch(?:ed)? (?:from|to)|replaced? .{1,60} (?:with|by)|migrated? (?:from|to)"
    r"|drop(?:ped)? (?:support|python|node)|deprecated?|adopt(?:ed)?|move(?:d)? (?:from|away)"
    r"|instead of|in favou?r of|no longer|now requires?|use .{1,40} instead)\b"
    r"|^\w+(?:\([^)]*\))?!:|BREAKING CHANGE",
    re.IGNORECASE,
)
_ROUTINE = re.compile(
    r"^(?:merge|bump|release|version|update (?:changelog|release notes|sponsors)|:\w+:|📝|⬆|🔖|👥)",
    re.IGNORECASE,
)


class Commit(NamedTuple):
    """One commit, as the log tells it."""

    sha: str
    author: str
    date: str
    subject: str
    body: str
    files: tuple[str, ...]


def commits(repository: Path) -> Iterator[Commit]:
    """Yield the commits of the checked-out branch, oldest first."""
    # Renames would be looked for in the files themselves, which a partial clone lacks.
    names = ("--name-only", "--no-renames", f"--pretty=format:{FORMAT}")
    with _git(repository, "log", "--reverse", "--no-merges", *names) as out:
        pending = ""
        while block := out.read(1 << 16):
            pending += block
            *whole, pending = pending.split(RECORD)
            yield from (_commit(each) for each in whole if each.strip())
        if pending.strip():
            yield _commit(pending)


def counted(repository: Path) -> int:
    """Return how many commits there are to read."""
    with _git(repository, "rev-list", "--count", "--no-merges", "HEAD") as out:
        return int(out.read() or 0)


def has_history(repository: Path) -> bool:
    """Return whether anything was committed that git lets us read."""
    try:
        with _git(repository, "rev-parse", "--verify", "--quiet", "HEAD") as out:
            out.read()
    except BadInput:
        return False
    return True


def reverted(repository: Path) -> set[str]:
    """Return the ids of the commits that later ones take back."""
    with _git(repository, "log", "--grep=This reverts commit", "--format=%b") as out:
        return {found[1] for line in out for found in [_REVERTS.search(line)] if found}


def pieces(
    history: Iterable[Commit], taken_back: set[str], ref: str, clean: Clean = redacted
) -> Iterator[Piece]:
    """Yield a history's pieces: each commit, the choices among them, and figures at the end."""
    files: Counter[str] = Counter()
    authors: Counter[str] = Counter()
    for commit in history:
        files.update(commit.files)
        authors[commit.author] += 1
        yield from _of(commit, taken_back, ref, clean)
    if files:
        hot = ", ".join(f"{name} ({number})" for name, number in files.most_common(HOT))
        yield Summed(f"The files that change most often here: {hot}", "git-hot-files", ref)
    if authors:
        who = ", ".join(
            f"{name} ({how_many(number, 'commit')})" for name, number in authors.most_common(HOT)
        )
        yield Summed(f"The main authors of this repository, by commits: {who}", "git-authors", ref)


def _of(commit: Commit, taken_back: set[str], ref: str, clean: Clean) -> Iterator[Piece]:
    told = _TRAILER.sub("", commit.body).strip()
    body = clipped(told, BODY, clean)
    content = f"{commit.subject}\n\n{body}" if body else commit.subject
    if not content.strip():
        return
    at = moment(commit.date)
    undoes = _REVERTS.search(commit.body)
    where = f"{ref}@{commit.sha[:12]}"
    yield Happened(
        f"{content}\n(commit {commit.sha[:12]} by {commit.author})", f"git:{commit.sha}", where, at,
        tool="git", files=commit.files[:MOST_FILES], undoes=f"git:{undoes[1]}" if undoes else "",
    )  # fmt: skip
    gone = any(commit.sha.startswith(each) for each in taken_back)
    if undoes or gone or _ROUTINE.match(commit.subject):
        return
    if _CHOICE.search(f"{commit.subject}\n{commit.body}"):
        because = told.split("\n\n")[0]
        said = f"{commit.subject}: {clipped(because, 400, clean)}" if because else commit.subject
        day = commit.date[:10]
        yield IsSo(f"{said} (commit {commit.sha[:12]}, {day})", "decision", where, at)


def _commit(record: str) -> Commit:
    head, _, names = record.partition(FILES)
    parts = head.split(FIELD, 4)
    parts += [""] * (5 - len(parts))
    files = tuple(line for line in names.split("\n") if line.strip())
    return Commit(parts[0].strip(), parts[1], parts[2], parts[3], parts[4].strip(), files)


@contextmanager
def _git(repository: Path, *arguments: str) -> Iterator[IO[str]]:
    """Give what git prints; raise `BadInput` with its own words if it fails in the end."""
    # What a repository's own configuration could make git run is switched off.
    quiet = ("core.quotepath=off", "core.fsmonitor=false", "log.showSignature=false")
    options = [part for each in quiet for part in ("-c", each)]
    command = ["git", *options, "-C", str(repository), *arguments]
    # Earlier versions of git do not know the first; the second leaves no way to fetch by.
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none"}
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as faults:
        try:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=faults, text=True,
                encoding="utf-8", errors="replace", env=environment,
            )  # fmt: skip
        except FileNotFoundError:
            raise BadInput(
                "git is not installed", code="no_git",
                remedy="install git, or import something else",
            ) from None  # fmt: skip
        with process:
            assert process.stdout is not None
            yield process.stdout
        if process.returncode:
            faults.seek(0)
            raise _no_history(repository, faults.read(LONGEST_FAULT))


def _no_history(repository: Path, said: str) -> BadInput:
    lines = said.splitlines()
    fatal = [each.removeprefix("fatal: ") for each in lines if each.startswith("fatal: ")]
    why = next(iter([*fatal, *lines]), "it does not say why")
    return BadInput(
        f"git could not read the history of {repository}: {why}",
        code="no_history",
        remedy="name a folder with a git repository in which something was committed; in a"
        " partial clone, fetch what is missing first",
    )
