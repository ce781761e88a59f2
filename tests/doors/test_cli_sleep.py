"""Commands of sleep: conclude, look at it, take it back, decide."""

from __future__ import annotations

import pytest
from tests.consolidation.families import FAMILIES

RULE = "This project requires activating the venv before running pytest."


@pytest.fixture
def taught(memory):
    for text in FAMILIES["venv"]:
        memory.capture(text)
    memory.remember("we use postgres 14")
    memory.remember("we use postgres 15")
    return memory


def test_a_dry_run_shows_a_diff_and_writes_nothing(helix, taught):
    ran = helix("sleep", "--dry-run")
    assert ran.code == 0
    assert f"| {RULE}" in ran.out
    assert "+ mem_project_requires_activating_venv" in ran.out
    assert helix("runs").out.startswith("Nobody has slept over project:demo-shop yet")
    document = helix("sleep", "--dry-run", "--json").document
    assert document["dry_run"]
    added = [each["memory"] for each in document["changes"] if each["change"] == "put_memory"]
    assert RULE in [each["content"] for each in added]


def test_sleep_tells_what_each_pass_did(helix, taught):
    ran = helix("sleep")
    assert ran.code == 0
    assert ran.out.startswith("Run 1 over project:demo-shop: read to act 12, 2 conclusions")
    for name in ("ground", "extract", "distil", "relate", "drift"):
        assert f"  {name} " in ran.out
    again = helix("sleep", "--json").document
    assert again["run"]["applied"] == 0
    assert [each["number"] for each in helix("runs", "--json").document["runs"]] == [2, 1]


def test_a_run_is_shown_and_taken_back(helix, taught):
    helix("sleep")
    shown = helix("runs", "show", "1")
    assert RULE in shown.out
    assert RULE in helix("recall", "what before running pytest?").out
    ran = helix("runs", "revert", "1")
    assert ran.code == 0
    assert "Took back run 1 over project:demo-shop" in ran.out
    assert RULE not in helix("list", "--type", "fact").out
    assert helix("runs", "revert", "1").code == 4
    assert helix("runs", "show", "9").code == 3
    assert helix("runs", "retry", "9").code == 3


def test_a_contradiction_waits_for_a_person_and_is_decided(helix, taught):
    assert helix("review", "--json").document["items"] == []
    helix("sleep")
    (item,) = helix("review", "--json").document["items"]
    assert item["kind"] == "contradiction"
    assert [each["content"][-2:] for each in item["memories"]] == ["14", "15"]
    assert helix("resolve", item["id"], "third").code == 2
    assert helix("resolve", "link_none", "first").code == 3
    assert helix("resolve", item["id"], "second", "--reason", "upgraded").code == 0
    assert helix("review", "--json").document["items"] == []
    held = [
        each["content"] for each in helix("list", "--type", "fact", "--json").document["memories"]
    ]
    assert "we use postgres 15" in held
    assert "we use postgres 14" not in held
    assert "the second is right" in helix("log").out


def test_two_that_both_hold_are_told_so(helix, taught):
    helix("sleep")
    shown = helix("review")
    assert "compatible" in shown.out
    (item,) = helix("review", "--json").document["items"]
    assert helix("resolve", item["id"], "compatible").code == 0
    assert "Nothing waits" in helix("review").out
    held = helix("list", "--type", "fact").out
    assert "we use postgres 14" in held
    assert "we use postgres 15" in held
    assert "both hold" in helix("log").out


def test_flush_takes_up_what_is_owed(helix, taught):
    with taught.session("s1") as session:
        session.capture("one more thing")
    assert "waits   session_boundary" in helix("runs", "--owed").out
    assert helix("flush").code == 0
    assert helix("runs", "--owed", "--json").document == {
        "scope": "project:demo-shop", "waiting": [], "dead": [],
    }  # fmt: skip


def test_what_is_owed_is_slept_over_and_what_waits_is_embedded(helix, taught):
    """As a process that a hook starts does both: nobody else would."""
    with taught.session("s1") as session:
        session.capture("one more thing")
    assert taught.upkeep.lag().memories > 0
    ran = helix("sleep", "--owed", "--enrich", "--minutes=5", "--json")
    assert [each["scope"] for each in ran.document["slept"]] == ["project:demo-shop"]
    assert taught.upkeep.lag().memories == 0
    again = helix("sleep", "--owed", "--enrich", "--minutes=0", "--json")
    assert again.document == {"slept": [], "failed": 0}


def test_conclusions_are_drawn_anew(helix, taught):
    helix("sleep")
    ran = helix("rebuild", "--rederive")
    assert ran.code == 0
    assert "Slept 1 run again: 2 conclusions, 2 before." in ran.out
    assert helix("rebuild", "--check").code == 0
    assert helix("rebuild", "--rederive", "--check").code == 2


def test_why_names_who_concluded_it_and_from_what(helix, taught):
    helix("sleep")
    facts = helix("list", "--type", "fact", "--json").document["memories"]
    rule = next(each["id"] for each in facts if each["content"] == RULE)
    told = helix("why", rule).out
    assert "concluded       helix: sleep:distil" in told
    for text in FAMILIES["venv"]:
        assert text in told


def test_a_pass_is_told_once_however_many_parts_it_had(helix, taught):
    """How often the store was let go of meanwhile is nobody's concern."""
    for number in range(12):
        taught.remember(f"we use postgres {number + 16}")
    helix("sleep")
    document = helix("runs", "show", "1", "--json").document
    (relate,) = [each for each in document["run"]["passes"] if each["name"] == "relate"]
    assert len(relate["entries"]) > 1
    assert helix("runs", "show", "1").out.splitlines().count("relate:") == 1


def test_owed_work_of_every_scope_is_taken_up(helix, taught):
    """`--owed` sleeps where sleep is owed, and nowhere else."""
    assert helix("sleep", "--owed", "--json").document == {"slept": [], "failed": 0}
    with taught.session("s1") as session:
        session.capture("we decided to use pnpm")
    slept = helix("sleep", "--owed", "--json").document["slept"]
    assert [each["scope"] for each in slept] == ["project:demo-shop"]
    assert slept[0]["run"]["reason"] == "session_boundary"
    assert helix("sleep", "--owed").out.strip() == "Nothing is owed."
