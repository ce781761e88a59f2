"""Sources that give their parts no ids, and files that no reader knows."""

from __future__ import annotations

import json

import pytest

from helix import Helix
from helix.connect.importing.detecting import pieces
from helix.connect.importing.pieces import Unreadable, digest
from helix.connect.importing.workflow import take_in

REDIS = {"role": "user", "content": "first question about redis eviction"}
KAFKA = {"role": "user", "content": "another question about kafka offsets"}
OTHER = {"role": "user", "content": "a third one, about postgres vacuums"}
SPECSTORY = "_**User**_\n\nPlease {what}\n\n---\n\n_**Agent**_\n\nIt is done: {what}\n"


@pytest.fixture
def memory(tmp_path):
    with Helix.open(tmp_path / "m.db", scope="project:shop", background=False) as opened:
        yield opened


def jsonl(*entries):
    return "".join(json.dumps(each) + "\n" for each in entries)


def trajectory(*actions):
    return json.dumps({"trajectory": [{"action": each, "observation": "ok"} for each in actions]})


@pytest.fixture
def taken(memory, tmp_path):
    def write_and_take(name, text):
        path = tmp_path / name
        path.write_text(text)
        tally = take_in(memory, pieces(path, name), "jsonl")
        return sum(tally.kept.values()), tally.known

    return write_and_take


@pytest.mark.parametrize(
    ("name", "first", "grown", "other"),
    [
        ("chat.jsonl", jsonl(REDIS), jsonl(REDIS, KAFKA), jsonl(OTHER)),
        ("run.traj", trajectory("make"), trajectory("make", "pytest"), trajectory("cargo test")),
    ],
)
def test_other_content_at_the_same_path_is_taken_in(taken, name, first, grown, other):
    """The same again brings nothing, more of it what is new, and another file all of it."""
    assert taken(name, first) == (1, 0)
    assert taken(name, first) == (0, 1)
    assert taken(name, grown) == (1, 1)
    assert taken(name, other) == (1, 0)
    assert taken(name, grown) == (0, 2)


def test_another_history_at_the_same_path_is_taken_in(taken):
    """SpecStory gives its parts no ids either."""
    assert taken("h.md", SPECSTORY.format(what="fix the parser now")) == (2, 0)
    assert taken("h.md", SPECSTORY.format(what="fix the parser now")) == (0, 2)
    assert taken("h.md", SPECSTORY.format(what="drop the old lexer")) == (2, 0)


def test_a_tool_that_is_numbered_anew_in_another_file_is_taken_in(taken):
    """Without a session, the id of a call tells calls of one file apart, and no others."""

    def session(command):
        return jsonl(
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": command}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "1", "content": "done"}]},
        )  # fmt: skip

    assert taken("chat.jsonl", session("make build")) == (1, 0)
    assert taken("chat.jsonl", session("make test")) == (1, 0)
    assert taken("chat.jsonl", session("make build")) == (0, 1)


def test_what_an_earlier_version_numbered_is_not_taken_in_twice(memory, taken):
    """It went by path and line; that counts as long as the words are the same."""
    said = f"The user asked: {REDIS['content']}"
    quoting = memory.quoting("import:jsonl", "chat.jsonl", "import-jsonl")
    quoting.capture(said, event_id=f"import:{digest(digest('chat.jsonl'), 'asked:1')}")
    assert taken("chat.jsonl", jsonl(REDIS)) == (0, 1)
    assert taken("chat.jsonl", jsonl(KAFKA)) == (1, 0)


def test_nor_where_it_waits_and_an_agent_imports(memory, tmp_path):
    """An agent is not told what waits; whether it is the same is known all the same."""
    said = f"The user asked: {REDIS['content']}"
    quoting = memory.quoting("import:jsonl", "chat.jsonl", "import-jsonl", "chat.jsonl")
    quoting.capture(said, event_id=f"import:{digest(digest('chat.jsonl'), 'asked:1')}")
    path = tmp_path / "chat.jsonl"
    path.write_text(jsonl(REDIS))
    with Helix.open(tmp_path / "m.db", scope="project:shop", agent="claude") as agent:
        tally = take_in(agent, pieces(path, "chat.jsonl"), "jsonl")
    assert (sum(tally.kept.values()), tally.known) == (0, 1)


CHATGPT = [{"title": "T", "mapping": {"a": {"message": {"author": {"role": "user"}}}}}]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("table.csv", "name,port\nstaging server,8081\n"),
        ("table.csv", "a,b\n1,2\n"),
        ("chatgpt.json", json.dumps(CHATGPT)),
        ("chatgpt.jsonl", jsonl(*CHATGPT)),
        ("numbers.jsonl", "1\n2\n"),
        ("odd.md", '{"a": 1}\n'),
    ],
)
def test_a_file_in_an_unknown_format_is_said(tmp_path, name, text):
    """It is not the same as one in which everything is known already."""
    path = tmp_path / name
    path.write_text(text)
    assert list(pieces(path, name)) == [Unreadable(name, "not in a format I know")]


def test_a_note_without_anything_to_keep_is_said(tmp_path):
    """A heading alone says nothing."""
    path = tmp_path / "a.md"
    path.write_text("# Rules\n")
    assert list(pieces(path, "a.md")) == [Unreadable("a.md", "nothing in it to keep")]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("empty.jsonl", ""), ("blank.md", "\n\n"), ("none.json", "[]"),
        ("nods.jsonl", jsonl({"role": "user", "content": "ok"})),
        ("meta.jsonl", jsonl({"type": "summary", "summary": "x", "leafUuid": "u"})),
        ("meta.jsonl", jsonl({"type": "session_meta", "payload": {"id": "c1"}})),
        ("looked.traj", trajectory("ls")),
    ],
)  # fmt: skip
def test_a_session_without_anything_to_keep_is_no_fault(tmp_path, name, text):
    """Agents leave many such behind: looking around, a nod, nothing at all."""
    path = tmp_path / name
    path.write_text(text)
    assert list(pieces(path, name)) == []
