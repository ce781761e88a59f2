"""With hooks alone, somebody sleeps all the same: one process, which no hook waits for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from benchmarks.storm import processes_of
from tests.doors.mcp.conftest import make_repository
from tests.doors.sleepers import asleep, awake
from tests.sleep.chat_server import ChatServer

from helix import Helix
from helix.doors.hooks.events import DEADLINES

SCOPE = "project:github.com/acme/shop"
SLACK = 3.0
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home" / ".helix"
    folder.mkdir(parents=True)
    yield folder
    awake(folder / "memory.db")


@pytest.fixture
def shop(tmp_path):
    return make_repository(tmp_path / "shop", "github.com/acme/shop")


@pytest.fixture
def slow_model(home):
    """A model that thinks until it is let go: whoever sleeps stays asleep as long."""
    server, go = ChatServer(), threading.Event()

    def answer(_material):
        go.wait(60)
        return []

    server.answer = answer
    server.go = go
    told = f'[language_model]\nurl = "{server.url}"\nmodel = "slow"\n'
    (home / "settings.toml").write_text(told)
    yield server
    go.set()
    awake(home / "memory.db")
    server.close()


def environment(home):
    return {
        "PATH": os.environ["PATH"], "HOME": str(home.parent), "HELIX_HOME": str(home),
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""), "HELIX_HOOK_SECONDS": "15",
    }  # fmt: skip


def command(event):
    return [sys.executable, "-m", "helix", "hook", event]


def hook(home, folder, event, **said):
    """Run one hook as an agent does: to the end of its output, which a child may not hold."""
    said = {"session_id": "s1", "cwd": str(folder), **said}
    began = time.monotonic()
    done = subprocess.run(
        command(event), input=json.dumps(said).encode(), capture_output=True, check=True,
        timeout=30, cwd="/", env=environment(home),
    )  # fmt: skip
    assert done.stderr == b""
    return time.monotonic() - began


def worked(home, folder):
    """Do a little in a session, so that its end owes sleep."""
    hook(home, folder, "SessionStart")
    hook(home, folder, "UserPromptSubmit", prompt="we decided to use pnpm instead of npm here")


def opened(home):
    return Helix.open(home / "memory.db", scope=SCOPE, background=False)


def runs(home):
    with opened(home) as memory:
        return [(each.reason, each.state.value) for each in memory.sleeping.runs()]


def until(is_so):
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_end_of_a_session_is_slept_over_by_a_process_of_its_own(home, shop):
    """Nobody asked, no server runs: the run is there, and nothing is left running."""
    worked(home, shop)
    hook(home, shop, "SessionEnd")
    awake(home / "memory.db")
    assert runs(home) == [("session_boundary", "finished")]
    assert not (home / "hooks.log").exists()


@LINUX
def test_no_hook_waits_for_it_and_one_is_enough(home, shop, slow_model):
    """While it thinks, hooks end in time, none of their pipes is held, and no other starts."""
    worked(home, shop)
    took = hook(home, shop, "SessionEnd")
    assert took < DEADLINES["session_end"] + SLACK
    until(lambda: slow_model.requests)
    (sleeper,) = processes_of(home)
    assert os.getsid(sleeper) == sleeper, "it is in a session of its own"
    held = [str(Path(f"/proc/{sleeper}/fd/{number}").readlink()) for number in range(3)]
    assert held == [os.devnull] * 3
    for session in ("s2", "s3"):
        worked_again = {"session_id": session, "prompt": "we decided to move to bun instead"}
        hook(home, shop, "UserPromptSubmit", **worked_again)
        hook(home, shop, "Stop", last_assistant_message="It is done, and all tests pass.")
        hook(home, shop, "SessionEnd", session_id=session)
    assert processes_of(home) == [sleeper]
    slow_model.go.set()
    awake(home / "memory.db")
    assert ("session_boundary", "finished") in runs(home)


@LINUX
def test_an_agent_that_ends_all_it_started_does_not_end_it(home, shop, slow_model):
    """Its process group is killed; whoever sleeps is in none of its groups."""
    worked(home, shop)
    said = json.dumps({"session_id": "s1", "cwd": str(shop)})
    agent = subprocess.Popen(
        ["/bin/sh", "-c", f"{' '.join(command('SessionEnd'))} && echo ended && sleep 600"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(home), cwd="/",
        start_new_session=True,
    )  # fmt: skip
    agent.stdin.write(said.encode())
    agent.stdin.close()
    assert agent.stdout.readline() == b"ended\n"
    until(lambda: slow_model.requests)
    os.killpg(agent.pid, signal.SIGKILL)
    agent.wait()
    agent.stdout.close()
    assert asleep(home / "memory.db")
    slow_model.go.set()
    awake(home / "memory.db")
    assert runs(home) == [("session_boundary", "finished")]


def test_a_session_that_begins_takes_up_what_has_waited(home, shop):
    """Nobody ended the last session properly; time has passed, and sleep is owed."""
    (home / "settings.toml").write_text("[sleep]\nevery_hours = 1e-9\n")
    with opened(home) as memory:
        memory.capture("we decided to use pnpm instead of npm", session="killed")
    hook(home, shop, "SessionStart")
    awake(home / "memory.db")
    assert runs(home) == [("timer", "finished")]


def test_a_turn_that_ends_takes_up_what_is_owed_but_not_every_few_seconds(home, shop):
    """What cannot be slept over must not start a process at each turn."""
    worked(home, shop)
    last = {"last_assistant_message": "It is done, and all tests pass."}
    for _ in range(2):
        with opened(home) as memory, memory.context.store.writing() as unit:
            unit.jobs.enqueue(memory.context.realm, "sleep", "flush", memory.context.clock.now())
        hook(home, shop, "Stop", **last)
        awake(home / "memory.db")
    assert runs(home) == [("flush", "finished")]
    with opened(home) as memory:
        assert len(memory.sleeping.owed().waiting) == 1, "the next session takes it up"
    hook(home, shop, "SessionStart", session_id="s2")
    awake(home / "memory.db")
    assert runs(home) == [("flush", "finished")] * 2


def test_who_does_not_want_it_is_left_alone(home, shop):
    """With `by_hooks = false` no hook ever starts anything; the work waits."""
    (home / "settings.toml").write_text("[sleep]\nby_hooks = false\n")
    worked(home, shop)
    hook(home, shop, "SessionEnd")
    assert not list(home.glob("*.sleep.lock"))
    with opened(home) as memory:
        assert [each.reason for each in memory.sleeping.owed().waiting] == ["session_boundary"]


def test_settings_that_a_repository_brings_start_nothing(shop):
    """They could name a model of their own, and a process that sleeps would ask it."""
    planted = shop / "planted"
    planted.mkdir()
    worked(planted, shop)
    hook(planted, shop, "SessionEnd")
    awake(planted / "memory.db")
    assert (planted / "memory.db").exists()
    assert not list(planted.glob("*.sleep.lock"))


def test_a_projects_own_files_are_no_modules_of_ours(home, shop, tmp_path):
    """It sleeps in the project's folder, to check claims about its files; it runs none of them."""
    mark = tmp_path / "ran"
    (shop / "helix").mkdir()
    for name in ("helix/__init__.py", "random.py", "queue.py"):
        (shop / name).write_text(f"open({str(mark)!r}, 'w')\nraise SystemExit(3)\n")
    worked(home, shop)
    hook(home, shop, "SessionEnd")
    awake(home / "memory.db")
    assert runs(home) == [("session_boundary", "finished")]
    assert not mark.exists()


def test_claims_about_the_projects_files_are_checked(home, shop):
    """The sleeper works where the agent does."""
    with opened(home) as memory:
        claim = memory.remember("billing lives in src/billing.py").memory
    (shop / "README.md").write_text("a project\n")
    worked(home, shop)
    hook(home, shop, "SessionEnd")
    awake(home / "memory.db")
    with opened(home) as memory:
        assert "src/billing.py" in memory.why(claim.id).memory.belief.doubts[0]
