"""The measurements of a memory's life measure what they say."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from benchmarks.living import kills, year
from benchmarks.living.workload import WEEKS, weeks_of

from helix import Helix

START = datetime(2025, 1, 6, tzinfo=UTC)
WORDS = [
    "cache",
    "token",
    "parser",
    "login",
    "index",
    "socket",
    "retry",
    "queue",
    "schema",
    "branch",
]


def a_history(folder, commits=110):
    """A made history: two or three commits a week, each about a few words and a file."""
    path = folder / "made__history.commits.jsonl"
    lines = []
    for number in range(commits):
        words = [WORDS[(number * step) % len(WORDS)] for step in (1, 3, 7)]
        lines.append({
            "sha": f"{number:040x}",
            "subject": f"{' '.join(words)} handled in step {number}",
            "body": "",
            "date": (START + number * timedelta(days=364) / commits).isoformat(),
            "files": [["M", f"src/{WORDS[number % 7]}.py"]],
        })  # fmt: skip
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return path


def test_the_workload_asks_only_about_what_has_happened(tmp_path):
    weeks = weeks_of(a_history(tmp_path, 700), seed=1)
    assert len(weeks) == WEEKS
    happened = set()
    asked = set()
    for week in weeks:
        happened |= {commit.id for commit in week.commits}
        asked |= {question.kind for question in week.questions}
        assert all(question.answer in happened for question in week.questions)
    assert asked == {"repeated", "changing", "fresh", "old"}


def test_a_year_holds_its_promises(tmp_path):
    """Bounded, nothing regular or pinned fades, the archive is found, and all can be undone."""
    a_history(tmp_path)
    findings, _ = year.run(tmp_path, "", None, tmp_path / "year.png", 1)
    promised = [each for each in findings["checks"] if each["target"].startswith("made__history")]
    assert len(promised) == 7
    assert [each["target"] for each in promised if not each["held"]] == []
    assert findings["made__history"]["archived at the end"] > 20
    assert (tmp_path / "year.png").read_bytes().startswith(b"\x89PNG")


def test_killed_sweeps_are_whole_and_a_broken_one_would_be_noticed():
    findings, _ = kills.run(1, 1)
    assert [each["target"] for each in findings["checks"] if not each["held"]] == []
    assert len(findings["rows"]) == 5


def test_a_double_counts_as_found_only_where_the_answer_names_it():
    """Deep recall shows one of several that say the same, and names the others by their ids."""
    with Helix.open(":demo:", scope="project:doubles") as memory:
        shown = memory.capture("Updated README for the release").memory.id
        double = memory.capture("updated readme for the release").memory.id
        answer = memory.recall("updated README for the release", limit=5)
        found = answer.remembered[0].memory.id
        assert {found} < {shown, double}
        (other,) = {shown, double} - {found}
        assert year.named_as_a_double(answer, other)
        assert not year.named_as_a_double(answer, found)
        assert not year.named_as_a_double(answer, "ep_elsewhere")
