"""The client's roots are asked for when they can be told, and nothing else settles its folder."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from tests.doors.mcp.conftest import called, connected, make_repository, mcp, run
from tests.doors.rest.conftest import TOKEN, ended, started

FULL = "--tools=full"
SHOP = "project:github.com/acme/shop"
OTHER = "project:github.com/acme/other"
WARM = 1.5
"""Seconds after which a server that was asked for its tools has opened the store."""


@pytest.fixture
def other(tmp_path):
    return make_repository(tmp_path / "other", "github.com/acme/other")


@pytest.fixture
def served(home, repository):
    server = started(home, repository, FULL)
    yield server
    ended(server)


async def seen(client):
    """Return the scope that a client works in."""
    failed, told = await called(client, "status")
    assert not failed
    return told.split()[1].removesuffix(":")


@asynccontextmanager
async def over_http(server, folder):
    """Give a client of `helix serve` whose root is `folder`."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client
    from mcp_types import ListRootsResult, Root

    async def told(_context):
        return ListRootsResult(roots=[Root(uri=folder.as_uri())])

    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=20) as http,
        streamable_http_client(address(server), http_client=http) as streams,
        mcp.ClientSession(streams[0], streams[1], list_roots_callback=told) as client,
    ):
        await client.initialize()
        yield client


def address(server):
    return f"http://127.0.0.1:{server.port}/mcp"


def test_a_client_that_lists_the_tools_first_is_asked_as_well(home, repository, other):
    """Opening the store ahead of time must not settle where the client works."""

    async def use():
        async with connected(home, other, FULL, roots=[repository]) as client:
            await client.list_tools()
            await asyncio.sleep(WARM)
            return await seen(client)

    assert run(use()) == SHOP


def test_over_http_a_client_that_lists_the_tools_first_is_asked_as_well(served):
    async def use():
        async with over_http(served, served.folder) as client:
            await client.list_tools()
            await asyncio.sleep(WARM)
            return await seen(client)

    assert run(use()) == SHOP


@pytest.mark.parametrize("pause", [0.2, 3.0])
def test_changed_roots_count_from_then_on(home, repository, other, tmp_path, pause):
    """Also where the work of an idle moment falls between the news and the next call."""
    from mcp_types import RootsListChangedNotification

    roots = [repository]

    async def use():
        async with connected(home, tmp_path, FULL, roots=roots) as client:
            before = await seen(client)
            roots[:] = [other]
            await client.send_notification(RootsListChangedNotification())
            await asyncio.sleep(pause)
            return before, await seen(client)

    assert run(use()) == (SHOP, OTHER)


class OnlyPosts:
    """A client over HTTP that never opens the optional stream of its own."""

    def __init__(self, http, server, folder):
        self.http, self.url, self.folder = http, address(server), folder
        self.headers = {"Accept": "application/json, text/event-stream"}

    async def said(self, method, params=None, number=None):
        document = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        document |= {} if number is None else {"id": number}
        async with self.http.stream("POST", self.url, json=document, headers=self.headers) as told:
            if "mcp-session-id" in told.headers:
                self.headers["mcp-session-id"] = told.headers["mcp-session-id"]
            async for line in told.aiter_lines():
                data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
                message = json.loads(data or "{}")
                if message.get("method") == "roots/list":
                    await self.tell_roots(message["id"])
                elif number is not None and message.get("id") == number:
                    return message["result"]
        return None

    async def tell_roots(self, number):
        told = {"roots": [{"uri": self.folder.as_uri()}]}
        document = {"jsonrpc": "2.0", "id": number, "result": told}
        await self.http.post(self.url, json=document, headers=self.headers)


def test_over_http_the_roots_are_asked_for_where_the_call_is_answered(served):
    """A client need not listen anywhere else."""
    import httpx2

    hello = {
        "protocolVersion": "2025-06-18", "capabilities": {"roots": {}},
        "clientInfo": {"name": "posts", "version": "1"},
    }  # fmt: skip

    async def use():
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(headers=bearer, timeout=20) as http:
            client = OnlyPosts(http, served, served.folder)
            await client.said("initialize", hello, 1)
            await client.said("notifications/initialized")
            return await client.said("tools/call", {"name": "status", "arguments": {}}, 2)

    assert SHOP in run(use())["content"][0]["text"]


def test_a_first_call_that_is_cancelled_settles_nothing(home, repository, other):
    """Whoever calls next is asked again, and is not left with what everybody sees."""
    heard, may_answer = asyncio.Event(), asyncio.Event()

    async def roots():
        heard.set()
        await may_answer.wait()
        return [repository]

    async def use():
        async with connected(home, other, FULL, roots=roots) as client:
            first = asyncio.create_task(called(client, "recall", question="npm"))
            await heard.wait()
            first.cancel()
            await asyncio.wait([first])
            await asyncio.sleep(0.5)
            may_answer.set()
            return await seen(client)

    assert run(use()) == SHOP


def test_a_client_that_does_not_tell_its_roots_is_where_it_started_us(home, other):
    async def roots():
        await asyncio.sleep(60)
        return []

    async def use():
        async with connected(home, other, FULL, roots=roots) as client:
            return await seen(client)

    assert run(use()) == OTHER


def test_a_root_that_is_not_there_is_passed_over(home, repository, other, tmp_path):
    """The next one counts, else where the server was started; never what everybody sees."""
    gone = tmp_path / "gone"

    async def use(*roots):
        async with connected(home, other, FULL, roots=roots) as client:
            return await seen(client)

    assert run(use(gone, repository)) == SHOP
    assert run(use(gone)) == OTHER


def test_over_http_a_folder_that_is_gone_is_still_one_of_its_repository(served):
    async def use():
        async with over_http(served, served.folder / "gone") as client:
            return await seen(client)

    assert run(use()) == SHOP
