"""The server itself: the official SDK's, with Helix's tools behind it.

A tool that cannot do what was asked answers with a result marked as an error, so that the
model sees the remedy; only what breaks the protocol is a protocol error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from helix import __version__
from helix.doors.error_mapping import Fault, fault_of
from helix.doors.fields import read, schema_of
from helix.doors.mcp.folders import folder_of
from helix.doors.mcp.greeting import INSTRUCTIONS, NAME, TITLE
from helix.doors.mcp.resources import BRIEFING, MEMORY, PROMPTS
from helix.doors.mcp.tools import Tool, offered
from helix.doors.neutral import one_line
from helix.doors.workers import Workers
from helix.model.errors import HelixError

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.app.sleeping import Thought
    from helix.doors.nights import Nights

ROOTS_PATIENCE = 5.0
"""Seconds to wait for a client that says it has roots and then does not tell them."""

MOST_ROOTS = 20
IDLE = 2.0
"""Seconds without a call after which what was written is embedded."""

LOOK_AGAIN = 600.0
"""Seconds without a call after which it is looked again whether sleep is owed."""

Answer = TypeVar("Answer")
Asking = ServerRequestContext[Any, Any]


@dataclass
class _Client:
    """What is known of one connection."""

    agent: str
    session: str
    folder: Path | None = None
    settled: bool = False
    """Whether `folder` is known; without one, only `global` is seen."""
    memory: Helix | None = None
    unwilling: bool = False
    """It said no when its model was asked."""
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)


class Door:
    """One MCP server over one memory: any number of clients, each seeing its own scope."""

    def __init__(
        self,
        opened: Callable[[], Helix],
        *,
        full: bool,
        started_in: Path | None,
        nights: Nights | None = None,
    ) -> None:
        """Take a way to the memory; it is not opened before somebody needs it.

        `started_in` is the folder of the client that started us, if one did; `nights` sleeps
        over what is owed while nobody calls, unless somebody else does.
        """
        self._nights = nights
        self._opened = opened
        self._tools = {each.name: each for each in offered(full=full)}
        self._started_in = started_in
        self._workers = Workers(2)
        self._memory: Helix | None = None
        self._opening = asyncio.Lock()
        self._clients: WeakKeyDictionary[object, _Client] = WeakKeyDictionary()
        self._idle: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Future[None]] = set()
        self.server: Server[Any] = self._made()

    def _made(self) -> Server[Any]:
        server: Server[Any] = Server(
            NAME,
            version=__version__,
            title=TITLE,
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )
        # Given to the constructor, it would warn that roots are deprecated in the newest
        # revision; clients of every earlier one have them.
        server.add_notification_handler(
            "notifications/roots/list_changed", types.NotificationParams, self._roots_changed
        )
        return server

    # --- what is offered ------------------------------------------------------------------

    async def _list_tools(self, ctx: Asking, params: object) -> types.ListToolsResult:
        self._warm()
        return types.ListToolsResult(tools=[_described(each) for each in self._tools.values()])

    async def _list_resources(self, ctx: Asking, params: object) -> types.ListResourcesResult:
        briefing = types.Resource(
            uri=BRIEFING,
            name="briefing",
            description="What memory holds about this project, in brief.",
            mime_type="text/plain",
        )
        return types.ListResourcesResult(resources=[briefing])

    async def _list_templates(
        self, ctx: Asking, params: object
    ) -> types.ListResourceTemplatesResult:
        memory = types.ResourceTemplate(
            uri_template=MEMORY + "{id}",
            name="memory",
            description="One memory with its story.",
            mime_type="text/plain",
        )
        return types.ListResourceTemplatesResult(resource_templates=[memory])

    async def _list_prompts(self, ctx: Asking, params: object) -> types.ListPromptsResult:
        prompts = [types.Prompt(name=name, description=says) for name, says in PROMPTS.items()]
        return types.ListPromptsResult(prompts=prompts)

    # --- what is done ---------------------------------------------------------------------

    async def _call_tool(
        self, ctx: Asking, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {one_line(params.name)}")
        try:
            given = read(tool.fields, params.arguments or {})
            client = await self._client(ctx)
            if tool.name == "capture":
                given |= {"session": client.session}
            text = await self._done(client, lambda memory: tool.does(memory, given))
        except Exception as error:  # noqa: BLE001 - told to the model, which can act on it
            return _told(_sorry(fault_of(error)), is_error=True)
        # Something waits to be embedded then, or what was shown to be counted.
        self._soon_idle(ctx, client)
        return _told(text)

    async def _read_resource(
        self, ctx: Asking, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        from helix.doors.mcp import resources

        uri = str(params.uri)
        text = await self._or_refused(ctx, lambda memory: resources.read(memory, uri))
        contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _get_prompt(
        self, ctx: Asking, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        from helix.doors.mcp import resources

        text = await self._or_refused(ctx, lambda memory: resources.prompt(memory, params.name))
        said = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(description=PROMPTS[params.name], messages=[said])

    async def _or_refused(self, ctx: Asking, does: Callable[[Helix], str]) -> str:
        try:
            return await self._done(await self._client(ctx), does)
        except Exception as error:
            fault = fault_of(error)
            raise MCPError(types.INVALID_PARAMS, _sorry(fault), fault.document["error"]) from error

    async def _done(self, client: _Client, does: Callable[[Helix], Answer]) -> Answer:
        memory = await self._seen(client)
        return await asyncio.wrap_future(self._workers.submit(lambda: does(memory)))

    # --- whose memory, seen from where ----------------------------------------------------

    async def _client(self, ctx: Asking) -> _Client:
        """Return whose call this is; only a call asks, since nobody answers one that has ended."""
        # The session object is made anew for each request; the connection lives as long as it.
        key = ctx.session._connection
        client = self._clients.get(key)
        if client is None:
            client = self._clients[key] = _Client(_agent(ctx), _session_name())
        async with client.asking:  # whoever comes second waits for the roots as well
            if not client.settled:  # nor is it after a call that was cancelled here
                client.folder = folder_of(await _roots(ctx), self._started_in)
                client.settled = True
        return client

    async def _seen(self, client: _Client) -> Helix:
        memory = await self._held()
        if client.memory is None:
            client.memory = memory.seen_from(client.folder, client.agent)
        return client.memory

    async def _held(self) -> Helix:
        async with self._opening:
            if self._memory is None:
                self._memory = await asyncio.wrap_future(self._workers.submit(self._opened))
            return self._memory

    async def _roots_changed(self, ctx: Asking, params: object) -> None:
        self._clients.pop(ctx.session._connection, None)

    # --- in the background ----------------------------------------------------------------
    # Done for the client of the call before it, or for nobody: no client is asked from here.

    def _warm(self) -> None:
        """Open the store and load the embedder once the client has its answer."""
        if self._memory is None:
            asyncio.get_running_loop().call_later(0.05, self._begin, self._warmed)

    def _begin(self, does: Callable[[], Coroutine[Any, Any, None]]) -> None:
        task = asyncio.ensure_future(does())
        # The loop itself holds tasks weakly: one that nobody holds may vanish half-way.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _warmed(self) -> None:
        with suppress(Exception):  # a call will say what is wrong, to somebody who can act
            memory = await self._held()
            await asyncio.wrap_future(self._workers.submit(memory.context.embedder))

    def _soon_idle(self, ctx: Asking, client: _Client) -> None:
        if self._idle is not None:
            self._idle.cancel()
        does = partial(self._enriched, ctx, client)
        self._idle = asyncio.get_running_loop().call_later(IDLE, self._begin, does)

    async def _enriched(self, ctx: Asking, client: _Client) -> None:
        with suppress(Exception):  # it is tried again after the next write, and by `enrich`
            await self._done(client, _enriched)
        nights = self._nights
        if nights is not None:
            with suppress(Exception):  # as below
                await self._done(client, nights.owe)
        with suppress(Exception):  # the questions wait; whoever sleeps does without
            await self._asked_to_think(ctx, client)
        if nights is not None:
            with suppress(Exception):  # what is owed stays owed
                await self._done(client, nights.look)
            # Nobody may call for hours, and time alone owes sleep.
            again = partial(self._enriched, ctx, client)
            self._idle = asyncio.get_running_loop().call_later(LOOK_AGAIN, self._begin, again)

    async def _asked_to_think(self, ctx: Asking, client: _Client) -> None:
        """Let the client's model answer a few questions, if sleep is owed and it may."""
        from helix.app.wiring import settings
        from helix.doors.mcp import sampling

        if client.unwilling or not settings().sleep.ask_agent or not sampling.able(ctx):
            return
        for each in await self._done(client, _questions):
            try:
                text, tokens = await sampling.sampled(ctx, each.asked)
            except Exception:
                client.unwilling = True  # or gone, or too slow: not asked again
                raise
            with suppress(HelixError):  # an answer that cannot be read is no answer
                await self._done(client, partial(_answered, each.key, text, tokens))

    @property
    def memory(self) -> Helix | None:
        """The memory, once somebody has needed it."""
        return self._memory

    def close(self) -> None:
        """Let go of the store."""
        if self._idle is not None:
            self._idle.cancel()
        if self._memory is not None:
            self._memory.close()


def _enriched(memory: Helix) -> None:
    from helix.app.wiring import settings
    from helix.doors.alone import enrich_alone

    memory.life.write_down_shown()
    enrich_alone(memory, settings().home)


def _questions(memory: Helix) -> list[Thought]:
    """Return what the agent's model may be asked now: where sleep is owed, within the budget."""
    from helix.doors.mcp.sampling import MOST_AT_ONCE

    sleeping = memory.sleeping
    if not sleeping.owed().waiting or not sleeping.may_ask():
        return []
    return sleeping.pending(MOST_AT_ONCE)


def _answered(key: str, text: str, tokens: int, memory: Helix) -> None:
    memory.sleeping.answer(key, text, tokens)


def _described(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        read_only_hint=tool.reads_only,
        destructive_hint=None if tool.reads_only else tool.destructive,
        idempotent_hint=None if tool.reads_only else tool.idempotent,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        description=tool.says,
        input_schema=schema_of(tool.fields),
        annotations=hints,
    )


async def _roots(ctx: Asking) -> list[str]:
    able = ctx.session.client_capabilities
    if able is None or able.roots is None or not ctx.session.can_send_request:
        return []
    # Asked where the call is answered: over HTTP, a client need not listen anywhere else.
    beside = ServerMessageMetadata(related_request_id=ctx.request_id)
    with suppress(Exception):  # a client that cannot tell is one without roots
        told = await ctx.session.send_request(
            types.ListRootsRequest(), types.ListRootsResult, ROOTS_PATIENCE, beside
        )
        return [str(root.uri) for root in told.roots[:MOST_ROOTS]]
    return []


def _agent(ctx: Asking) -> str:
    """Return what the client calls itself: it marks what it writes, and is believed no more."""
    params = ctx.session.client_params
    name = "" if params is None else params.client_info.name
    return "".join(letter for letter in name if letter.isprintable()).strip()[:100] or "mcp"


def _session_name() -> str:
    from helix.app.chance import SystemChance
    from helix.capture.acting import MADE_UP

    return SystemChance().event_id().replace("ev_", MADE_UP, 1)


def _told(text: str, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=is_error)


def _sorry(fault: Fault) -> str:
    remedy = f" {one_line(fault.remedy)}." if fault.remedy else ""
    return f"{fault.code}: {one_line(fault.message)}.{remedy}"
