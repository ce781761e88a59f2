"""Nothing leaves the machine: no door opens a socket, and no model is called, unless configured."""

from __future__ import annotations

import socket
from contextlib import suppress

import click
import pytest

from helix import Helix
from helix.doors.cli.door import Door
from helix.doors.cli.main import called
from helix.doors.cli.table import COMMANDS
from helix.model.errors import HelixError

LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture
def watched(monkeypatch):
    """Refuse every connection that is not loopback, and note that it was tried."""
    tried: list[object] = []
    connect, resolve = socket.socket.connect, socket.getaddrinfo

    def connecting(self, address):
        if self.family != socket.AF_UNIX and address[0] not in LOOPBACK:
            tried.append(address)
            raise OSError("refused by the test")
        return connect(self, address)

    def resolving(host, *rest, **more):
        if host not in LOOPBACK | {None, ""}:
            tried.append(host)
            raise OSError("refused by the test")
        return resolve(host, *rest, **more)

    monkeypatch.setattr(socket.socket, "connect", connecting)
    monkeypatch.setattr(socket.socket, "connect_ex", connecting)
    monkeypatch.setattr(socket, "getaddrinfo", resolving)
    return tried


def test_the_watch_itself_works(watched):
    """A check that cannot fail is none."""
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    assert watched


def test_no_command_touches_the_network(watched, tmp_path, monkeypatch, capsys):
    """Every command is run, on a home of its own, with nothing configured."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with Helix.open(tmp_path / "memory.db", scope="project:shop") as memory:
        held = memory.remember("water is wet").memory.id
        other = memory.remember("fire is hot").memory.id
        lines = {
            "init": [], "tour": [], "completion": ["bash"], "capture": ["it rained"],
            "session": ["start"], "remember": ["ice is cold"], "recall": ["water"],
            "show": [held], "why": [held], "list": [], "log": [], "status": [],
            "confirm": [held], "relate": [held, "near", other], "pin": [held],
            "forget": [held], "restore": [held], "correct": [held, "water is blue"],
            "rollback": ["--to", "2"], "verify": [], "rebuild": [], "enrich": [], "doctor": [],
            "review": [], "subject": ["water"], "scrub": ["--check"], "attest": [],
            "erase": ["--subject", "fire is hot", "--yes"],
        }  # fmt: skip
        assert set(lines) <= set(COMMANDS)
        for name, rest in lines.items():
            # What it answers, or why it refuses, is for other tests.
            with suppress(HelixError, click.exceptions.Exit):
                called([name, *rest], Door(held=memory))
    assert watched == []
