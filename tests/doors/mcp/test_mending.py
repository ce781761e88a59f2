"""Nobody who asked waits for ever: what cannot be read is mended, or answered with an error."""

from __future__ import annotations

import json

import pytest
from tests.doors.mcp.test_manners import HELLO, ended, started

CALL = (
    rb'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"capture","arguments":%b}}'
)


@pytest.fixture
def server(home, repository):
    process = started(home, repository)
    tell(process, json.dumps(HELLO).encode())
    answer(process)
    tell(process, b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    yield process
    assert ended(process) == 0


def tell(process, line):
    process.stdin.write(line + b"\n")
    process.stdin.flush()


def answer(process):
    return json.loads(process.stdout.readline())


def test_half_a_letter_is_replaced_and_the_call_answered(server):
    r"""As `JSON.stringify` writes it when a text was cut by length: `\ud83d` alone."""
    tell(server, CALL % (7, rb'{"content":"the build broke \ud83d after the cut"}'))
    told = answer(server)
    assert told["id"] == 7
    assert "Captured" in told["result"]["content"][0]["text"]
    whole = rb'{"content":"a whole \ud83d\ude00 stays"}'
    tell(server, CALL % (8, whole))
    assert answer(server)["id"] == 8


@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"no json", None, -32700),
        (b'{"jsonrpc":"2.0","id":1,', None, -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":[]}', 9, -32600),
        (b'{"jsonrpc":"2.0","id":"x","method":5}', "x", -32600),
        (b"[1, 2]", None, -32600),
        (b'{"a": 1}', None, -32600),
    ],
)
def test_what_is_no_request_is_answered_with_an_error(server, line, number, code):
    tell(server, line)
    told = answer(server)
    assert (told["id"], told["error"]["code"]) == (number, code)


@pytest.mark.parametrize(
    "line", [b"", b"  ", b'{"jsonrpc":"2.0","method":"notifications/x","params":[]}']
)
def test_where_nobody_waits_nothing_is_said(server, line):
    tell(server, line)
    tell(server, b'{"jsonrpc":"2.0","id":3,"method":"ping"}')
    assert answer(server) == {"jsonrpc": "2.0", "id": 3, "result": {}}
