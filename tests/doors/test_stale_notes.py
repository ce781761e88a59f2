"""A note of a server that is gone sends nobody anywhere, also while the next one starts."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helix.doors import resident
from helix.doors.resident import is_held, lock_beside, note_beside
from helix.doors.rest import serving
from helix.doors.rest.serving import _alone, running, stop
from helix.model.errors import StoreUnavailable

fcntl = pytest.importorskip("fcntl", reason="there are no such locks on Windows")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store whose server was killed: its note is there, and its lock is free."""
    path = tmp_path / "memory.db"
    monkeypatch.setenv("HELIX_STORE", str(path))
    noted(path, 1)
    Path(lock_beside(path)).touch()
    return path


def noted(store: Path, port: int, **more: object) -> None:
    told = {"pid": 2**22 + 1, "port": port, "token": "old", **more}
    Path(note_beside(store)).write_text(json.dumps(told))


@contextmanager
def listening(answer: bytes) -> Iterator[int]:
    """Somebody else at a port, who gives everybody the same answer."""
    with socket.create_server(("127.0.0.1", 0)) as link:

        def serve() -> None:
            caller, _ = link.accept()
            with caller:
                caller.recv(1 << 16)
                caller.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield link.getsockname()[1]
        thread.join(10)


def test_a_server_that_starts_is_not_taken_for_the_one_before(store: Path) -> None:
    """It may take long, if it lifts the store to a new version; nobody is sent to the old port."""
    with _alone(store):
        assert is_held(store)
        assert running(store) is None
        assert resident.resident() is None
        assert resident.posted("/v1/hooks/Stop", b"{}") is None


def test_a_server_that_starts_is_not_stopped_by_the_number_of_another(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has that number now is left alone, and it is not said that none runs."""
    monkeypatch.setattr(serving.os, "kill", lambda *_: pytest.fail("somebody was signalled"))
    with _alone(store), pytest.raises(StoreUnavailable) as refused:
        stop(store)
    assert refused.value.code == "starting_or_ending"
    assert stop(store) is False


@pytest.mark.parametrize("answered", [b"", b"Helix-Known-By: another\r\n", b"Helix-Known-By:\r\n"])
def test_work_is_not_done_because_a_stranger_says_so(store: Path, answered: bytes) -> None:
    """Whoever listens where the server did says 200 to anything; the hook does it itself then."""
    answer = b"HTTP/1.1 200 OK\r\n" + answered + b'\r\n{"context": "thank you"}'
    with _alone(store), listening(answer) as port:
        noted(store, port, known_by="a-word")
        assert resident.posted("/v1/hooks/Stop", b"{}") is None


@pytest.mark.parametrize("known_by", [{}, {"known_by": ""}, {"known_by": None}])
def test_a_server_that_could_not_be_known_is_not_asked(store: Path, known_by: dict) -> None:
    """One of an earlier version leaves no word by which it could be."""
    with _alone(store):
        noted(store, 1, **known_by)
        assert resident.resident() is None


def test_work_is_done_when_the_server_of_the_note_says_so(store: Path) -> None:
    answer = b'HTTP/1.1 200 OK\r\nhelix-known-by: a-word\r\n\r\n{"context": ""}'
    with _alone(store), listening(answer) as port:
        noted(store, port, known_by="a-word")
        assert resident.posted("/v1/hooks/Stop", b"{}") == b'{"context": ""}'


def test_two_who_look_at_once_do_not_take_each_other_for_a_server(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hooks come by in swarms, and each looks whether the lock is held."""
    real, seen = fcntl.flock, []

    def meanwhile(file: object, how: int) -> None:
        real(file, how)
        if not seen:
            seen.append(None)
            seen[0] = is_held(store)

    monkeypatch.setattr(fcntl, "flock", meanwhile)
    assert is_held(store) is False
    assert seen == [False]


def test_one_who_looks_does_not_keep_a_server_from_starting(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look takes no time, and is waited for."""
    with Path(lock_beside(store)).open("rb") as look:
        fcntl.flock(look, fcntl.LOCK_SH)
        monkeypatch.setattr(serving.time, "sleep", lambda _: look.close())
        with _alone(store):
            assert is_held(store)
