"""The greeting said before the SDK is loaded is the one that the SDK would have given."""

import json

import pytest
from tests.doors.mcp.conftest import called, connected, run
from tests.doors.mcp.test_manners import HELLO, ended, started

from helix.doors.mcp.greeting import REVISIONS, greeting

UNUSUAL = [
    b"",
    b"no json\n",
    b"[]\n",
    json.dumps(HELLO | {"method": "tools/list"}).encode(),
    json.dumps(HELLO | {"id": True}).encode(),
    json.dumps(HELLO | {"id": None}).encode(),
    json.dumps(HELLO | {"more": 1}).encode(),
    json.dumps(HELLO | {"params": []}).encode(),
    *(
        json.dumps(HELLO | {"params": HELLO["params"] | part}).encode()
        for part in (
            {"protocolVersion": "2099-01-01"}, {"protocolVersion": 5}, {"capabilities": []},
            {"capabilities": {"roots": 5}}, {"clientInfo": {"name": "x"}}, {"_meta": {}},
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize("line", UNUSUAL)
def test_what_is_unusual_is_left_to_the_sdk(line):
    assert greeting(line) is None


@pytest.mark.parametrize("revision", [*REVISIONS, "2099-01-01"])
def test_the_sdk_would_have_said_the_same(home, repository, revision):
    """With `_meta` it is left to the SDK; both answers are equal, and each comes once."""
    params = HELLO["params"] | {"protocolVersion": revision}
    answers = []
    for extra in ({}, {"_meta": {}}):
        process = started(home, repository)
        hello = HELLO | {"params": params | extra}
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        for each in (hello, ping):
            process.stdin.write(json.dumps(each).encode() + b"\n")
        process.stdin.flush()
        first, second = (json.loads(process.stdout.readline()) for _ in range(2))
        assert second == {"jsonrpc": "2.0", "id": 2, "result": {}}
        answers.append(first)
        assert ended(process) == 0
    assert answers[0] == answers[1]


def test_the_revisions_are_those_that_the_sdk_negotiates():
    version = pytest.importorskip("mcp_types.version")
    assert tuple(version.HANDSHAKE_PROTOCOL_VERSIONS) == REVISIONS


def test_a_client_that_says_nothing_at_first_is_served_as_well(home, repository):
    """Whoever waits before it speaks finds the SDK loaded, and nothing is lost."""
    import time

    process = started(home, repository)
    time.sleep(0.6)
    process.stdin.write(json.dumps(HELLO).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    assert ended(process) == 0


def test_a_broken_first_line_does_not_end_it(home, repository):
    process = started(home, repository)
    process.stdin.write(b"no json\n" + json.dumps(HELLO).encode() + b"\n")
    process.stdin.flush()
    told = json.loads(process.stdout.readline())
    while told.get("id") != 1:
        told = json.loads(process.stdout.readline())
    assert told["result"]["serverInfo"]["name"] == "helix"
    assert ended(process) == 0


def test_the_sdk_knows_who_was_greeted(home, repository):
    """What a greeted client writes is marked with its name."""

    async def talk():
        async with connected(home, repository, name="greeted-one") as client:
            await called(client, "remember", content="Chose tabs over spaces", type="decision")
            return await called(client, "recall", question="tabs or spaces?")

    failed, text = run(talk())
    assert not failed
    assert "greeted-one" in text
