"""Histories that SpecStory writes, as Cursor and others leave them: Markdown by speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from helix.connect.importing.pieces import Happened, Piece, clipped, digest, moment, worth_keeping
from helix.rules.secrets.cutting import Clean, beginning, ending
from helix.rules.secrets.redacting import redacted

_SPEAKER = re.compile(r"^_\*\*(User|Agent|Assistant)(?: \(([^)]*)\))?\*\*_\s*$", re.MULTILINE)
_STARTED = re.compile(r"^#{1,2} .*?(\d{4}-\d{2}-\d{2}[ _]\d{2}[:-]\d{2}[:-]\d{2}Z?)", re.MULTILINE)
_WHEN = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}Z?")
_TOOL = re.compile(r"<tool-use\b.*?</tool-use>|<details>.*?</details>", re.DOTALL)
_THINKING = re.compile(r"<think>.*?</think>", re.DOTALL)
_COMMAND = re.compile(
    r"Tool use: \*\*(\w+)\*\*[^\n]*\n+`([^`\n]+)`(.*?)(?=\nTool use:|\Z)", re.DOTALL
)
_FAILED = re.compile(r"fatal:|Traceback|Error\b|error:|FAILED|not found|ERR!", re.IGNORECASE)
LAST_WORDS = 1_200
END_OF_FAILURE = 600
OUTPUT = 200


def is_history(text: str) -> bool:
    """Return whether a Markdown text is such a history."""
    return _SPEAKER.search(text[:20_000]) is not None


def read(text: str, ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield what the user asked, what commands did, and the last words of each turn."""
    session = digest(ref)
    started = _STARTED.search(text[:2_000])
    at = _moment(started[1]) if started else None
    last: Happened | None = None
    heads = list(_SPEAKER.finditer(text))
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        body = text[head.end() : end].strip().removesuffix("---").strip()
        when = _WHEN.search(head[2] or "")
        at = (_moment(when[0]) if when else None) or at
        key = digest(ref, str(number))
        if head[1] == "User":
            if last is not None:
                yield last
                last = None
            if worth_keeping(body):
                asked = f"The user asked: {clipped(body, clean=clean)}"
                yield Happened(asked, key, ref, at, session, "prompt", placed=True)
            continue
        yield from _commands(body, ref, session, number, at, clean)
        words = _THINKING.sub("", _TOOL.sub("", _COMMAND.sub("", body))).strip()
        if worth_keeping(words):
            said = f"The agent ended its turn: {clipped(words, LAST_WORDS, clean)}"
            last = Happened(said, key, ref, at, session, "turn", placed=True)
    if last is not None:
        yield last


def _commands(  # noqa: PLR0917 - one private step of reading
    body: str, ref: str, session: str, number: int, at: datetime | None, clean: Clean
) -> Iterator[Piece]:
    for index, found in enumerate(_COMMAND.finditer(body)):
        tool, command, rest = found.groups()
        failed = bool(_FAILED.search(rest))
        if not failed and tool.lower() not in ("bash", "shell", "terminal"):
            continue
        out = rest.replace("Result:", "").strip().strip("`").strip()
        end = ending(out, END_OF_FAILURE, clean) if failed else beginning(out, OUTPUT, clean)
        content = f"$ {clipped(command, 1_000, clean)}\n{end}".strip()
        key = digest(ref, str(number), str(index))
        yield Happened(content, key, ref, at, session, tool, int(failed), placed=True)


def _moment(text: str) -> datetime | None:
    day, clock = text[:10], text[11:19].replace("-", ":")
    return moment(f"{day}T{clock}Z")
