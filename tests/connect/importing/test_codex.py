"""Sessions of Codex CLI: every kind of shell, the user's words alone, wherever they are kept."""

from __future__ import annotations

import json

import pytest

from helix.connect.importing import transcripts
from helix.connect.importing.looking import is_own, sources


def item(**payload):
    return {"timestamp": "2026-10-01T10:00:01Z", "type": "response_item", "payload": payload}


def said(text):
    return item(type="message", role="user", content=[{"type": "input_text", "text": text}])


def call(name, given, output, kind="function_call"):
    return [
        item(type=kind, name=name, arguments=json.dumps(given), call_id="c1"),
        item(type=f"{kind}_output", call_id="c1", output=output),
    ]


def read(*entries):
    meta = {"type": "session_meta", "payload": {"id": "cx1"}}
    return list(transcripts.read([json.dumps(each) for each in (meta, *entries)], "rollout.jsonl"))


@pytest.mark.parametrize(
    ("name", "given", "output", "content", "status"),
    [
        ("shell_command", {"command": "pytest -q"},
         "Exit code: 1\nWall time: 0.5 seconds\nOutput:\nE   ModuleNotFoundError: requests\n",
         "$ pytest -q\nE   ModuleNotFoundError: requests", 1),
        ("exec_command", {"cmd": "make lint", "workdir": "/x"},
         "Chunk ID: abc\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nmake: no",
         "$ make lint\nmake: no", 2),
        ("exec_command", {"cmd": "make lint"},
         "Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nclean",
         "$ make lint\nclean", 0),
        ("exec_command", {"cmd": "make serve"},
         "Wall time: 10 seconds\nProcess running with session ID 7\nOutput:\nlistening",
         "$ make serve\nlistening", None),
        ("shell", {"command": ["bash", "-lc", "ruff check"]},
         json.dumps({"output": "E501", "metadata": {"exit_code": 1}}),
         "$ bash -lc ruff check\nE501", 1),
    ],
)  # fmt: skip
def test_a_command_of_any_shell_is_kept_with_how_it_ended(name, given, output, content, status):
    """Codex has had four shells; one that still runs has not ended."""
    (seen,) = read(*call(name, given, output))
    assert (seen.content, seen.exit_status) == (content, status)


def test_a_patch_that_failed_is_kept_with_the_reason():
    """Its output is where the reason stands."""
    output = json.dumps({"output": "verification failed", "metadata": {"exit_code": 1}})
    (seen,) = read(*call("apply_patch", {"input": "*** Update File: a.py\n"}, output))
    assert "verification failed" in seen.content
    assert seen.exit_status == 1


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>",
        "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nUse tabs\n</INSTRUCTIONS>",
        "<user_instructions>\nUse tabs everywhere\n</user_instructions>",
        "<turn_aborted>\nThe user interrupted the turn\n</turn_aborted>",
    ],
)
def test_what_codex_tells_itself_is_not_what_the_user_asked(text):
    """It stands in the transcript as if the user had said it."""
    assert [each.content for each in read(said(text), said("run the linter and fix all"))] == [
        "The user asked: run the linter and fix all"
    ]


def test_sessions_are_found_where_the_agents_were_told_to_keep_them(tmp_path):
    """As `connect` finds the agents; and what is there is the user's."""
    project, claude, codex = (tmp_path / each for each in ("p", "claude", "codex"))
    project.mkdir()
    name = "".join(each if each.isalnum() else "-" for each in str(project))
    session = claude / "projects" / name / "s1.jsonl"
    rollout = codex / "sessions" / "2026" / "rollout-1.jsonl"
    for path in (session, rollout):
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"payload": {"id": "1", "cwd": str(project)}}) + "\n")
    home = tmp_path / "home"
    told = {"CLAUDE_CONFIG_DIR": str(claude), "CODEX_HOME": str(codex)}
    assert [each.paths for each in sources(project, home, told)] == [(session,), (rollout,)]
    assert sources(project, home, {}) == []
    assert is_own(session, project, home, told)
    assert is_own(rollout, project, home, told)
    assert not is_own(session, project, home, {})


def test_only_sessions_are_the_users_where_a_variable_says(tmp_path):
    """It could name any folder, and must not make a download the user's word."""
    told = {"CLAUDE_CONFIG_DIR": str(tmp_path), "CODEX_HOME": str(tmp_path)}
    assert not is_own(tmp_path / "Downloads" / "a.md", None, tmp_path / "home", told)
    assert is_own(tmp_path / "home" / ".claude" / "a.md", None, tmp_path / "home", told)
