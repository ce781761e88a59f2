"""A connection is kept for whole requests: the first one, and each one after it."""

from __future__ import annotations

import socket
import threading
import time

import pytest

pytest.importorskip("mcp")
uvicorn = pytest.importorskip("uvicorn")
patience = pytest.importorskip("helix.doors.rest.patience")

PATIENCE = 0.5
WHOLE = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def turns_away(scope, receive, send):
    """Answer at once, whatever body is still to come."""
    del receive
    assert scope["type"] == "http"
    await send(
        {"type": "http.response.start", "status": 401, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"no"})


@pytest.fixture
def port(monkeypatch):
    """Serve with the protocol that Helix serves with, and less patience."""
    monkeypatch.setattr(patience, "HEADER_PATIENCE", PATIENCE)
    link = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        turns_away, log_level="error", http=patience.Impatient, lifespan="off", ws="none",
        timeout_keep_alive=60,
    )  # fmt: skip
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [link]})
    thread.start()
    yield link.getsockname()[1]
    server.should_exit = True
    thread.join(10)


def answered(link, request):
    link.sendall(request)
    got = b""
    while not got.endswith(b"\r\n\r\nno"):
        more = link.recv(1000)
        assert more
        got += more


def is_closed(link, within):
    link.settimeout(within)
    try:
        return link.recv(10) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


@pytest.mark.parametrize(
    "further",
    [
        pytest.param(b"G", id="one byte of the next request"),
        pytest.param(WHOLE[:-2], id="all but its end"),
        pytest.param(WHOLE + b"G", id="a whole one, and a byte"),
    ],
)
def test_half_a_request_after_a_whole_one_is_not_waited_for(port, further):
    """As little as half a first one."""
    with socket.create_connection(("127.0.0.1", port), 5) as link:
        answered(link, WHOLE)
        if further.startswith(WHOLE):
            answered(link, WHOLE)
            further = further[len(WHOLE) :]
        link.sendall(further)
        assert is_closed(link, 5)


def test_bytes_one_by_one_do_not_prolong_it(port):
    """What counts is when the wait began."""
    with socket.create_connection(("127.0.0.1", port), 5) as link:
        answered(link, WHOLE)
        begun = time.monotonic()
        for each in WHOLE[:30]:
            try:
                link.sendall(bytes([each]))
            except ConnectionError:
                break
            if is_closed(link, PATIENCE / 5):
                break
        assert time.monotonic() - begun < 4 * PATIENCE


def test_a_body_that_nobody_waits_for_is_not_waited_for(port):
    """Who was turned away before the body came may not keep the connection by sending it."""
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), 5) as link:
        answered(link, head)
        link.sendall(b"x")
        assert is_closed(link, 5)


def test_whole_requests_one_after_another_are_answered(port):
    """However long all of them take together."""
    with socket.create_connection(("127.0.0.1", port), 5) as link:
        for _ in range(8):
            answered(link, WHOLE)
            time.sleep(PATIENCE / 4)
        answered(link, WHOLE)
