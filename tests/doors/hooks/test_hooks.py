"""Hooks never get in the way: quick, silent, and out of the way when something is wrong."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import apsw
import pytest
from tests.doors.mcp.conftest import make_repository
from tests.doors.sleepers import awake

from helix import Helix
from helix.doors.budget import tokens
from helix.doors.hooks import events
from helix.doors.hooks.events import DEADLINES, NAMES, USUAL_AGENT, Event
from helix.doors.hooks.steps import taken
from helix.model.provenance import Origin

SLACK = 3.0  # seconds for starting Python on a busy machine


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
def hook(home):
    # What a hook does is tested apart from how soon it must be done: machines may be busy.
    patient = {"HELIX_HOOK_SECONDS": "15"}

    def call(event, folder, environment=None, raw=None, args=(), **said):
        said = {"session_id": "s1", "cwd": str(folder), **said}
        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "helix", "hook", event, *args],
            input=raw if raw is not None else json.dumps(said).encode(),
            capture_output=True, check=False, timeout=20, cwd=folder,
            env={
                "PATH": os.environ["PATH"], "HOME": str(home.parent), "HELIX_HOME": str(home),
                "PYTHONPATH": os.environ.get("PYTHONPATH", ""), **patient, **(environment or {}),
            },
        )  # fmt: skip
        call.took = time.monotonic() - start
        assert done.returncode == 0
        assert done.stderr == b""
        return done.stdout.decode()

    return call


def told(output):
    return json.loads(output)["hookSpecificOutput"]["additionalContext"]


def held(home, folder):
    with Helix.open(home / "memory.db", folder=folder, by_folder_alone=True) as memory:
        return [each.content for each in memory.list()]


def failing(hook, folder, use="t1", **more):
    return hook(
        "PostToolUseFailure", folder, tool_name="Bash", tool_use_id=use,
        tool_input={"command": "npm test"}, error="Exit code 1\nERESOLVE could not resolve", **more,
    )  # fmt: skip


def test_without_a_name_it_is_still_an_agent_that_speaks(hook, home, shop):
    """An empty variable in a configuration must not turn a tool's output into the user's word."""
    failing(hook, shop, args=["--agent="])
    with Helix.open(home / "memory.db", folder=shop, by_folder_alone=True) as memory:
        [failed] = memory.list()
    [vouched] = failed.belief.provenance
    assert (vouched.source.agent, vouched.source.origin) == (USUAL_AGENT, Origin.AGENT_INGESTED)


def test_a_session_starts_with_what_is_known_within_its_budget(hook, home, shop):
    with Helix.open(home / "memory.db", folder=shop) as memory:
        memory.remember("This repo uses pnpm, not npm", type="convention")
        for number in range(200):
            memory.remember(f"Decision {number}: " + "because of reasons " * 30, type="decision")
    text = told(hook("SessionStart", shop, source="startup"))
    assert "This repo uses pnpm, not npm" in text
    assert tokens(text) <= 800


def test_nothing_is_said_where_nothing_is_known(hook, shop):
    assert hook("SessionStart", shop, source="startup") == ""


def test_a_failure_is_remembered_and_comes_back_when_it_is_asked_about(hook, home, shop):
    failing(hook, shop)
    [kept] = held(home, shop)
    assert kept.startswith("$ npm test")
    answer = told(
        hook("UserPromptSubmit", shop, prompt="npm test says ERESOLVE again", session_id="s2")
    )
    assert "ERESOLVE could not resolve" in answer


def test_an_unrelated_prompt_is_not_answered(hook, shop):
    failing(hook, shop)
    assert hook("UserPromptSubmit", shop, prompt="please write a poem about autumn leaves") == ""


def test_what_happened_in_this_session_is_not_told_to_it_again(hook, shop):
    failing(hook, shop)
    assert hook("UserPromptSubmit", shop, prompt="npm test says ERESOLVE again") == ""


def test_the_same_use_of_a_tool_is_kept_once(hook, home, shop):
    failing(hook, shop)
    failing(hook, shop)
    assert len(held(home, shop)) == 1


def test_what_happens_outside_a_project_is_not_kept_for_all_of_them(hook, home, tmp_path):
    failing(hook, tmp_path)
    assert held(home, tmp_path) == []


def test_the_environment_cannot_name_the_project(hook, home, shop, tmp_path):
    """A repository may set variables for its agent's hooks; the project is not one of them."""
    with Helix.open(home / "memory.db", folder=shop) as memory:
        memory.remember("The vault opens with the blue key")
    hostile = make_repository(tmp_path / "hostile", "github.com/evil/repo")
    redirected = {"HELIX_PROJECT": "github.com/acme/shop"}
    assert hook("SessionStart", hostile, redirected) == ""


def test_an_agent_that_works_for_helix_is_not_remembered(hook, home, shop):
    failing(hook, shop, environment={"HELIX_HOOK": "1"})
    assert not (home / "memory.db").exists()


def test_a_session_is_marked_from_start_to_end(hook, home, shop):
    hook("SessionStart", shop)
    hook("SessionEnd", shop, reason="exit")
    with Helix.open(home / "memory.db", folder=shop, by_folder_alone=True) as memory:
        kinds = [each.kind for each in memory.history.log()]
    assert kinds == ["session_ended", "session_started"]


def test_compaction_leaves_a_checkpoint(hook, home, shop, tmp_path):
    """What was being done is kept before the agent's context shrinks."""
    lines = [
        {"message": {"role": "user", "content": "Move billing to SQLite"}},
        {"message": {"role": "assistant", "content": [{"type": "text", "text": "Schema done"}]}},
    ]
    transcript = tmp_path / "t.jsonl"
    transcript.write_text("\n".join(map(json.dumps, lines)))
    hook("PreCompact", shop, transcript_path=str(transcript), trigger="auto")
    [kept] = held(home, shop)
    assert "Move billing to SQLite" in kept
    assert "Schema done" in kept


@pytest.mark.parametrize("event", NAMES)
@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b'{"cwd": 3}', b"\xff\xfe"])
def test_whatever_comes_in_the_agent_goes_on(hook, shop, event, raw):
    if event != "SessionStart" and raw not in (b"{", b'{"cwd": 3}'):
        pytest.skip("one event stands for all")
    # Cursor expects a document, and is told to go on; the others expect nothing.
    assert hook(event, shop, raw=raw) in ("", "{}", '{"continue": true}')


def locked(path):
    Helix.open(path).close()
    holder = apsw.Connection(str(path))
    holder.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    return holder.close


def missing(path):
    path.parent.rmdir()


def corrupt(path):
    path.write_bytes(b"SQLite format 3\0" + os.urandom(8_192))


def newer(path):
    Helix.open(path).close()
    file = apsw.Connection(str(path))
    file.execute("PRAGMA user_version = 9999")
    file.close()


def a_folder(path):
    path.mkdir()


@pytest.mark.parametrize("broken", [locked, missing, corrupt, newer, a_folder])
@pytest.mark.parametrize("event", ["SessionStart", "PostToolUseFailure", "UserPromptSubmit"])
def test_a_store_that_cannot_be_used_does_not_stop_the_agent(hook, home, shop, broken, event):
    """Locked, missing, corrupt, newer: exit 0, in time, and one line in the log."""
    mend = broken(home / "memory.db") or (lambda: None)
    try:
        hook(
            event, shop, {"HELIX_HOOK_SECONDS": ""}, prompt="npm test says ERESOLVE again",
            tool_name="Bash", tool_input={"command": "npm test"}, error="Exit code 1",
        )  # fmt: skip
        assert hook.took < DEADLINES[NAMES[event]] + SLACK
    finally:
        mend()
    log = home / "hooks.log"
    if log.exists():
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        assert [each["event"] for each in lines] == [event]
        assert "ERESOLVE" not in log.read_text()


def test_an_unknown_event_is_told_to_the_log_alone(hook, home, shop):
    """Not by its name: somebody else chose its words."""
    token = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"
    assert hook("Tuesday", shop) == ""
    assert hook(token, shop) == ""
    log = (home / "hooks.log").read_text()
    assert log.count("unknown_event") == 2
    assert token not in log


def test_a_pipe_that_never_ends_does_not_hold_the_agent(home, shop):
    """A hook whose input does not come ends at its deadline."""
    start = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "helix", "hook", "PostToolUse"], stdin=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "HELIX_HOME": str(home),
             "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
    )  # fmt: skip
    assert process.wait(timeout=10) == 0
    process.stdin.close()
    assert time.monotonic() - start < DEADLINES["tool"] + SLACK


def test_hooks_do_not_import_what_they_do_not_need():
    """Half of a hook's time is imports: no click, no numpy, no recall to write."""
    script = (
        "import sys; sys.argv = ['helix', 'hook', 'PostToolUse']\n"
        "import os; os._exit = lambda code: None\n"
        "from helix.doors.start import run\n"
        "run(); print(*sorted(sys.modules))"
    )
    said = {"cwd": str(Path.cwd()), "tool_name": "Bash", "tool_input": {"command": "make"}}
    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(said), capture_output=True, text=True,
        check=True, env={**os.environ, "HELIX_HOME": os.devnull},
    )  # fmt: skip
    loaded = set(done.stdout.split())
    assert "helix.app.facade" in loaded
    assert not {"click", "numpy", "helix.recall.workflow", "mcp", "onnxruntime"} & loaded


WITHOUT_RIGHTS = """
import encodings.idna, encodings.utf_8_sig, fcntl, os, socket, sys
from helix import Helix
from helix.doors.briefing import briefing
from helix.connect import observing
from helix.doors.hooks import handing_over, steps, workflow
with Helix.open(":demo:", scope="project:x") as memory:  # imported while it still can be
    memory.capture("warm")
    briefing(memory)
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
workflow.run(sys.argv[1:])
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody without rights")
def test_a_store_that_cannot_be_written_does_not_stop_the_agent(shop):
    """Somebody without rights still gets what can be read; writing fails quietly."""
    with tempfile.TemporaryDirectory(prefix="helix-test-") as place:
        home = Path(place)
        with Helix.open(home / "memory.db", scope="project:github.com/acme/shop") as memory:
            memory.remember("This repo uses pnpm, not npm", type="convention")
        home.chmod(0o755)
        (home / "memory.db").chmod(0o644)
        folder = make_repository(home / "shop", "github.com/acme/shop")
        for event in ("SessionStart", "PostToolUseFailure"):
            said = {"cwd": str(folder), "tool_name": "Bash", "error": "Exit code 1",
                    "tool_input": {"command": "make"}, "session_id": "s"}  # fmt: skip
            start = time.monotonic()
            done = subprocess.run(
                [sys.executable, "-c", WITHOUT_RIGHTS, event], input=json.dumps(said).encode(),
                capture_output=True, check=False, timeout=20, cwd="/",
                env={"PATH": os.environ["PATH"], "HELIX_HOME": str(home),
                     "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, b"")
            assert time.monotonic() - start < DEADLINES[NAMES[event]] + 2 * SLACK
            assert ("uses pnpm" in done.stdout.decode()) == (event == "SessionStart")


TOKEN = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"


def test_no_part_of_a_secret_reaches_the_disk(tmp_path):
    """What an event says is cleaned by the user's own gates before it is cut."""

    def cut_off(letters):
        return ("word " * 900)[: letters - 40] + f" {TOKEN} tail jane.doe@corp.io"

    home = tmp_path / "home"
    home.mkdir()
    (home / "settings.toml").write_text("[redaction]\npersonal = true\n")
    transcript = tmp_path / "t.jsonl"
    entries = [
        {"message": {"role": each, "content": cut_off(600)}} for each in ("user", "assistant")
    ]
    transcript.write_text("\n".join(map(json.dumps, entries)))
    bash = {"tool_name": "Bash", "tool_input": {"command": "make x"}}
    people = "w" * 290 + " jane.doe@corp.io"
    said = [
        (events.PROMPT, {"prompt": cut_off(4_000)}),
        (events.TURN_END, {"last_assistant_message": cut_off(1_200)}),
        (events.COMPACTION, {"transcript_path": str(transcript)}),
        (events.TOOL, {**bash, "tool_response": {"stdout": cut_off(300), "exit_code": 0}}),
        (events.TOOL, {**bash, "tool_response": {"stdout": people, "exit_code": 0}}),
        (events.TOOL_FAILED, {**bash, "error": cut_off(4_000)[-1_190:]}),
    ]
    store = tmp_path / "memory.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HELIX_HOME", str(home))
        with Helix.open(store, scope="project:shop", background=False) as memory:
            for kind, what in said:
                event = Event(kind, kind, {"session_id": "s1", **what})
                list(taken(event, "claude-code", lambda: memory))
            assert len(memory.list()) == len(said)
    for file in tmp_path.glob("memory.db*"):
        assert TOKEN[4:10].encode() not in file.read_bytes()
        assert b"jane" not in file.read_bytes()


@pytest.mark.parametrize("form", ["{}={}", "{} {}"])
def test_a_hook_heeds_its_options_however_they_are_written(hook, shop, home, tmp_path, form):
    """As every other command does; a store that is named is the one that is written to."""
    elsewhere = tmp_path / "elsewhere.db"
    given = (("--agent", "gemini-cli"), ("--store", str(elsewhere)))
    args = [word for name, value in given for word in form.format(name, value).split(" ")]
    hook("UserPromptSubmit", shop, args=args, prompt="when does the release train leave?")
    with Helix.open(elsewhere, scope="project:github.com/acme/shop", background=False) as memory:
        [held] = memory.list()
        assert held.circumstances.agent == "gemini-cli"
    assert not (home / "memory.db").exists()
