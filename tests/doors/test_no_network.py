"""Nothing leaves the machine: no door opens a socket, and no model is called, unless configured."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import click
import pytest
from tests.doors.mcp.conftest import make_repository
from tests.doors.sleepers import awake
from tests.doors.spying import Spy
from tests.sleep.chat_server import ChatServer

from helix import Helix
from helix.doors.cli.door import Door
from helix.doors.cli.main import called
from helix.doors.cli.table import COMMANDS
from helix.doors.hooks.events import NAMES
from helix.doors.mcp.tools import DEFAULT, MORE
from helix.doors.rest.operations import OPERATIONS
from helix.model.errors import HelixError

INITIALIZE = {"id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {"sampling": {}},
    "clientInfo": {"name": "t", "version": "1"}}}  # fmt: skip
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
            "scratch": ["add", "look at the rain"], "retain": ["--dry-run"],
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
    notes = place[0] / "notes.md"
    notes.write_text("# Water\n\nIt boils at a hundred degrees.\n")
    out = str(place[0].parent / "out")
    lines = (
        ["demo"], ["init", "--no"], ["capture", "npm ci failed: ERESOLVE", "--session", "s1"],
        ["remember", "This repo uses pnpm"], ["recall", "npm or pnpm?"], ["sleep"], ["flush"],
        ["enrich"], ["doctor"], ["models", "list"], ["status"], ["connect", "claude-code"],
        ["disconnect", "claude-code"], ["import", str(notes)], ["import", "auto", "--yes"],
        ["export", "--markdown", out], ["import", "--markdown", out, "--yes"], ["sleep", "--owed"],
        ["attest", "--out", str(place[0].parent / "head.json")],
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
    """It speaks over its pipes, is asked for every tool it has, and reaches for nothing."""
    pytest.importorskip("mcp")
    tools = _calls(tool.name for tool in (*DEFAULT, *MORE))
    lines = [INITIALIZE, {"method": "notifications/initialized"}, *tools]
    folder, environment = place
    process = subprocess.Popen(
        [sys.executable, "-m", "helix", "mcp", "--tools=full"], cwd=folder, env=environment,
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
                assert "method" not in answers[-1], "it asks for its client's model"
    finally:
        process.communicate(timeout=30)
    told = {each["id"]: json.dumps(each) for each in answers if "id" in each}
    assert "pnpm" in told[tools[-1]["id"]]
    assert len(told) == len(tools) + 1
    assert "unexpected" not in "".join(told.values())
    assert spy.outside() == []
    bound = [where for event, where in spy.seen() if event == "socket.bind"]
    assert all(where.startswith("/") for where in bound), bound


def _calls(names):
    """Return a call of every tool, with words for whatever it takes; what is asked for last."""
    given = {"content": "This repo uses pnpm", "question": "npm or pnpm?", "id": "mem_x",
             "key": "k", "reply": "{}", "subject": "pnpm", "memory_id": "mem_x"}  # fmt: skip
    fields = {tool.name: {field.name for field in tool.fields} for tool in (*DEFAULT, *MORE)}
    order = sorted(names, key=lambda name: (name == "recall", name))
    return [
        {"id": number, "method": "tools/call", "params": {
            "name": name, "arguments": {k: v for k, v in given.items() if k in fields[name]}}}
        for number, name in enumerate(order, start=2)
    ]  # fmt: skip


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
            ("POST", "/v1/commands/recall", {"args": ["pnpm"], "folder": str(folder),
                                             "home": environment["HELIX_HOME"],
                                             "terminal": False, "colour": False}),
            ("GET", "/metrics", None),
            ("GET", "/healthz", None),
            ("GET", "/openapi.json", None),
            ("POST", "/mcp", {"jsonrpc": "2.0", **INITIALIZE}),
            *((each.method, each.path.replace("{id}", "mem_x"), _words_for(each))
              for each in OPERATIONS),
        ]  # fmt: skip
        statuses = {each[:2]: _asked(port, folder, *each) for each in asked}
        assert statuses["POST", "/mcp"] == statuses["POST", "/v1/commands/recall"] == 200
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert all(status < 500 for status in statuses.values()), statuses
    assert spy.outside() == []
    assert {where for event, where in spy.seen() if event == "socket.bind"} == {"127.0.0.1"}


def test_a_resident_that_sleeps_by_itself_stays_at_home(place, spy):
    """What is owed is slept over in a child of the server's, watched like its parent."""
    pytest.importorskip("mcp")
    folder, environment = place
    home = Path(environment["HELIX_HOME"])
    home.mkdir()
    (home / "settings.toml").write_text("[sleep]\nevery_hours = 1e-9\nlook_seconds = 0.2\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "helix", "serve", "--port=0", "--json"], cwd=folder,
        env=environment | {"HELIX_TOKEN": "t"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        port = int(json.loads(process.stdout.readline())["address"].rsplit(":", 1)[1])
        said = {"content": "we decided to use pnpm"}
        assert _asked(port, folder, "POST", "/v1/captures", said) == 200
        until = time.monotonic() + 60
        with Helix.open(
            home / "memory.db", scope="project:github.com/acme/shop", background=False
        ) as memory:
            while not any(run.state.value == "finished" for run in memory.sleeping.runs()):
                assert time.monotonic() < until
                time.sleep(0.05)
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert spy.outside() == []
    assert not any(event == "urllib.Request" for event, _ in spy.seen())


def test_a_model_is_called_where_one_is_configured_and_nowhere_else(place, spy):
    """The other side: the same sleep, told of a model on this machine, asks it, and only it."""
    _, environment = place
    home = Path(environment["HELIX_HOME"])
    with closing(ChatServer()) as chat:
        home.mkdir()
        model = f'[language_model]\nurl = "{chat.url}"\nmodel = "m"\n'
        (home / "settings.toml").write_text(model)
        for text in ("We use pnpm here", "Deploys go to Hetzner"):
            ran(place, "-m", "helix", "capture", text, "--session", "s1")
        code, _, error = ran(place, "-m", "helix", "sleep")
        assert code in (0, 1), error
        assert chat.requests
    assert any(event == "urllib.Request" and chat.url in where for event, where in spy.seen())
    away = [where for event, where in spy.outside() if chat.url not in where]
    assert away == []


def _words_for(operation):
    """Return a body with words for whatever an operation takes."""
    if not operation.body:
        return None
    given = {"content": "This repo uses pnpm", "question": "pnpm?", "id": "mem_x", "quality": 3}
    return {each.name: given[each.name] for each in operation.body if each.name in given}


def _asked(port, folder, method, path, body):
    headers = {"Authorization": "Bearer t", "Helix-Folder": str(folder),
               "Accept": "application/json, text/event-stream"}  # fmt: skip
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
