"""Transcripts in JSON lines: Claude Code, Codex CLI, and any with a role and a content.

Of a session are kept: what the user asked, what commands did, which files changed, what
failed, and the last words of each turn. What only looked around, and the agent's thinking,
is not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from helix.connect.importing.pieces import (
    UNKNOWN,
    Happened,
    Piece,
    Unreadable,
    clipped,
    digest,
    moment,
    worth_keeping,
)
from helix.connect.importing.witnessed import ASKED, ENDED, said_key, used, used_key
from helix.connect.observing import observed
from helix.connect.shells import UNTOLD, answered, tells_status
from helix.rules.echo import without_echo
from helix.rules.secrets.cutting import Clean, beginning
from helix.rules.secrets.redacting import redacted

LAST_WORDS = 1_200
MOST_PENDING = 1_000
LONGEST_TOOL = 100
_MARKS = ("role", "message", "payload", "sessionId", "session_id", "leafUuid", "messageId")
"""What entries of transcripts have; also those that hold nothing to keep."""


@dataclass
class _Session:
    """What is known while a transcript is read."""

    ref: str
    clean: Clean
    name: str = ""
    named: bool = False
    """Whether the transcript itself names the session; else its path does."""
    placed: bool = False
    """Whether nothing but path and number names the message being read."""
    known: bool = False
    """Whether anything in it looks like a transcript, or was told of as unreadable."""
    uses: dict[str, tuple[str, Mapping[str, object]]] = field(default_factory=dict)
    said: Counter[str] = field(default_factory=Counter)
    """How often the same words were said before; hooks count as well."""
    last: tuple[str, datetime | None, str, bool] | None = None
    number: int = 0


def read(lines: Iterable[str], ref: str, clean: Clean = redacted) -> Iterator[Piece]:
    """Yield the pieces of a transcript, in order."""
    session = _Session(ref, clean, digest(ref))
    empty = True
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
        except (RecursionError, ValueError) as error:
            deep = isinstance(error, RecursionError)
            yield Unreadable(f"{ref}:{number}", "nested too deep" if deep else "not JSON")
            session.known = True
            continue
        empty = empty and told in ([], {})
        for each in _entries(told):
            session.number += 1
            session.known = session.known or any(key in each for key in _MARKS)
            yield from _entry(session, each)
    yield from _turn_ended(session)
    if not (session.known or empty):
        yield Unreadable(ref, UNKNOWN)


def _entries(told: object) -> Iterator[Mapping[str, object]]:
    if isinstance(told, list):
        for each in told:
            yield from _entries(each)
    elif isinstance(told, dict):
        inner = told.get("loglines") or told.get("messages")
        if isinstance(inner, list):
            yield from _entries(inner)
        else:
            yield told


def _entry(session: _Session, told: Mapping[str, object]) -> Iterator[Piece]:
    payload = told.get("payload")
    if isinstance(payload, dict):  # Codex wraps everything
        yield from _codex(session, told, payload)
        return
    name = told.get("sessionId") or told.get("session_id")
    if isinstance(name, str) and name:
        session.name, session.named = name[:200], True
    if told.get("isMeta") or told.get("isSidechain") is True:
        return
    message = told.get("message")
    message = message if isinstance(message, dict) else told
    at = moment(told.get("timestamp") or message.get("timestamp"))
    key = told.get("uuid") if isinstance(told.get("uuid"), str) else ""
    session.placed = not (key or session.named)
    yield from _message(session, message, at, str(key or session.number))


def _message(
    session: _Session, message: Mapping[str, object], at: datetime | None, key: str
) -> Iterator[Piece]:
    role, content = message.get("role"), message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts: list[str] = []
    for block in blocks:
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind in ("text", "input_text", "output_text") and isinstance(block.get("text"), str):
            texts.append(str(block["text"]))
        elif kind == "tool_use":
            _use(session, block.get("id"), block.get("name"), block.get("input"))
        elif kind == "tool_result":
            yield from _result(session, block, at)
    text = without_echo("\n".join(texts)).strip()
    yield from _said(session, str(role), text, at, key)


def _said(
    session: _Session, role: str, text: str, at: datetime | None, key: str
) -> Iterator[Piece]:
    if role == "user" and worth_keeping(text):
        yield from _turn_ended(session)
        asked = text.removeprefix("User:").strip()
        yield _happened(session, asked, at, key, ASKED, placed=session.placed)
    elif role == "assistant" and worth_keeping(text):
        session.last = (text.removeprefix("Assistant:").strip(), at, key, session.placed)


def _turn_ended(session: _Session) -> Iterator[Piece]:
    if session.last is not None:
        text, at, key, placed = session.last
        session.last = None
        yield _happened(session, text, at, key, ENDED, placed=placed)


def _use(session: _Session, use: object, name: object, given: object) -> None:
    if isinstance(use, str) and isinstance(name, str) and len(session.uses) < MOST_PENDING:
        session.uses[use] = (name, given if isinstance(given, dict) else {})


def _result(session: _Session, block: Mapping[str, object], at: datetime | None) -> Iterator[Piece]:
    use = block.get("tool_use_id")
    name, given = session.uses.pop(str(use), ("", {}))
    if not name:
        return
    out = block.get("content")
    if isinstance(out, list):
        parts = [each.get("text") for each in out if isinstance(each, dict)]
        out = "\n".join(part for part in parts if isinstance(part, str))
    failed = block.get("is_error") is True
    yield from _done(session, name, given, out, failed=failed, at=at, key=str(use))


def _done(
    session: _Session, name: str, given: Mapping[str, object], out: object, *,
    failed: bool, at: datetime | None, key: str, untold: bool = False,
) -> Iterator[Piece]:  # fmt: skip
    said = {"tool_name": name, "tool_input": given, "tool_response": out, UNTOLD: untold}
    printed = out.get("output") if isinstance(out, dict) else out
    if failed and isinstance(printed, str):
        said["error"] = printed
    seen = observed(said, failed=failed, clean=session.clean)
    if seen is not None:
        tool = beginning(seen.tool, LONGEST_TOOL, session.clean)
        yield Happened(
            without_echo(seen.content).strip() or name, used_key(session.name, key),
            session.ref, at, session.name, tool, seen.exit_status, seen.files,
            others=(used(session.name, key),), placed=not session.named,
        )  # fmt: skip


def _codex(
    session: _Session, told: Mapping[str, object], payload: Mapping[str, object]
) -> Iterator[Piece]:
    at = moment(told.get("timestamp"))
    kind = payload.get("type")
    if told.get("type") == "session_meta" and isinstance(payload.get("id"), str):
        session.name, session.named = str(payload["id"])[:200], True
    elif told.get("type") != "response_item":
        return
    elif kind == "message":
        session.placed = not session.named
        yield from _message(session, payload, at, str(session.number))
    elif kind in ("function_call", "local_shell_call", "custom_tool_call"):
        given = payload.get("arguments") or payload.get("action") or payload.get("input")
        _use(session, payload.get("call_id"), payload.get("name") or "shell", _table(given))
    elif kind in ("function_call_output", "custom_tool_call_output"):
        use = str(payload.get("call_id"))
        name, given = session.uses.pop(use, ("", {}))
        if name:
            out = answered(payload.get("output"))
            untold = not tells_status(out)
            failed = isinstance(out, dict) and not untold and out["exit_code"] != 0
            yield from _done(
                session, name, given, out, failed=failed, at=at, key=use, untold=untold
            )


def _table(value: object) -> dict[str, object]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {"output": value, "command": value}
    return value if isinstance(value, dict) else {}


def _happened(
    session: _Session, words: str, at: datetime | None, key: str, kind: str, *, placed: bool
) -> Happened:
    """Return what was said: known by its words, or by where it stands if nothing names it."""
    name = session.name
    if kind == ASKED:
        words = clipped(words, clean=session.clean)
        content, tool = f"The user asked: {words}", "prompt"
    else:
        words = clipped(words, LAST_WORDS, session.clean)
        content, tool = f"The agent ended its turn: {words}", "turn"
    stood = digest(name, f"{kind}:{key}")
    if placed:
        return Happened(content, stood, session.ref, at, name, tool, placed=True)
    first = said_key(name, kind, words, 0)
    known = said_key(name, kind, words, session.said[first])
    session.said[first] += 1
    return Happened(content, known, session.ref, at, name, tool, others=(stood,))
