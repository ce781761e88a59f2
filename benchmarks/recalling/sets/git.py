"""Git histories: commits replayed by date, asked by what reverts, shares or changed what.

Four kinds of question, by category:

- `revert`: the subject of a revert must find the commit it reverts;
- `state`: the subject of a reverted commit must not present that commit as valid;
- `issue`: the subject of a commit that names `#n` must find the others that name it;
- `path`: what last changed a file, at a moment between two of its changes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from benchmarks.recalling.sets import reading
from benchmarks.recalling.sets.reading import Json
from benchmarks.recalling.values import Asked, Haystack, Note
from helix.model.moment import as_moment

SHOWN_FILES = 40
"""Paths written into a commit's text, as `git log --stat` would; all are kept beside it."""

PATHS_ASKED = 100
FEWEST_CHANGES = 3


@dataclass(frozen=True, slots=True)
class Commit:
    """What of a commit is asked about."""

    sha: str
    subject: str
    when: datetime
    files: tuple[str, ...]
    reverts: str
    refs: frozenset[str]


def load(folder: Path, part: str | None, seed: int) -> list[Haystack]:
    """Return one haystack per history, or the one whose file name contains `part`."""
    paths = reading.found(folder, f"*{part}*.commits.jsonl*" if part else "*.commits.jsonl*")
    return [_haystack(path, seed) for path in paths]


def _haystack(path: Path, seed: int) -> Haystack:
    made = [_made(each) for each in reading.records(path)]
    made.sort(key=lambda pair: pair[1].when)
    commits = [commit for _, commit in made]
    asked = (*_reverts(commits), *_issues(commits), *_paths(commits, random.Random(seed)))
    return Haystack(path.name.split(".commits")[0], tuple(note for note, _ in made), asked)


def _made(each: Json) -> tuple[Note, Commit]:
    when = as_moment(each["date"])
    files = tuple(path for _, path in each["files"] if path.isprintable())
    reverts = str(each.get("reverts") or "")
    commit = Commit(each["sha"], each["subject"], when, files, reverts, frozenset(each["refs"]))
    shown = [f"{change} {path}" for change, path in each["files"][:SHOWN_FILES]]
    text = "\n".join(filter(None, (each["subject"], each["body"], *shown)))
    day = f"{when:%Y-%m-%d}"
    note = Note(commit.sha, text, day, when, each["author"], files, cause=reverts)
    return note, commit


def _reverts(commits: Sequence[Commit]) -> Iterator[Asked]:
    known = {commit.sha: commit for commit in commits}
    for commit in commits:
        reverted = known.get(commit.reverts)
        if reverted is None:
            continue
        gone, itself = frozenset({reverted.sha}), frozenset({commit.sha})
        yield Asked(commit.subject, gone, "revert", without=itself)
        yield Asked(reverted.subject, itself, "state", stale=gone)


def _issues(commits: Sequence[Commit]) -> Iterator[Asked]:
    naming: dict[str, set[str]] = {}
    for commit in commits:
        for ref in commit.refs:
            naming.setdefault(ref, set()).add(commit.sha)
    for commit in commits:
        others = frozenset().union(*(naming[ref] for ref in commit.refs)) - {commit.sha}
        if others:
            yield Asked(commit.subject, others, "issue", without=frozenset({commit.sha}))


def _paths(commits: Sequence[Commit], chance: random.Random) -> Iterator[Asked]:
    changes: dict[str, list[Commit]] = {}
    for commit in commits:
        for path in commit.files:
            changes.setdefault(path, []).append(commit)
    often = sorted(path for path, found in changes.items() if len(found) >= FEWEST_CHANGES)
    for path in sorted(chance.sample(often, min(PATHS_ASKED, len(often)))):
        last, following = chance.choice(list(pairwise(changes[path])))
        at = last.when + (following.when - last.when) / 2
        yield Asked(f"what last changed {path}?", frozenset({last.sha}), "path", as_of=at)
