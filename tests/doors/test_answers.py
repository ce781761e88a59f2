"""Rules that hold for every answer, whichever command gives it. No process is needed for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest

from helix.doors import documents, rendering
from helix.doors.cli.calling import as_typed
from helix.doors.cli.door import Door
from helix.doors.cli.main import called
from helix.doors.cli.table import COMMANDS
from helix.model.moment import FIRST_MOMENT
from helix.model.outcome import Skipped
from helix.rules.naming import link_id

SCOPE = "project:demo-shop"
NOON = datetime(2026, 5, 14, 12, tzinfo=UTC)


ABOUT_NO_MEMORY = {
    "tour", "demo", "completion", "connect", "disconnect", "adopt", "mcp", "serve", "hook",
}  # fmt: skip
"""Commands about agents, servers or the program itself."""


def lines(memory, folder):
    """One command line for every command that works on a memory."""
    (folder / "note.md").write_text("# Water\n\nIt boils at a hundred degrees.\n")
    held = memory.remember("water is wet").memory.id
    other = memory.remember("fire is hot").memory.id
    episode = memory.capture("it rained all night").memory.id
    versions = [memory.remember(f"we use postgres {n}").memory.id for n in (14, 15)]
    asked = link_id(versions[1], "contradicts", versions[0])
    return [
        ["sleep"], ["resolve", asked, "second"], ["flush"], ["runs"], ["runs", "show", "1"],
        ["init"], ["capture", "it rained"], ["session", "start"], ["session", "end", "s1"],
        ["remember", "ice is cold"], ["recall", "water"], ["show", held], ["why", held],
        ["about", "water"], ["around", "today"], ["context"],
        ["list"], ["log"], ["status"], ["confirm", held], ["used", held], ["demote", held],
        ["used", held], ["curve", held], ["promote", episode, "rain fell"], ["sweep"],
        ["relate", held, "near", other],
        ["pin", held], ["forget", held], ["restore", held], ["correct", held, "water is blue"],
        ["rollback", "--to", "2"], ["verify"], ["rebuild"], ["enrich"], ["models", "list"],
        ["doctor"],
        ["review"], ["subject", "water"], ["scrub", "--check"], ["attest"],
        ["erase", "--subject", "fire is hot", "--yes"],
        ["import", str(folder / "note.md")], ["export", "--markdown", str(folder / "out")],
        ["scratch", "add", "look at the rain"], ["retain", "--dry-run", "--keep-days", "30"],
        ["trust"], ["trust", str(folder / "note.md")], ["trust", str(folder / "note.md"), "--undo"],
    ]  # fmt: skip


def test_every_answer_names_its_scope_in_words_and_as_a_document(memory, capsys, tmp_path):
    asked = lines(memory, tmp_path)
    assert {line[0] for line in asked} == set(COMMANDS) - ABOUT_NO_MEMORY
    for line in asked:
        document = called(line, Door(held=memory))
        assert document["scope"] == SCOPE, line
        assert SCOPE in capsys.readouterr().out, line


def test_an_abstention_names_its_scope_too(memory, capsys):
    with pytest.raises(click.exceptions.Exit) as left:
        called(["recall", "zebra"], Door(held=memory))
    assert left.value.exit_code == 1
    assert SCOPE in capsys.readouterr().out


def test_what_was_skipped_says_why():
    skipped = Skipped("this event was erased")
    assert rendering.outcome(SCOPE, skipped, "Kept").endswith(f"{SCOPE}: this event was erased")
    assert documents.outcome(SCOPE, skipped) == {
        "scope": SCOPE, "outcome": "skipped", "reason": "this event was erased",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (NOON, None, "since 2026-05-14 12:00"),
        (datetime(2026, 5, 14, tzinfo=UTC), None, "since 2026-05-14"),
        (FIRST_MOMENT, None, "always"),
        (NOON, NOON + timedelta(days=1), "from 2026-05-14 12:00 to 2026-05-15 12:00"),
        (NOON, NOON + timedelta(seconds=1), "only within 2026-05-14 12:00"),
        (NOON, NOON, "never"),
    ],
)
def test_a_span_of_time_in_words(memory, start, end, said):
    belief = memory.remember("water is wet").memory.belief
    assert rendering.span(replace(belief, valid_from=start, valid_to=end)) == said


def test_importance_is_shown_of_ten_and_by_whom(memory):
    rated = memory.remember("water is wet").memory
    assert rendering.importance(rated) == "5 of 10 as rated at write"
    hinted = replace(rated, importance_hint=0.8)
    assert rendering.importance(hinted).startswith("8 of 10 as the caller said")


def test_suggestions_can_be_typed_as_they_stand(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "elsewhere"))
    assert as_typed("/usr/lib/python/pytest") == "helix"
    assert as_typed(str(tmp_path / ".venv/bin/helix")) == str(Path(".venv/bin/helix"))
    assert as_typed("/opt/helix/bin/helix") == "/opt/helix/bin/helix"
    program = tmp_path / "elsewhere" / "helix"
    program.parent.mkdir()
    program.touch(mode=0o755)
    assert as_typed(str(program)) == "helix"
