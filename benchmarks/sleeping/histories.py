"""Real histories as episodes: coding sessions (SpecStory) and commits, in the order they came."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.recalling.sets.reading import found, records

LONGEST_TURN = 20_000
_TURN = re.compile(r"^_\*\*(User|Agent)([^*]*)\*\*_\s*$", re.MULTILINE)
_TOOL = re.compile(r"<tool-use\b[^>]*data-tool-type=\"(\w+)\".*?</tool-use>", re.DOTALL)
_FENCE = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
_COMMAND = re.compile(r"^`([^`\n]+)`\s*$", re.MULTILINE)
_STATUS = re.compile(r"[Ee]xit (?:code|status)[: ]+(\d+)")


class Episode(NamedTuple):
    """One thing that happened, as `Helix.capture` takes it."""

    content: str
    session: str
    role: str
    tool: str
    exit_status: int | None
    at: datetime | None


def sessions(data: Path) -> Iterator[Episode]:
    """Yield the turns and shell commands of every SpecStory session, session by session."""
    (path,) = found(data / "agent_traces", "specstory*")
    for number, each in enumerate(records(path)):
        name = f"{each['session']}-{number}"
        parts = _TURN.split(each["markdown"])
        for speaker, text in zip(parts[1::3], parts[3::3], strict=True):
            role = "user" if speaker == "User" else "assistant"
            said = _TOOL.sub("", text).strip().removesuffix("---").strip()
            if said:
                yield Episode(said[:LONGEST_TURN], name, role, "", None, None)
            for tool in _TOOL.finditer(text):
                if tool[1] == "shell":
                    yield from _commands(tool[0], name)


def _commands(markup: str, session: str) -> Iterator[Episode]:
    fences = [html.unescape(body).strip() for _, body in _FENCE.findall(markup)]
    named = _COMMAND.search(_FENCE.sub("", markup))
    command = html.unescape(named[1]) if named else ""
    if command:
        output = "\n".join(fences)[:2_000]
        status = _STATUS.search(markup)
        code = int(status[1]) if status else None
        yield Episode(f"{command}\n{output}".strip(), session, "", "bash", code, None)


def commits(data: Path) -> Iterator[tuple[str, list[Episode]]]:
    """Yield each project's commits, oldest first."""
    for path in found(data / "git_history", "*.commits.jsonl*"):
        project = path.name.partition(".")[0].replace("__", "-")
        yield project, [_commit(each) for each in records(path)]


def _commit(each: dict[str, str]) -> Episode:
    content = f"{each['subject']}\n\n{each['body']}".strip()[:LONGEST_TURN]
    at = datetime.fromisoformat(each["date"]).astimezone(UTC)
    return Episode(content, "", "", "git", None, at)
