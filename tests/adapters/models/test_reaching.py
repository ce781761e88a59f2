"""Finding out whether a server is there, without asking it anything."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import closing

import pytest

from helix.adapters.models.reaching import reached

FAR = "https://models.example.com/v1"


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that has none."""
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_a_name_that_nobody_resolves_in_time_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Looking up a name knows no deadline of its own."""
    over = threading.Event()

    def in_time_for_nobody(*_: object, **__: object) -> list[object]:
        over.wait(5)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", in_time_for_nobody)
    began = time.monotonic()
    found = reached(FAR, "", {}, seconds=0.1)
    over.set()
    assert time.monotonic() - began < 2
    assert (found.ready, found.says) == (False, "nothing answers there: not within 0.2 s")


def test_a_name_that_there_is_not_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the words of the system."""

    def nobody(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nobody)
    assert reached(FAR, "", {}).says == "nothing answers there: Name or service not known"


def test_a_name_that_cannot_be_one_is_no_fault_of_helix() -> None:
    """A part of a name has 63 letters at most; Python says so with another error."""
    assert not reached(f"http://{'a' * 70}.example/v1", "", {}).ready


def test_where_a_proxy_is_set_it_is_the_one_that_must_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Requests go through it; the server may be out of reach without it. No password is shown."""
    with closing(socket.create_server(("127.0.0.1", 0))) as proxy:
        port = proxy.getsockname()[1]
        monkeypatch.setenv("https_proxy", f"http://me:hunter2@127.0.0.1:{port}")
        found = reached(FAR, "", {})
    assert (found.ready, found.says) == (
        True, f"the proxy 127.0.0.1:{port} answers, through which it is asked",
    )  # fmt: skip
    away = reached(FAR, "", {})
    assert not away.ready
    assert away.says.startswith(f"the proxy 127.0.0.1:{port}, through which it is asked, does not")
    assert "no_proxy" in away.remedy
    assert "hunter2" not in found.says + away.says


def test_this_machine_is_reached_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """As requests are."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        found = reached(f"http://localhost:{server.getsockname()[1]}/v1", "", {})
    assert (found.ready, found.says) == (True, "something answers there")


@pytest.mark.parametrize("proxy", ["http://h:port", "http://[::1", ""])
def test_a_proxy_that_is_none_breaks_nothing(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    """What it is set to is somebody else's to correct."""
    monkeypatch.setenv("https_proxy", proxy)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [])
    assert not reached(FAR, "", {}).ready
