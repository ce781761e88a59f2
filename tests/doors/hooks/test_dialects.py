"""Codex, Cursor and Gemini CLI speak to hooks in their own ways, and the same is kept and told."""

import json
import os
import subprocess
import sys

import pytest
from tests.doors.mcp.conftest import make_repository
from tests.doors.sleepers import awake

from helix import Helix
from helix.connect.agents import AGENTS, Places
from helix.connect.observing import observed
from helix.doors.hooks.dialects import _CURSOR, common
from helix.doors.hooks.events import CURSOR, NAMES, TURN_END
from helix.doors.hooks.replying import answer
from helix.model.memory import Status
from helix.model.provenance import Origin

SCOPE = "project:github.com/acme/shop"


@pytest.fixture
def shop(tmp_path):
    return make_repository(tmp_path / "shop", "github.com/acme/shop")


@pytest.fixture
def call(tmp_path):
    home = tmp_path / "home"
    home.mkdir()

    def run(event, agent, **said):
        done = subprocess.run(
            [sys.executable, "-m", "helix", "hook", event, f"--agent={agent}"],
            input=json.dumps({"hook_event_name": event, **said}).encode(),
            capture_output=True, check=True, timeout=30, cwd="/",
            env={"PATH": os.environ["PATH"], "HELIX_HOME": str(home), "HELIX_HOOK_SECONDS": "15",
                 "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        )  # fmt: skip
        assert done.stderr == b""
        return done.stdout.decode()

    def kept():
        with Helix.open(home / "memory.db", scope=SCOPE, background=False) as memory:
            return [each for each in memory.list() if each.status is Status.ACTIVE][::-1]

    run.kept = kept
    yield run
    awake(home / "memory.db")


def test_what_the_user_says_at_a_prompt_is_concluded_from(call, tmp_path, shop):
    """A hook is told by the program around the agent who speaks; the model has no part in it."""
    roots = {"conversation_id": "c1", "generation_id": "g", "workspace_roots": [str(shop)]}
    asked = "From now on use pnpm, not npm. Then make the tests of the checkout pass."
    call("beforeSubmitPrompt", "cursor", **roots, prompt=asked)
    path = tmp_path / "home" / "memory.db"
    with Helix.open(path, scope=SCOPE, background=False) as memory:
        memory.sleeping.sleep()
        (rule,) = [each for each in memory.list() if each.type != "episode"]
    assert "pnpm" in rule.content
    assert {each.source.origin for each in rule.belief.provenance} == {Origin.AGENT_INGESTED}


def test_a_session_of_cursor(call, shop):
    """Commands, edits, failures, prompts and last words are kept; the briefing is told."""
    roots = {"conversation_id": "c1", "generation_id": "g", "workspace_roots": [str(shop)]}
    assert call("sessionStart", "cursor", **roots, session_id="c1") == "{}"
    asked = "please make the tests of the checkout pass"
    assert json.loads(call("beforeSubmitPrompt", "cursor", **roots, prompt=asked)) == {
        "continue": True
    }
    assert call("afterShellExecution", "cursor", **roots, command="pytest -x", cwd=str(shop),
                output="1 failed in 3.2s", exit_code=1) == "{}"  # fmt: skip
    edits = [{"old_string": "a = 1", "new_string": "a = 2"}]
    call("afterFileEdit", "cursor", **roots, file_path="src/cart.py", edits=edits)
    call("postToolUseFailure", "cursor", **roots, tool_name="Write", failure_type="error",
         tool_input=json.dumps({"path": "x"}), error_message="permission denied")  # fmt: skip
    call("afterAgentResponse", "cursor", **roots, text="The checkout works: a was one too small.")
    call("sessionEnd", "cursor", **roots, session_id="c1", reason="completed")
    prompt, command, edit, failure, words = call.kept()
    assert prompt.content == f"The user asked: {asked}"
    assert command.content == "$ pytest -x\n1 failed in 3.2s"
    assert command.circumstances.exit_status == 1
    assert edit.content == "Edited src/cart.py: a = 2"
    assert "permission denied" in failure.content
    assert words.content.startswith("cursor ended its turn: The checkout works")
    assert {each.circumstances.session for each in call.kept()} == {"c1"}
    told = json.loads(call("sessionStart", "cursor", **roots, session_id="c2"))
    assert "pytest -x" in told["additional_context"]


def test_a_session_of_codex(call, shop):
    """It speaks nearly as Claude Code does; a shell answers in a text, and patches name files."""
    shared = {"session_id": "t1", "cwd": str(shop), "model": "m", "turn_id": "1"}
    assert call("SessionStart", "codex", **shared, source="startup", transcript_path=None) == ""
    call(
        "PostToolUse",
        "codex",
        **shared,
        tool_name="Bash",
        tool_use_id="u1",
        tool_input={"command": "cargo test"},
        tool_response="Exit code: 101\nWall time: 1 s\nOutput:\nerror[E0308]: mismatched",
    )
    call(
        "PostToolUse",
        "codex",
        **shared,
        tool_name="Bash",
        tool_use_id="u2",
        tool_input={"command": "cargo build"},
        tool_response=json.dumps({"output": "Finished", "metadata": {"exit_code": 0}}),
    )
    patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n*** Add File: b.rs\n+z\n"
    call("PostToolUse", "codex", **shared, tool_name="apply_patch", tool_use_id="u3",
         tool_input={"command": patch}, tool_response="Success")  # fmt: skip
    failed, built, patched = call.kept()
    assert failed.content == "$ cargo test\nerror[E0308]: mismatched"
    assert failed.circumstances.exit_status == 101
    assert built.circumstances.exit_status == 0
    assert patched.content == "Edited src/a.rs, b.rs"
    assert patched.circumstances.files == ("src/a.rs", "b.rs")
    told = json.loads(call("SessionStart", "codex", **shared, source="resume"))
    assert told["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert told.keys() == {"hookSpecificOutput"}  # it refuses an answer that holds anything else


def test_a_session_of_gemini(call, shop):
    """Its shell tells the exit code below the output, and how the turn ended is kept."""
    shared = {"session_id": "g1", "cwd": str(shop), "transcript_path": ""}
    text = (
        "Command: make x\nDirectory: (root)\nOutput: boom\nError: (none)\nExit Code: 2\n"
        "Signal: 0\nProcess Group PGID: 4711"
    )
    for response in (text, text.replace("Exit Code: 2", "Exit Code: 0"), "Output: done"):
        call("AfterTool", "gemini-cli", **shared, tool_name="run_shell_command",
             tool_input={"command": "make x"},
             tool_response={"llmContent": response, "returnDisplay": "boom"})  # fmt: skip
    call("AfterAgent", "gemini-cli", **shared, prompt="x", prompt_response="The build works now.")
    failed, well, untold, words = call.kept()
    assert (failed.content, failed.circumstances.exit_status) == ("$ make x\nboom", 2)
    assert (well.content, well.circumstances.exit_status) == ("$ make x\nboom", 0)
    assert (untold.content, untold.circumstances.exit_status) == ("$ make x\ndone", None)
    assert words.content == "gemini-cli ended its turn: The build works now."


def test_how_a_command_ended_is_not_made_up():
    """Cursor and Codex may tell an output and no exit code: it may have gone either way."""
    cursor = common("afterShellExecution", {"command": "npm test", "output": "3 failed"})
    bash = {"tool_name": "Bash", "tool_input": {"command": "npm test"}}
    codex = common("PostToolUse", {**bash, "tool_response": "3 failed"})
    claude = common("PostToolUse", {**bash, "tool_response": {"stdout": "3 passed"}})
    told = [observed(each, failed=False).exit_status for each in (cursor, codex, claude)]
    assert told == [None, None, 0]
    zero = common("afterShellExecution", {"command": "npm test", "exit_code": 0})
    assert observed(zero, failed=False).exit_status == 0
    assert observed(codex, failed=True).exit_status == 1


@pytest.mark.parametrize("said", [{}, {"workspace_roots": "x"}, {"edits": [1]}, {"edits": []},
                                  {"tool_input": "{"}, {"workspace_roots": []}])  # fmt: skip
@pytest.mark.parametrize("name", ["afterFileEdit", "afterShellExecution", "postToolUseFailure"])
def test_what_is_missing_or_odd_is_no_fault(name, said):
    assert isinstance(common(name, said), dict)


def test_nothing_is_printed_for_agents_that_expect_nothing():
    assert answer("PostToolUse", "") == ""
    assert answer("Stop", "") == ""
    assert common("PostToolUse", {"tool_response": "{broken"})["tool_response"] == "{broken"


def test_a_shells_answer_that_cannot_be_read_is_kept_as_it_is():
    """A document without an end, or an exit code of thousands of digits, loses nothing."""
    deep = '{"a": ' + "[" * 5_000
    long = "Exit code: " + "9" * 5_000 + "\nOutput:\nok"
    for told in (deep, long):
        assert common("PostToolUse", {"tool_response": told})["tool_response"] == told
    assert common("postToolUseFailure", {"tool_input": deep})["tool_input"] == {"input": deep}


@pytest.mark.parametrize("agent", ["claude-code", "codex", "cursor", "gemini"])
def test_every_connected_agent_is_asked_for_the_last_words(agent, tmp_path):
    """`connect` installs a hook where a turn ends, and only such as are known."""
    places = Places(tmp_path, "linux", {})
    (hooks,) = [each for each in AGENTS[agent].changes(places, ["helix"]) if each.what == "hooks"]
    asked = json.loads(hooks.add(""))["hooks"]
    assert TURN_END in {NAMES[each] for each in asked}


def test_whatever_cursor_says_is_heard():
    """Its events are named in one place and heard in another."""
    assert set(_CURSOR) == CURSOR
