"""A session that hooks have kept and that is imported as well is kept once."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from helix import Helix
from helix.connect.importing import transcripts
from helix.connect.importing.pieces import digest
from helix.connect.importing.workflow import Tally, take_in
from helix.doors.hooks.dialects import common
from helix.doors.hooks.events import NAMES, Event
from helix.doors.hooks.steps import taken
from helix.model.provenance import Origin, Source

ASKED = "please fix the failing test in tests/test_a.py"
FAULT = "Exit code 1\nE ModuleNotFoundError: requests"
DONE = "I installed requests; the tests pass now."
SHELL = {"command": "pytest -q", "description": "run"}


def line(role, content, number, session="s1"):
    return {
        "sessionId": session, "type": role, "uuid": f"{session}-u{number}",
        "timestamp": f"2026-11-16T17:00:{number:02d}Z",
        "message": {"role": role, "content": content},
    }  # fmt: skip


TURN = [
    line("user", ASKED, 1),
    line("assistant", [{"type": "tool_use", "id": "t1", "name": "Bash", "input": SHELL}], 2),
    line("user", [
        {"type": "tool_result", "tool_use_id": "t1", "content": FAULT, "is_error": True}], 3),
    line("assistant", [{"type": "text", "text": DONE}], 4),
]  # fmt: skip


@pytest.fixture
def seen(tmp_path):
    """The project as the user's import and as an agent's hooks see it."""
    store = tmp_path / "m.db"
    with Helix.open(store, scope="project:shop", background=False) as user, Helix.open(
        store, scope="project:shop", agent="claude-code", background=False
    ) as agent:  # fmt: skip
        assert agent.context.source == Source("claude-code", Origin.AGENT_INGESTED)
        yield user, agent


def hook(memory, name, session="s1", **said):
    event = Event(NAMES[name], name, common(name, {"session_id": session, **said}))
    return list(taken(event, "claude-code", lambda: memory))


def hooked(memory, session="s1"):
    hook(memory, "UserPromptSubmit", session, prompt=ASKED)
    hook(memory, "PostToolUseFailure", session, tool_name="Bash", tool_input=SHELL,
         tool_use_id="t1", error=FAULT)  # fmt: skip
    hook(memory, "Stop", session, last_assistant_message=DONE)


def imported(memory, *entries, waits_for=""):
    found = transcripts.read([json.dumps(each) for each in entries], "s1.jsonl")
    tally = take_in(memory, found, "claude-code", Tally(waits_for=waits_for))
    assert tally.refused == 0
    return sum(tally.kept.values()), tally.known


def tools(memory):
    return Counter(each.circumstances.tool for each in memory.list(types=["episode"]))


ONCE = Counter({"prompt": 1, "Bash": 1, "turn": 1})


def test_what_hooks_have_kept_is_not_imported(seen):
    """The failure is one failure, the question one question."""
    user, agent = seen
    hooked(agent)
    assert imported(user, *TURN) == (0, 3)
    assert tools(user) == ONCE


def test_what_was_imported_is_not_kept_by_a_hook(seen):
    """In whatever order they come."""
    user, agent = seen
    assert imported(user, *TURN) == (3, 0)
    hooked(agent)
    assert tools(user) == ONCE
    assert imported(user, *TURN) == (0, 3)


def test_a_session_that_goes_on_is_kept_whole(seen):
    """Imported, continued with hooks, and imported again."""
    user, agent = seen
    imported(user, *TURN)
    more = "and now the same for tests/test_b.py"
    hook(agent, "UserPromptSubmit", prompt=more)
    hook(agent, "Stop", last_assistant_message="Done there as well, it was the same.")
    after = [
        line("user", more, 5),
        line("assistant", [{"type": "text", "text": "Done there as well, it was the same."}], 6),
    ]
    assert imported(user, *TURN, *after) == (0, 5)
    assert tools(user) == Counter({"prompt": 2, "Bash": 1, "turn": 2})


def test_what_hooks_have_missed_is_imported(seen):
    """They were connected in the middle of the session, or timed out."""
    user, agent = seen
    hook(agent, "Stop", last_assistant_message=DONE)
    assert imported(user, *TURN) == (2, 1)
    assert tools(user) == ONCE


def test_the_same_words_twice_in_a_session_are_two(seen):
    """Kept by hooks or imported: who asks again has asked again."""
    user, agent = seen
    again = line("user", ASKED, 5)
    for _ in range(2):
        hook(agent, "UserPromptSubmit", prompt=ASKED)
    assert tools(user)["prompt"] == 2
    assert imported(user, *TURN, again) == (2, 2)
    assert tools(user)["prompt"] == 2
    assert imported(user, *TURN, again, line("user", ASKED, 6)) == (1, 4)


def test_another_session_is_another(seen):
    """The same words there are news."""
    user, agent = seen
    hooked(agent, "s0")
    assert imported(user, *TURN) == (3, 0)


def test_what_a_hook_kept_in_another_project_is_imported_here(seen, tmp_path):
    """As everywhere: each project knows for itself."""
    _, agent = seen
    hooked(agent)
    with Helix.open(tmp_path / "m.db", scope="project:billing", background=False) as other:
        assert imported(other, *TURN) == (3, 0)
    with Helix.open(
        tmp_path / "m.db", scope="project:lab", agent="claude-code", background=False
    ) as third:
        hook(third, "UserPromptSubmit", prompt=ASKED)
        assert tools(third)["prompt"] == 1


def test_what_was_forgotten_does_not_come_back(seen):
    """Neither by an import of what a hook kept."""
    user, agent = seen
    hooked(agent)
    for each in user.list(types=["episode"]):
        user.forget(each.id)
    assert imported(user, *TURN) == (0, 3)
    assert user.list(types=["episode"]) == []


def test_a_long_prompt_is_the_same_however_much_of_it_is_kept(seen):
    """Hooks and imports cut at different lengths, and blanks do not count."""
    user, agent = seen
    long = "please look at this log:\n" + "a line of it\n" * 900
    hook(agent, "UserPromptSubmit", prompt=long)
    assert imported(user, line("user", long.replace("\n", "\n "), 1)) == (0, 1)


def test_without_a_session_nothing_is_taken_for_the_same(seen):
    """Nobody knows whether it is."""
    user, agent = seen
    for _ in range(2):
        hook(agent, "UserPromptSubmit", "", prompt=ASKED)
    assert tools(user)["prompt"] == 2


def test_what_an_earlier_version_imported_is_not_imported_twice(seen):
    """It went by the ids of lines alone."""
    user, _ = seen
    quoting = user.quoting("import:claude-code", "s1.jsonl", "import-claude-code")
    for key in ("asked:s1-u1", "t1", "turn:s1-u4"):
        quoting.capture(f"as it was then: {key}", event_id=f"import:{digest('s1', key)}")
    assert imported(user, *TURN) == (0, 3)


def test_a_copy_that_waits_keeps_nothing_out(seen):
    """What somebody sent must not silence what the user's own agent saw."""
    user, agent = seen
    assert imported(user, *TURN, waits_for="/dl/s1.jsonl") == (3, 0)
    hooked(agent)
    assert tools(user) == ONCE
    assert imported(user, *TURN) == (0, 3)
    assert tools(user) == ONCE
