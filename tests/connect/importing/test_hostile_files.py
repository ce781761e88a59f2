"""What fuzzing found in the readers: kept, so that it stays found."""

from __future__ import annotations

import json
import os

import pytest

from helix.connect.importing import memories, transcripts
from helix.connect.importing.detecting import files, pieces
from helix.connect.importing.looking import sources
from helix.connect.importing.pieces import Happened, IsSo, Unreadable
from helix.doors.hooks.transcripts import last_words

DEEP = "[" * 100_000
SAID = json.dumps({"role": "user", "content": "Please make the tests pass again"})


def test_a_line_that_is_nested_too_deep_loses_only_itself():
    """What stands after it in the transcript is read."""
    found = list(transcripts.read([DEEP, SAID], "x.jsonl"))
    assert [type(each) for each in found] == [Unreadable, Happened]


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".traj", ".md"])
def test_a_file_that_is_nested_too_deep_is_unreadable(tmp_path, suffix):
    """Whole documents as well as lines."""
    path = tmp_path / f"deep{suffix}"
    path.write_text(DEEP)
    assert not any(isinstance(each, Happened) for each in pieces(path, path.name))


def test_a_tool_call_that_is_nested_too_deep_is_no_call():
    """Arguments come as JSON within JSON."""
    call = {"type": "function_call", "name": "shell", "call_id": "x", "arguments": DEEP}
    list(transcripts.read([json.dumps({"type": "response_item", "payload": call})], "x.jsonl"))


def test_facts_that_are_nested_too_deep_are_none():
    """claude-mem keeps lists as JSON within JSON."""
    told = {"observations": [{"title": "npm fails", "type": "decision", "facts": DEEP}]}
    assert [type(each) for each in memories.claude_mem(told, "x.json")] == [IsSo]
    assert [type(each) for each in memories.reference(DEEP, "x.jsonl")] == [Unreadable]


@pytest.mark.parametrize("line", ["[]", "3", '"x"', "null"])
def test_a_line_of_a_reference_memory_that_is_no_object_is_unreadable(line):
    """JSON is not always an object."""
    assert [type(each) for each in memories.reference(line, "x.jsonl")] == [Unreadable]


def test_a_hook_reads_past_a_line_that_is_nested_too_deep(tmp_path):
    """The last words of a turn are found before and after it."""
    path = tmp_path / "t.jsonl"
    said = {"type": "assistant", "message": {"role": "assistant", "content": "It works with pnpm."}}
    path.write_text("\n".join([json.dumps(said), DEEP, ""]))
    assert "It works with pnpm." in last_words(str(path))


def test_only_files_are_read_whatever_lies_in_a_folder(tmp_path):
    """A pipe would be waited for without end; a link may lead anywhere."""
    (tmp_path / "good.md").write_text("# Notes\n\nWe deploy on Tuesdays.\n")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "zero.md").symlink_to("/dev/zero")
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere")
    (tmp_path / "around").symlink_to(tmp_path)
    (tmp_path / "folder.md").mkdir()
    assert list(files(tmp_path)) == [tmp_path / "good.md"]
    for name in ("pipe.md", "zero.md", "gone.md"):
        assert list(files(tmp_path / name)) == []


def test_rules_that_lead_nowhere_do_not_stop_the_others(tmp_path):
    """A repository may bring links along; `helix init` goes on without them."""
    rules = tmp_path / ".cursor" / "rules"
    rules.mkdir(parents=True)
    (rules / "a.mdc").symlink_to("/dev/zero")
    (rules / "b.mdc").symlink_to(tmp_path / "nowhere")
    (rules / "c.mdc").write_text("- Use pnpm\n")
    (found,) = sources(tmp_path, tmp_path / "home")
    assert found.paths == (rules / "c.mdc",)


@pytest.mark.parametrize("name", ["picture.md", "dump.txt"])
def test_what_is_not_text_is_not_taken_for_notes(tmp_path, name):
    """Bytes that mean nothing must not become facts."""
    path = tmp_path / name
    path.write_bytes(bytes(range(256)) * 40)
    assert list(pieces(path, name)) == [Unreadable(name, "not text")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_notes_may_begin_with_a_byte_order_mark(tmp_path, encoding):
    """As some editors write it."""
    path = tmp_path / "notes.md"
    path.write_text("# Deploying\n\nWe deploy on Tuesdays, never on Fridays.\n", encoding=encoding)
    (found,) = pieces(path, "notes.md")
    assert isinstance(found, IsSo)
    assert "We deploy on Tuesdays" in found.content
