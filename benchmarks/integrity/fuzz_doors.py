"""The doors, fuzzed as strangers reach them: frames, bodies, payloads.

A door tells an agent what went wrong instead of raising it, so an answer that says `unexpected`
is a finding like an exception.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.integrity.fitting import fitted
from benchmarks.integrity.shaping import Target, chance_of, plain, shaped
from helix.model.errors import HelixError

if TYPE_CHECKING:
    from helix.app.facade import Helix

PATIENCE = 60
"""Seconds of waiting after which a door that says nothing is taken to hang."""

_EVENT = (
    "session_id", "prompt", "cwd", "tool_name", "tool_input", "tool_response", "command",
    "source", "reason", "error", "stdout", "exit_code", "workspace_roots", "conversation_id",
    "output", "edits", "new_string", "file_path", "error_message", "text", "metadata",
)  # fmt: skip


def targets(folder: Path, memory: Helix, loop: asyncio.AbstractEventLoop) -> dict[str, Target]:
    """Return every door by name; what they write goes below `folder`."""
    return {
        **_hooks(folder, memory), **_mcp(folder, memory, loop), **_rest(memory, loop),
    }  # fmt: skip


# --- hooks ----------------------------------------------------------------------------------


def _hooks(folder: Path, memory: Helix) -> dict[str, Target]:
    from helix.doors.hooks.answering import answered
    from helix.doors.hooks.events import NAMES, Event
    from helix.doors.hooks.replying import answer
    from helix.doors.hooks.steps import taken

    def hook(text: str) -> None:
        name = chance_of(text).choice(sorted(NAMES))
        said = shaped(text, _EVENT) | {"transcript_path": str(folder / "none.jsonl")}
        list(taken(Event(NAMES[name], name, said), "fuzz", lambda: memory))

    def payload(text: str) -> None:
        chance = chance_of(text)
        name = chance.choice(sorted(NAMES))
        said = shaped(text, _EVENT) | {"transcript_path": str(folder / "none.jsonl")}
        # A shell's answer is a document inside a text.
        said |= {"tool_response": text} if chance.random() < 0.3 else {}
        said |= {"tool_response": "{" + text, "tool_input": text} if chance.random() < 0.3 else {}
        raw = text.encode("utf-8", "surrogatepass")
        for body in (raw, json.dumps(said).encode()):
            with suppress(HelixError):
                told, _ = answered(memory, name, "fuzz", body)
                answer(name, told).encode()

    return {"hooks": hook, "hook payloads": payload}


# --- MCP ------------------------------------------------------------------------------------


def _mcp(folder: Path, memory: Helix, loop: asyncio.AbstractEventLoop) -> dict[str, Target]:
    from helix.doors.fields import read
    from helix.doors.mcp.tools import DEFAULT, MORE

    tools = [*DEFAULT, *MORE]

    def tool(text: str) -> None:
        each = chance_of(text).choice(tools)
        ids = [held.id for held in memory.list(limit=8)]
        each.does(memory, read(each.fields, fitted(each.fields, text, ids)))

    found: dict[str, Target] = {"MCP tools": tool}
    try:
        from benchmarks.integrity import fuzz_frames
    except ImportError:  # without the extra there is no such door
        return found
    return found | fuzz_frames.targets(folder, memory, loop)


# --- REST -----------------------------------------------------------------------------------


def _rest(memory: Helix, loop: asyncio.AbstractEventLoop) -> dict[str, Target]:
    try:
        from helix.doors.hooks.events import NAMES
        from helix.doors.rest.app import Application, built
        from helix.doors.rest.operations import OPERATIONS
    except ImportError:  # without the extra there is no such door
        return {}
    from urllib.parse import quote

    # A clock that runs ahead: nothing is refused for coming too often.
    ticks = iter(range(10**12))
    door = built(Application(memory), "token", clock=lambda: float(next(ticks)))

    def status(method: str, path: str, body: bytes, query: str = "") -> int:
        return loop.run_until_complete(asked(door, method, path, body, query=query))[0]

    def request(text: str) -> None:
        chance = chance_of(text)
        each = chance.choice(OPERATIONS)
        ids = [held.id for held in memory.list(limit=8)]
        body = json.dumps(fitted(each.body, text, ids)) if chance.random() < 0.8 else text
        asked_for = fitted(each.query, text, ids).items()
        query = "&".join(
            f"{name}={quote(part if isinstance(part, str) else json.dumps(part), errors='replace')}"
            for name, value in asked_for
            for part in (value if isinstance(value, list) else [value])
        )
        named = chance.choice([*ids, text[:30] or "x"])
        path = each.path.replace("{id}", quote(named, safe="", errors="replace"))
        # 503 is a store that cannot be used; here, none of that may happen.
        told = status(each.method, path, body.encode(errors="replace"), query)
        assert told < 500, (told, each.name)

    def hook(text: str) -> None:
        name = chance_of(text).choice(sorted(NAMES))
        for body in (text, json.dumps(shaped(text, ["prompt", "session_id", "tool_name"]))):
            told = status("POST", f"/v1/hooks/{name}", body.encode(errors="replace"))
            assert told < 500, (told, name)

    def handed_over(text: str) -> None:
        told = shaped(text, ("args", "folder", "home", "terminal", "colour"))
        whole = {"args": [plain(text)], "folder": plain(text[:50]), "terminal": 1, "colour": 0}
        whole["home"] = str(memory.context.home.absolute())
        for body in (text, json.dumps(told), json.dumps(whole)):
            answer = status("POST", "/v1/commands/recall", body.encode(errors="replace"))
            assert answer < 500, answer

    return {"REST": request, "REST hooks": hook, "handed over": handed_over}


async def asked(
    door: Any,
    method: str,
    path: str,
    body: bytes,
    *,
    query: str = "",
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Return what an application answers: the status, the headers and the body."""
    from urllib.parse import unquote

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method,
        "scheme": "http", "path": unquote(path), "raw_path": path.encode(),
        "query_string": query.encode(), "root_path": "", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "headers": [(b"host", b"127.0.0.1:80"), (b"authorization", b"Bearer token"),
                    (b"content-type", b"application/json"), *headers],
    }  # fmt: skip
    begun: list[Any] = []
    told: list[bytes] = []
    parts = [{"type": "http.request", "body": body, "more_body": False}]
    forever = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if not parts:  # somebody who listens on until the answer is through
            await forever.wait()
        return parts.pop()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            begun.append(message)
        elif message["type"] == "http.response.body":
            told.append(message.get("body", b""))

    await patiently(door(scope, receive, send))
    if not begun:
        return 500, [], b"nothing was answered"
    return begun[0]["status"], list(begun[0]["headers"]), b"".join(told)


async def patiently(does: Coroutine[Any, Any, Any]) -> Any:
    """Wait for an answer, but not for ever.

    Second by second: while the process is halted, no more than one of them passes.
    """
    task = asyncio.ensure_future(does)
    for _ in range(PATIENCE):
        done, _waiting = await asyncio.wait({task}, timeout=1.0)
        if done:
            return task.result()
    task.cancel()
    raise TimeoutError(f"nothing was answered within {PATIENCE} s")


def ended(loop: asyncio.AbstractEventLoop) -> None:
    """Let whatever still runs on a loop come to its end."""
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
