"""An agent's server does the work of hooks and questions, and nothing depends on it."""

import asyncio
import json
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from tests.doors.mcp.conftest import environment
from tests.doors.mcp.test_manners import HELLO, ended, started

from helix import Helix
from helix.doors.mcp.lending import Lending
from helix.doors.resident import socket_beside

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs sockets with a path")
SCOPE = "project:github.com/acme/shop"
LEFT_OUT = object()


@pytest.fixture
def home():
    """A short path: a socket's may have a hundred letters, and a test's folder has more."""
    with tempfile.TemporaryDirectory(prefix="helix-") as folder:
        yield Path(folder)


def working(home, folder):
    """Start a server whose store is open, and return it."""
    process = started(home, folder)
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    tools = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    for each in (HELLO, ready, tools):
        process.stdin.write(json.dumps(each).encode() + b"\n")
    process.stdin.flush()
    for _ in range(2):
        process.stdout.readline()
    return process


def place(home):
    return Path(socket_beside(home / ".helix" / "memory.db"))


def waited(is_so):
    end = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def hooked(home, folder, use, event="PostToolUse", **more):
    """Run a hook; return what it said and which modules it loaded."""
    said = {"session_id": "s", "cwd": str(folder), "tool_name": "Bash", "tool_use_id": use,
            "tool_input": {"command": f"make {use}"}, "tool_response": {}} | more  # fmt: skip
    said = {name: each for name, each in said.items() if each is not LEFT_OUT}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "helix", "hook", event],
        input=json.dumps(said).encode(), capture_output=True, check=True, timeout=30, cwd=folder,
        env=environment(home) | {"HELIX_HOOK_SECONDS": "15"},
    )  # fmt: skip
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines()}
    return done.stdout.decode(), loaded


def kept(home, use):
    with Helix.open(home / ".helix" / "memory.db", scope=SCOPE, background=False) as memory:
        return memory.by_event(f"hook:s:{use}") is not None


def test_a_hook_is_done_by_the_server_of_the_agent(home, repository):
    """It opens no store, and what it says is kept and told all the same."""
    server = working(home, repository)
    waited(lambda: place(home).exists())
    assert stat.S_IMODE(place(home).stat().st_mode) == 0o600
    _, loaded = hooked(home, repository, "lent")
    assert not {"apsw", "msgspec", "click", "helix.app.facade"} & loaded
    said, loaded = hooked(home, repository, "", "SessionStart")
    assert not {"apsw", "helix.app.facade"} & loaded
    assert "make lent" in json.loads(said)["hookSpecificOutput"]["additionalContext"]
    assert ended(server) == 0
    assert kept(home, "lent")
    assert not place(home).exists()


@pytest.mark.parametrize("cwd", [LEFT_OUT, None, ""])
def test_an_event_that_names_no_folder_is_of_the_folder_its_hook_runs_in(
    home, repository, tmp_path, cwd
):
    """As without a server, which runs elsewhere."""
    server = working(home, tmp_path)
    waited(lambda: place(home).exists())
    _, loaded = hooked(home, repository, "here", cwd=cwd)
    assert "helix.app.facade" not in loaded
    assert ended(server) == 0
    assert kept(home, "here")


def test_what_an_agent_says_of_its_folder_comes_before_where_its_hook_runs(
    home, repository, tmp_path
):
    """Cursor names its folder in words of its own."""
    server = working(home, tmp_path)
    waited(lambda: place(home).exists())
    _, loaded = hooked(
        home, tmp_path, "", "afterShellExecution", cwd=LEFT_OUT, command="make named",
        output="", exit_code=0, workspace_roots=[str(repository)],
    )  # fmt: skip
    assert "helix.app.facade" not in loaded
    assert ended(server) == 0
    with Helix.open(home / ".helix" / "memory.db", scope=SCOPE, background=False) as memory:
        assert memory.upkeep.status().counts


def test_a_question_is_answered_by_the_server_of_the_agent(home, repository):
    """With the same words as without it."""

    def asked():
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "helix", "recall", "what about pnpm?"],
            capture_output=True, check=True, cwd=repository, env=environment(home),
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return done.stdout.decode(), "apsw" in done.stderr.decode()

    (home / ".helix").mkdir()
    with Helix.open(home / ".helix" / "memory.db", scope=SCOPE, background=False) as memory:
        memory.remember("This repo uses pnpm, not npm", type="convention")
    alone, opened = asked()
    assert opened
    server = working(home, repository)
    waited(lambda: place(home).exists())
    assert asked() == (alone, False)
    assert ended(server) == 0


def test_another_server_takes_over_and_a_dead_one_stops_nobody(home, repository):
    """Killed with the socket in its hands, it leaves a file that nobody answers at."""
    first = working(home, repository)
    waited(lambda: place(home).exists())
    first.send_signal(signal.SIGKILL)
    first.wait(timeout=10)
    for pipe in (first.stdin, first.stdout, first.stderr):
        pipe.close()
    assert place(home).exists()
    _, loaded = hooked(home, repository, "alone")
    assert "helix.app.facade" in loaded
    assert kept(home, "alone")
    second, third = working(home, repository), working(home, repository)
    waited(lambda: "helix.app.facade" not in hooked(home, repository, "")[1])
    assert ended(second) == 0
    waited(lambda: "helix.app.facade" not in hooked(home, repository, "")[1])
    assert ended(third) == 0
    assert not place(home).exists()


def test_what_cannot_be_done_is_left_to_the_hook(home, repository):
    """Nonsense at the socket gets no answer, and the server goes on."""
    import socket

    server = working(home, repository)
    waited(lambda: place(home).exists())
    for nonsense in (b"\n", b"hook\n", b"hook Nothing x 2\n{}", b"hook Stop x 99999999999\n"):
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(20)
            link.connect(str(place(home)))
            link.sendall(nonsense)
            link.shutdown(socket.SHUT_WR)
            assert link.recv(100) == b""
    _, loaded = hooked(home, repository, "after")
    assert "helix.app.facade" not in loaded
    assert ended(server) == 0


def test_what_the_settings_say_of_people_counts_for_an_agents_server_that_runs(home, repository):
    """It was opened before they were written."""
    server = working(home, repository)
    waited(lambda: place(home).exists())
    said = {"name": "remember", "arguments": {"content": "The plumber is +49 170 7654321"}}
    call = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": said}
    (home / ".helix" / "settings.toml").write_text("[redaction]\npersonal = true\n")
    server.stdin.write(json.dumps(call).encode() + b"\n")
    server.stdin.flush()
    assert json.loads(server.stdout.readline())["id"] == 3
    assert ended(server) == 0
    with Helix.open(home / ".helix" / "memory.db", scope=SCOPE, background=False) as memory:
        [kept] = [each.content for each in memory.list() if "plumber" in each.content]
    assert "7654321" not in kept


def test_one_that_could_not_listen_keeps_no_other_from_it(home):
    """Whatever lay where its socket belongs, it lets go of the lock, and tries again later."""
    store = home / "memory.db"
    in_the_way = Path(socket_beside(store))
    in_the_way.mkdir()

    async def tried():
        first, second = (Lending(lambda: None, store) for _ in range(2))
        with pytest.raises(OSError, match="hooks"):
            await first._listen()
        in_the_way.rmdir()
        await second._listen()
        assert in_the_way.is_socket()
        second.close()
        await first._listen()
        assert in_the_way.is_socket()
        first.close()

    asyncio.run(tried())
    assert not in_the_way.exists()


def test_one_that_cannot_take_calls_leaves_no_socket_behind(home, monkeypatch):
    """Nor the lock: a socket that nobody listens at would keep every hook waiting."""
    store = home / "memory.db"

    async def refused(*_, **__):
        raise OSError(24, "Too many open files")

    async def tried():
        lending = Lending(lambda: None, store)
        with monkeypatch.context() as patched:
            patched.setattr(asyncio, "start_unix_server", refused)
            with pytest.raises(OSError, match="Too many"):
                await lending._listen()
        other = Lending(lambda: None, store)
        await other._listen()
        assert Path(socket_beside(store)).is_socket()
        other.close()

    asyncio.run(tried())
