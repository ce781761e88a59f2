"""What there is to import, as its owners would have it: a git repository, and files."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks.recalling.sets.reading import found, records, text_of

BRANCH = "refs/heads/main"
AUTHOR = "author@example.invalid"


def history(data: Path, name: str) -> list[dict[str, Any]]:
    """Return the commits of a recorded history, oldest first."""
    (path,) = found(data / "git_history", f"{name}*")
    return list(records(path))


def repository(folder: Path, commits: Iterable[dict[str, Any]]) -> None:
    """Write a real repository that holds these commits: messages, authors, dates, file names.

    Files hold the commit that last touched them, and commits stand in one line: the recorded
    ids cannot be kept, since they follow from what the files held.
    """
    folder.mkdir(parents=True)
    _git(folder, "init", "-q", "-b", "main")
    _git(folder, "config", "gc.auto", "0")
    stream = b"".join(_stream(commits))
    _git(folder, "fast-import", "--quiet", "--force", given=stream)
    _git(folder, "config", "remote.origin.url", "https://example.invalid/acme/history.git")


def ids(folder: Path) -> list[str]:
    """Return the ids of a repository's commits."""
    return _git(folder, "rev-list", "--no-merges", "HEAD").decode().split()


def transcripts(data: Path, folder: Path) -> list[Path]:
    """Write every recorded transcript as the file its tool would have left."""
    folder.mkdir(parents=True)
    written = []
    (stories,) = found(data / "agent_traces", "specstory*")
    for number, each in enumerate(records(stories)):
        written.append(folder / f"{number:03}-{Path(each['path']).name}")
        written[-1].write_text(each["markdown"], encoding="utf-8")
    (trails,) = found(data / "agent_traces", "swe_agent*")
    for number, each in enumerate(records(trails)):
        written.append(folder / f"{number:03}-{Path(each['name']).name}")
        written[-1].write_text(json.dumps(each["traj"]), encoding="utf-8")
    for each in sorted((data / "agent_traces" / "claude_code_format").iterdir()):
        written.append(folder / each.name.removesuffix(".zst"))
        written[-1].write_text(text_of(each), encoding="utf-8")
    return written


def _stream(commits: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    for number, commit in enumerate(commits, 1):
        at = datetime.fromisoformat(commit["date"])
        zone = at.strftime("%z")
        who = re.sub(r"[<>\n]", " ", commit["author"]).strip() or "nobody"
        said = f"{commit['subject']}\n\n{commit['body']}".strip().encode("utf-8", "replace")
        yield (
            (
                f"commit {BRANCH}\nmark :{number}\n"
                f"author {who} <{AUTHOR}> {int(at.timestamp())} {zone}\n"
                f"committer {who} <{AUTHOR}> {int(at.timestamp())} {zone}\n"
                f"data {len(said)}\n"
            ).encode()
            + said
            + b"\n"
        )
        if number > 1:
            yield f"from :{number - 1}\n".encode()
        for status, *paths in commit["files"]:
            if status[0] in "DR":
                yield b"D " + _quoted(paths[0]) + b"\n"
            if status[0] != "D":
                held = f"{number}\n".encode()
                yield b"M 100644 inline " + _quoted(paths[-1]) + b"\n"
                yield f"data {len(held)}\n".encode() + held


def _quoted(path: str) -> bytes:
    plain = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{plain}"'.encode("utf-8", "replace")


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, input=given, capture_output=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"git {arguments[0]}: {done.stderr.decode()[:500]}")
    return done.stdout
