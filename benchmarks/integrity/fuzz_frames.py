"""Frames of the Model Context Protocol, over streams and over HTTP, into the real server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.message import SessionMessage

from benchmarks.integrity.fitting import fitted
from benchmarks.integrity.fuzz_doors import asked, patiently
from benchmarks.integrity.shaping import Target, chance_of, shaped
from helix.doors.fields import Field
from helix.doors.mcp.greeting import greeting
from helix.doors.mcp.mending import Mended
from helix.doors.mcp.replaying import KeptBack, Replayed, message_of
from helix.doors.mcp.server import Door

if TYPE_CHECKING:
    from helix.app.facade import Helix

METHODS = (
    "tools/call", "tools/list", "resources/read", "resources/list", "resources/templates/list",
    "prompts/get", "prompts/list", "ping", "initialize", "notifications/cancelled",
    "notifications/progress", "notifications/roots/list_changed", "logging/setLevel",
    "completion/complete", "server/discover",
)  # fmt: skip
_PARAMS = ("name", "arguments", "uri", "_meta", "protocolVersion", "capabilities", "clientInfo",
           "cursor", "level", "ref", "requestId", "progressToken", "reason")  # fmt: skip
_FRAME = ("jsonrpc", "id", "method", "params", "result", "error")
_ME = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "f", "version": "1"},
}
INITIALIZE: dict[str, object] = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": _ME}
INITIALIZED: dict[str, object] = {"jsonrpc": "2.0", "method": "notifications/initialized"}


class _Quiet(Door):
    """Does nothing by itself: what a timer does is not what is fuzzed."""

    def _warm(self) -> None:
        pass

    def _soon_idle(self, ctx: object, client: object) -> None:
        pass


def targets(folder: Path, memory: Helix, loop: asyncio.AbstractEventLoop) -> dict[str, Target]:
    """Return frames over streams and over HTTP."""
    tools = _tools()
    door = _Quiet(lambda: memory, full=True, started_in=folder)

    def over_streams(text: str) -> None:
        raw = text.encode("utf-8", "surrogatepass")
        greeting(raw)
        greeting(json.dumps(INITIALIZE | shaped(text, ("id", "params"))).encode())
        lines = [raw, *(json.dumps(each).encode() for each in _frames(text, tools))]
        loop.run_until_complete(patiently(_spoken(door, lines)))

    served: list[_OverHttp] = []

    def over_http(text: str) -> None:
        if not served:
            served.append(loop.run_until_complete(_OverHttp.begun(memory, folder)))
        bodies = [text.encode("utf-8", "surrogatepass")]
        bodies += [json.dumps(each).encode() for each in _frames(text, tools)]
        for body in bodies:
            loop.run_until_complete(served[0].posted(body))

    return {"MCP frames": over_streams, "MCP over HTTP": over_http}


def _tools() -> dict[str, Sequence[Field]]:
    from helix.doors.mcp.tools import DEFAULT, MORE

    return {each.name: each.fields for each in (*DEFAULT, *MORE)}


def _frames(text: str, tools: Mapping[str, Sequence[Field]]) -> list[dict[str, Any]]:
    """Return frames that grew out of a text: one that calls a tool, one of any method, one wild."""
    chance = chance_of(text)
    name = chance.choice(sorted(tools))
    given = fitted(tools[name], text, ["mem_water_wet"])
    call: dict[str, Any] = {"name": name, "arguments": given}
    other = shaped(text[::-1], _PARAMS)
    if chance.random() < 0.5:
        other["_meta"] = shaped(text, ("progressToken", *_PARAMS))
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call},
        {"jsonrpc": "2.0", "id": 2, "method": chance.choice(METHODS), "params": other},
        {"jsonrpc": "2.0", **shaped(text, _FRAME)},
    ]


async def _spoken(door: Door, lines: list[bytes]) -> None:
    """Let a client say these lines after its greeting, and judge what it is told."""
    sent, reading = anyio.create_memory_object_stream[Any](100)
    writing, heard = anyio.create_memory_object_stream[Any](1_000)
    first = json.dumps(INITIALIZE).encode()
    replayed = Replayed(first, _Contextless(reading))
    told = KeptBack(replayed.number, writing)
    for line in (json.dumps(INITIALIZED).encode(), *lines):
        sent.send_nowait(message_of(line))
    sent.close()
    server = door.server
    await server.run(Mended(replayed, told), told, server.create_initialization_options())
    with heard:
        while heard.statistics().current_buffer_used:
            item: SessionMessage = heard.receive_nowait()
            _judge(item.message.model_dump_json(by_alias=True, exclude_none=True))


class _Contextless:
    """A stream in memory, with the one name more that the SDK's own have."""

    last_context: object = None

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def receive(self) -> Any:
        return await self._inner.receive()

    async def aclose(self) -> None:
        await self._inner.aclose()


class _OverHttp:
    """The mounted application, with one session that is open."""

    def __init__(self, app: Any, session: bytes) -> None:
        self._app = app
        self._session = session

    @classmethod
    async def begun(cls, memory: Helix, folder: Path) -> _OverHttp:
        door = _Quiet(lambda: memory, full=True, started_in=folder)
        app = door.server.streamable_http_app(host="127.0.0.1")
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def living() -> None:
            async with app.router.lifespan_context(app):
                ready.set_result(None)
                await asyncio.Event().wait()

        cls._living = asyncio.ensure_future(living())  # the loop itself holds it weakly
        await ready
        made = cls(app, b"")
        status, headers, _ = await made._asked(json.dumps(INITIALIZE).encode())
        assert status == 200, status
        made._session = dict(headers)[b"mcp-session-id"]
        await made._asked(json.dumps(INITIALIZED).encode())
        return made

    _living: asyncio.Future[None]

    async def posted(self, body: bytes) -> None:
        status, _, told = await self._asked(body)
        assert status < 500, (status, told[:300])
        _judge(told.decode("utf-8", "replace"))

    async def _asked(self, body: bytes) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        headers: tuple[tuple[bytes, bytes], ...] = (
            (b"accept", b"application/json, text/event-stream"),
        )
        if self._session:
            headers += ((b"mcp-session-id", self._session),)
        return await asked(self._app, "POST", "/mcp", body, headers=headers)


def _judge(told: str) -> None:
    # A tool's answer begins with the code of what went wrong.
    assert '"text":"unexpected:' not in told, told[:500]
    assert '"code":-32603' not in told, told[:500]  # JSON-RPC's "internal error"
