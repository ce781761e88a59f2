"""What is worth keeping of what a tool did."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.connect.observing import ENDS_AT, observed


def bash(command, *, response=None, error=None, failed=False):
    said = {"tool_name": "Bash", "tool_input": {"command": command}}
    said |= {"tool_response": response} if response is not None else {}
    said |= {"error": error} if error is not None else {}
    return observed(said, failed=failed)


@pytest.mark.parametrize(
    "command", ["ls -la", "git status", "cat src/app.py", "rg TODO src", "pwd", "git log -3"]
)
def test_looking_around_is_not_kept(command):
    assert bash(command, response={"stdout": "much"}) is None


@pytest.mark.parametrize("command", ["cat broken > all", "ls; make", "git commit -m x", "pytest"])
def test_doing_something_is_kept(command):
    assert bash(command, response={"stdout": "3 passed"}).content == f"$ {command}\n3 passed"


def test_a_failure_is_kept_with_how_it_ended_and_the_end_of_what_it_said():
    seen = bash("npm test", error="Exit code 7\n" + "noise\n" * 1_000 + "ERESOLVE", failed=True)
    assert seen.exit_status == 7
    assert seen.content.endswith("ERESOLVE")
    assert len(seen.content) < ENDS_AT + 100


def test_looking_around_that_failed_is_kept():
    assert bash("ls /nowhere", error="Exit code 2\nNo such file", failed=True).exit_status == 2


def test_a_status_in_the_answer_counts():
    assert bash("make", response={"output": "boom", "exitCode": 3}).exit_status == 3


def test_an_edit_is_kept_in_a_line_with_its_file():
    said = {
        "tool_name": "Edit",
        "tool_input": {"file_path": "/w/app.py", "old_string": "a", "new_string": "retries = 3"},
        "tool_response": {"success": True},
    }
    seen = observed(said, failed=False)
    assert seen.content == "Edited /w/app.py: retries = 3"
    assert seen.files == ("/w/app.py",)


@pytest.mark.parametrize("tool", ["Read", "Grep", "WebFetch", "mcp__helix__recall", "helix_recall"])
def test_reading_and_asking_helix_itself_is_not_kept(tool):
    assert observed({"tool_name": tool, "tool_input": {"path": "x"}}, failed=False) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
keys = st.sampled_from(
    ["tool_name", "tool_input", "tool_response", "error", "command", "file_path", "stdout"]
)


@given(st.dictionaries(keys, json_values | st.dictionaries(keys, json_values)), st.booleans())
def test_whatever_an_agent_sends_is_taken(said, failed):
    """Agents change their formats; nothing they send makes a hook fail."""
    seen = observed(said, failed=failed)
    assert seen is None or seen.content


TOKEN = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"


@pytest.mark.parametrize("short", range(1, 40, 4))
def test_what_is_cut_holds_no_part_of_a_secret(short):
    """The gate of capture sees what is left of a cut; half a token would pass it."""

    def before(letters):
        return ("word " * 600)[: letters - short] + " " + TOKEN + " tail" * 50

    edited = {"tool_name": "Edit", "tool_input": {"file_path": "a.py", "new_string": before(200)}}
    asked = {"tool_name": "mcp__gh__create", "tool_input": {"body": "one\n" + before(280)}}
    named = "password = " + '"Qw29fj3kd9s!zz"\n' + "f" * (ENDS_AT - short)
    for seen in (
        bash(before(2_000), response={"stdout": "done"}),
        bash("make x", response={"stdout": "line\n" + before(300)}),
        bash("make x", error="x" * 50 + named, failed=True),
        observed(edited, failed=False),
        observed({**asked, "error": "boom"}, failed=True),
    ):
        assert seen.content
        assert TOKEN[4:10] not in seen.content
        assert "29fj3" not in seen.content


def test_the_gate_that_is_given_is_asked_only_for_what_is_kept():
    """Opening a memory takes time: looking around does not need it."""
    asked = []
    said = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"}}
    assert observed(said, failed=False, clean=lambda text: asked.append(text) or text) is None
    assert asked == []
