"""A question goes to a server that runs, and the answer is the one the command would give."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.doors.mcp.conftest import make_repository
from tests.doors.rest.conftest import ended, environment, started

from helix.app.facade import Helix
from helix.doors.asking import may_be_handed_over
from helix.doors.heard import recalled
from helix.model.errors import BadInput


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = make_repository(tmp_path_factory.mktemp("work") / "shop", "github.com/acme/shop")
    home = tmp_path_factory.mktemp("home")
    assert typed(home, folder, "remember", "This repo uses pnpm", "--type=convention")[0] == 0
    return home, folder


def typed(home, folder, *args, extra=None, given=None):
    done = subprocess.run(
        [sys.executable, "-m", "helix", *args], cwd=folder, env=environment(home) | (extra or {}),
        capture_output=True, check=False, timeout=60, input=given,
        **({} if given is not None else {"stdin": subprocess.DEVNULL}),
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


QUESTIONS = [
    ("recall", "which", "package", "manager,", "pnpm?"),
    ("recall", "--words-only", "pnpm"),
    ("recall", "pnpm", "--json"),
    ("recall", "pnpm", "--json", "--budget", "100"),
    ("recall", "who is the queen of Saturn"),
    ("recall", "pnpm", "--limit", "0"),
    ("recall", "pnpm", "--no-such-option"),
    ("recall", "pnpm", "--type", "nonsense"),
    ("recall", "--limit", "5"),
]


def test_the_answer_is_the_same_with_and_without_a_server(shop):
    """Words, documents, exit codes and errors are equal, and the server was the one to ask."""
    home, folder = shop
    alone = [typed(home, folder, *each) for each in QUESTIONS]
    server = started(home, folder)
    try:
        helped = [typed(home, folder, *each) for each in QUESTIONS]
        counted = server.ask("GET", "/metrics")[1]
    finally:
        ended(server)
    assert helped == alone
    assert {code for code, _, _ in alone} >= {0, 1, 2}
    assert 'helix_requests_total{operation="command"} 9' in counted


def test_a_question_handed_over_loads_neither_click_nor_the_store(shop):
    """What is quick about it: next to nothing is imported."""
    home, folder = shop
    server = started(home, folder)
    try:
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "helix", "recall", "pnpm"], cwd=folder,
            env=environment(home), capture_output=True, check=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    finally:
        ended(server)
    loaded = {line.rsplit("|", 1)[1].strip() for line in done.stderr.decode().splitlines()}
    assert "pnpm" in done.stdout.decode()
    assert "helix.doors.asking" in loaded
    assert not {"click", "apsw", "msgspec", "dataclasses", "pathlib", "helix.app.facade"} & loaded


def test_what_names_another_memory_is_not_handed_over(shop):
    """The server would ask the wrong one."""
    home, folder = shop
    server = started(home, folder)
    try:
        code, text, _ = typed(home, folder, "recall", "pnpm", "--scope", "project:other")
        assert (code, "pnpm" in text.partition("\n")[2]) == (1, False)
        code, text, _ = typed(
            home, folder, "recall", "pnpm", extra={"HELIX_PROJECT": "project:other"}
        )
        assert code == 1
        code, text, _ = typed(home, folder, "recall", given=b"do we use pnpm?")
        assert (code, "pnpm" in text) == (0, True)
        assert 'operation="command"' not in server.ask("GET", "/metrics")[1]
    finally:
        ended(server)


@pytest.mark.parametrize(
    ("args", "may"),
    [
        (["what", "now"], True), (["what", "--json"], True), ([], False), (["-"], False),
        (["--json"], False), (["x", "--store", "y"], False), (["x", "--scope=y"], False),
        (["--help"], False), (["x", "--agent", "y"], False),
    ],
)  # fmt: skip
def test_only_plain_questions_are_handed_over(args, may):
    assert may_be_handed_over(args) == may


@pytest.mark.parametrize("args", [["-"], ["--json", "-"], ["--", "-"], [], [""]])
def test_whoever_hands_over_cannot_make_the_server_read_its_own_input(args, monkeypatch, tmp_path):
    """That is the conversation of an agent, or a terminal that somebody else types into."""

    class Watched:
        def __getattr__(self, name):
            raise AssertionError(f"standard input was touched: {name}")

    monkeypatch.setattr(sys, "stdin", Watched())
    with Helix.open(tmp_path / "memory.db") as memory, pytest.raises(BadInput) as refused:
        recalled(memory, args, terminal=False, colour=False)
    assert refused.value.code == "not_handed_over"


def test_a_server_that_was_killed_is_not_asked(shop):
    """Its note is still there, and the command does the work itself."""
    home, folder = shop
    server = started(home, folder)
    server.process.kill()
    server.process.wait(timeout=15)
    server.process.stdout.close()
    server.process.stderr.close()
    assert json.loads((home / "memory.db.serve.json").read_text())["port"] == server.port
    code, text, _ = typed(home, folder, "recall", "pnpm")
    assert (code, "pnpm" in text) == (0, True)
    (home / "memory.db.serve.json").unlink()


def ended_badly(home, folder, how):
    """Run a question whose answer cannot be told; return its exit code and what it complained."""
    command = f'exec "$0" -m helix {{}} {how}'
    told = []
    for args in ("recall pnpm", "recall pnpm --json", "status"):
        done = subprocess.run(
            ["/bin/sh", "-c", command.format(args), sys.executable], cwd=folder,
            env=environment(home), capture_output=True, check=False, timeout=60,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        told.append((done.returncode, done.stderr.decode()))
    return told


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.parametrize(("how", "code"), [(">/dev/full", 5), (">&-", 0)])
def test_an_answer_that_cannot_be_told_ends_the_same_with_and_without_a_server(shop, how, code):
    """A full disk and a closed output; never a traceback."""
    home, folder = shop
    alone = ended_badly(home, folder, how)
    server = started(home, folder)
    try:
        helped = ended_badly(home, folder, how)
    finally:
        ended(server)
    assert helped == alone
    assert {each for each, _ in alone} == {code}
    assert not any("Traceback" in each for _, each in alone)


def test_nobody_reads_the_answer_and_nobody_hears_of_it(shop):
    home, folder = shop
    server = started(home, folder)
    try:
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, "-m", "helix", "recall", "pnpm"], cwd=folder, env=environment(home),
            stdout=writing, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False,
            timeout=60,
        )  # fmt: skip
        os.close(writing)
    finally:
        ended(server)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(("form", "said"), [([], b"Interrupted."), (["--json"], b'"interrupted"')])
def test_a_question_to_a_server_that_hangs_can_be_interrupted(shop, form, said):
    home, folder = shop
    server = started(home, folder)
    try:
        server.process.send_signal(signal.SIGSTOP)
        # Whoever runs the tests in the background has interrupts ignored, and that is inherited.
        heeding = "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL)"
        become = f"{heeding}; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
        asking = subprocess.Popen(
            [sys.executable, "-c", become, "-m", "helix", "recall", "pnpm", *form], cwd=folder,
            env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(1.5)
        asking.send_signal(signal.SIGINT)
        out, err = asking.communicate(timeout=30)
    finally:
        server.process.send_signal(signal.SIGCONT)
        ended(server)
    assert (asking.returncode, out) == (130, b"")
    assert said in err
    assert b"Traceback" not in err


def test_settings_in_the_working_tree_name_the_scope_of_the_users_own_command(tmp_path):
    """Agents are not told so, but it was not an agent that asked."""
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    home = folder / ".hx"
    home.mkdir()
    (home / "settings.toml").write_text(f'[projects]\n"{folder}" = "renamed"\n')
    assert typed(home, folder, "remember", "This repo uses pnpm")[0] == 0
    alone = typed(home, folder, "recall", "pnpm", "--json")
    server = started(home, folder)
    try:
        helped = typed(home, folder, "recall", "pnpm", "--json")
        counted = server.ask("GET", "/metrics")[1]
    finally:
        ended(server)
    assert json.loads(alone[1])["scope"] == "project:renamed"
    assert helped == alone
    assert 'helix_requests_total{operation="command"} 1' in counted


def test_a_server_with_other_settings_is_not_asked(shop, tmp_path):
    """It has the same store open, and would look into another scope."""
    home, folder = shop
    other = tmp_path / "other"
    other.mkdir()
    (other / "settings.toml").write_text(f'[projects]\n"{folder}" = "renamed"\n')
    extra = {"HELIX_HOME": str(other), "HELIX_STORE": str(home / "memory.db")}
    alone = typed(home, folder, "recall", "pnpm", "--json", extra=extra)
    server = started(home, folder)
    try:
        helped = typed(home, folder, "recall", "pnpm", "--json", extra=extra)
    finally:
        ended(server)
    assert json.loads(alone[1])["scope"] == "project:renamed"
    assert helped == alone
