"""The real server in a process of its own, and the official client."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

mcp = pytest.importorskip("mcp")

PROGRAM = Path(sys.executable).with_name("helix")


def environment(home):
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    return kept | {"HOME": str(home), "HELIX_HOME": str(home / ".helix"), "LANG": "C.UTF-8"}


@asynccontextmanager
async def connected(home, folder, *args, roots=None, name="tester", extra=None):
    """Give a client of a server that was started in `folder`.

    `roots` are folders, or a coroutine function that returns them when it is asked.
    """
    from mcp.client.stdio import StdioServerParameters, stdio_client
    from mcp_types import Implementation, ListRootsResult, Root

    async def told(_context):
        folders = await roots() if callable(roots) else roots
        return ListRootsResult(roots=[Root(uri=Path(each).as_uri()) for each in folders])

    how = StdioServerParameters(
        command=str(PROGRAM), args=["mcp", *args], env=environment(home) | (extra or {}),
        cwd=str(folder),
    )  # fmt: skip
    async with (
        stdio_client(how) as (reading, writing),
        mcp.ClientSession(
            reading, writing,
            list_roots_callback=told if roots is not None else None,
            client_info=Implementation(name=name, version="1"),
        ) as client,
    ):  # fmt: skip
        await client.initialize()
        yield client


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path / "shop", "github.com/acme/shop")


def make_repository(folder, remote):
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = https://{remote}.git\n')
    return folder


def run(coroutine):
    return asyncio.run(asyncio.wait_for(coroutine, timeout=120))


async def called(client, tool, /, **arguments):
    answer = await client.call_tool(tool, arguments)
    return answer.is_error, answer.content[0].text
