"""Nothing leaves the machine: no door opens a socket, and no model is called, unless configured."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress

import click
import pytest
from tests.doors.mcp.conftest import make_repository
from tests.doors.sleepers import awake
from tests.doors.spying import Spy

from helix import Helix
from helix.doors.cli.door import Door
from helix.doors.cli.main import called
from helix.doors.cli.table import COMMANDS
from helix.doors.hooks.events import NAMES
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
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    note = tmp_path / "note.md"
    note.write_text("# Water\n\nIt boils at a hundred degrees.\n")
    with Helix.open(tmp_path / "memory.db", scope="project:shop") as memory:
        held = memory.remember("water is wet").memory.id
        other = memory.remember("fire is hot").memory.id
        episode = memory.capture("it rained all night").memory.id
        lines = {
            "init": [], "tour": [], "completion": ["bash"], "capture": ["it rained"],
            "session": ["start"], "remember": ["ice is cold"], "recall": ["water"],
            "show": [held], "why": [held], "list": [], "log": [], "status": [],
            "confirm": [held], "relate": [held, "near", other], "pin": [held],
            "forget": [held], "restore": [held], "correct": [held, "water is blue"],
            "rollback": ["--to", "2"], "verify": [], "rebuild": [], "enrich": [], "doctor": [],
            "review": [], "trust": [], "subject": ["water"], "scrub": ["--check"], "attest": [],
            "import": [str(note)], "export": ["--markdown", str(tmp_path / "out")],
            "used": [held], "promote": [episode, "rain fell"], "demote": [other], "curve": [held],
            "about": ["water"], "around": ["today"], "context": [], "sleep": [], "flush": [],
            "runs": [], "resolve": ["edge_x", "first"], "sweep": [], "models": ["list"],
            "adopt": ["project:other"], "connect": ["--list"], "disconnect": [],
            "erase": ["--subject", "fire is hot", "--yes"],
        }  # fmt: skip
        # These are processes of their own, below.
        assert set(lines) == set(COMMANDS) - {"demo", "hook", "mcp", "serve"}
        for name, rest in lines.items():
            # What it answers, or why it refuses, is for other tests.
            with suppress(HelixError, click.exceptions.Exit):
                called([name, *rest], Door(held=memory))
    assert watched == []


@pytest.fixture
def spy(tmp_path):
    return Spy(tmp_path)


@pytest.fixture
def place(tmp_path, spy):
    """A home and a repository, and how a process is started there, with nothing configured."""
    home = tmp_path / "home"
    home.mkdir()
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "HELIX_HOME": str(home / ".helix"),
        "LANG": "C.UTF-8", "HELIX_HOOK_SECONDS": "20", **spy.environment,
    }  # fmt: skip
    return folder, environment


def ran(place, *args, given=b""):
    """Run Python there to its end."""
    folder, environment = place
    done = subprocess.run(
        [sys.executable, *args], input=given, capture_output=True, check=False, cwd=folder,
        env=environment, timeout=60,
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_spy_itself_works(place, spy):
    """It sees what a child tries, whatever becomes of it."""
    ran(place, "-c", "import socket; socket.create_connection(('192.0.2.1', 9), 0.01)")
    assert ("socket.connect", "192.0.2.1") in spy.outside()


def test_processes_of_the_command_line_and_hooks_stay_at_home(place, spy):
    """A first session, a night of sleep, and every hook, each as an agent would start it."""
    lines = (
        ["demo"], ["init", "--no"], ["capture", "npm ci failed: ERESOLVE", "--session", "s1"],
        ["remember", "This repo uses pnpm"], ["recall", "npm or pnpm?"], ["sleep"], ["flush"],
        ["enrich"], ["doctor"], ["models", "list"], ["status"],
    )  # fmt: skip
    for line in lines:
        code, _, error = ran(place, "-m", "helix", *line)
        assert code in (0, 1), (line, error)
    for name in NAMES:
        said = {"session_id": "s1", "cwd": str(place[0]), "prompt": "which package manager?",
                "tool_name": "Bash", "tool_input": {"command": "npm test"},
                "tool_response": {"stderr": "ERESOLVE", "exit_code": 1}}  # fmt: skip
        code, _, error = ran(place, "-m", "helix", "hook", name, given=json.dumps(said).encode())
        assert (code, error) == (0, "")
    awake(place[0].parent / "home" / ".helix" / "memory.db")
    assert spy.outside() == []
    assert not any(event == "urllib.Request" for event, _ in spy.seen())


def test_the_mcp_server_stays_at_home(place, spy):
    """It speaks over its pipes, and reaches for nothing."""
    pytest.importorskip("mcp")
    calls = [("remember", {"content": "This repo uses pnpm"}), ("recall", {"question": "pnpm?"})]
    lines = [
        {"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}}},
        {"method": "notifications/initialized"},
        *({"id": number, "method": "tools/call", "params": {"name": name, "arguments": given}}
          for number, (name, given) in enumerate(calls, start=2)),
    ]  # fmt: skip
    folder, environment = place
    process = subprocess.Popen(
        [sys.executable, "-m", "helix", "mcp"], cwd=folder, env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    answers = []
    try:
        for line in lines:
            process.stdin.write(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n")
            process.stdin.flush()
            while "id" in line:  # what it says of itself in between is passed over
                answers.append(json.loads(process.stdout.readline()))
                if answers[-1].get("id") == line["id"]:
                    break
    finally:
        process.communicate(timeout=30)
    assert "pnpm" in json.dumps(answers[-1])
    assert spy.outside() == []
    assert not any(event == "socket.bind" for event, _ in spy.seen())


def test_the_http_server_is_bound_to_loopback_and_reaches_for_nothing(place, spy):
    """Questions, captures and hooks over HTTP, from this machine."""
    pytest.importorskip("mcp")
    folder, environment = place
    process = subprocess.Popen(
        [sys.executable, "-m", "helix", "serve", "--port=0", "--json"], cwd=folder,
        env=environment | {"HELIX_TOKEN": "t"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        address = json.loads(process.stdout.readline())["address"]
        port = int(address.rsplit(":", 1)[1])
        asked = [
            ("POST", "/v1/memories", {"content": "This repo uses pnpm"}),
            ("POST", "/v1/recall", {"question": "npm or pnpm?"}),
            ("POST", "/v1/hooks/UserPromptSubmit", {"prompt": "npm or pnpm?", "session_id": "s"}),
            ("GET", "/metrics", None),
        ]
        statuses = [_asked(port, folder, *each) for each in asked]
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert all(status < 500 for status in statuses), statuses
    assert spy.outside() == []
    assert {where for event, where in spy.seen() if event == "socket.bind"} == {"127.0.0.1"}


def _asked(port, folder, method, path, body):
    headers = {"Authorization": "Bearer t", "Helix-Folder": str(folder)}
    raw = None if body is None else json.dumps(body).encode()
    headers |= {} if raw is None else {"Content-Type": "application/json"}
    for _ in range(100):
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        try:
            link.request(method, path, raw, headers)
            return link.getresponse().status
        except ConnectionRefusedError:
            time.sleep(0.1)
        finally:
            link.close()
    raise AssertionError("it does not answer")
