"""Commands that ask: recall, show, why, list, log, status."""

from __future__ import annotations

import pytest
from tests.concluding import concluded


@pytest.fixture
def told(memory):
    """A convention that was corrected: the old id and the new one."""
    old = memory.remember("This repo uses npm", type="convention").memory.id
    new = memory.correct(old, "This repo uses pnpm, not npm").memory.id
    return old, new


def test_recall_names_scope_id_type_time_and_who_vouches(helix, told):
    ran = helix("recall", "what", "does", "the", "repo", "use")
    assert ran.code == 0
    assert ran.out.startswith("1 memory from project:demo-shop and global\n")
    assert f"1. {told[1]}  convention, since 20" in ran.out
    assert "   | This repo uses pnpm, not npm\n" in ran.out
    assert "user-asserted by me (act 2)" in ran.out


def test_recall_as_a_document(helix, told):
    document = helix("recall", "--json", text="which repo?").document
    assert document["scope"] == "project:demo-shop"
    assert document["found"] is True
    assert document["question"]["text"] == "which repo?"
    best = document["remembered"][0]
    assert best["memory"]["id"] == told[1]
    assert best["fit"] == 1.0
    assert best["memory"]["recorded_at"].endswith("Z")
    assert not [key for key in best["memory"] if "embed" in key]


def test_not_knowing_is_an_answer_with_exit_code_one(helix):
    ran = helix("recall", "zebra")
    assert ran.code == 1
    assert ran.out.startswith("Memory does not know (project:demo-shop and global)")
    assert ran.err == ""
    document = helix("recall", "zebra", "--json").document
    assert document["found"] is False
    assert document["reason"]


def test_recall_looks_back_in_time(helix, memory):
    old = memory.remember("deploys to heroku", valid_from="2025-01-01").memory.id
    memory.correct(old, "deploys to fly", since="2026-03-01")
    assert "fly" in helix("recall", "deploys").out
    assert "heroku" not in helix("recall", "deploys").out
    assert "heroku" in helix("recall", "deploys", "--history").out
    assert "heroku" in helix("recall", "deploys", "--on", "2026-02-01").out
    assert helix("recall", "deploys", "--believed-on", "2020-01-01").code == 1
    assert helix("recall", "deploys", "--on", "today", "--deep").code == 0


def test_recall_keeps_to_types_and_limit(helix, told, memory):
    memory.capture("npm install failed in this repo")
    answer = helix("recall", "repo", "--type", "episode", "--json").document
    assert [each["memory"]["type"] for each in answer["remembered"]] == ["episode"]
    assert len(helix("recall", "repo", "--limit", "1", "--json").document["remembered"]) == 1


def test_recall_refuses_what_it_cannot_take(helix):
    for args in (["--type", "rumour", "x"], ["--limit", "0", "x"], ["--on", "soonish", "x"], []):
        assert helix("recall", *args).code == 2, args


def test_another_project_is_not_seen(helix, told):
    ran = helix("recall", "repo", "--scope", "project:other")
    assert ran.code == 1
    assert "project:other" in ran.out


def test_show_tells_all_fields(helix, memory):
    held = memory.capture(
        "npm test failed", tool="bash", exit_status=1, files=["a.py"], session="s1",
        attributes={"branch": "main", "tries": 3},
    ).memory.id  # fmt: skip
    text = helix("show", held).out
    for part in (
        held, "| npm test failed", "episode (episodic)", "project:demo-shop", "bash",
        "exit status", "a.py", "s1", "main", "3", "user-asserted by me", "of 10",
    ):  # fmt: skip
        assert part in text, part
    document = helix("show", held, "--json").document
    assert document["memory"]["attributes"] == {"branch": "main", "tries": 3}


def test_why_tells_the_story(helix, told):
    old, new = told
    text = helix("why", old).out
    assert "How it came to be held" in text
    assert "asserted        me: convention: This repo uses npm" in text
    assert f"superseded by {new}" in text
    assert f"{new} supersedes {old} (act 2)" in text
    assert text.index("active, true since") < text.index("superseded by")


def test_why_as_a_document(helix, told):
    document = helix("why", told[0], "--json").document
    assert [each["status"] for each in document["beliefs"]] == ["active", "superseded"]
    assert [each["act"]["kind"] for each in document["beliefs"]] == ["asserted", "corrected"]
    assert document["witnesses"][0]["position"] == 1
    assert document["edges"][0]["relation"] == "supersedes"


def test_why_tells_of_a_rollback(helix, told, memory):
    memory.history.rollback(2)
    assert "back to what act 1 made of it" in helix("why", told[0]).out
    assert "as if it had never been asserted" in helix("why", told[1]).out


def test_list_shows_what_is_held_newest_first(helix, told, memory):
    memory.capture("something happened")
    text = helix("list").out
    assert text.index("ep_something") < text.index(told[1])
    assert "| This repo uses pnpm, not npm" in text
    assert f"{told[0]} " not in text


def test_list_keeps_to_types_and_statuses(helix, told):
    document = helix("list", "--status", "superseded", "--type", "convention", "--json").document
    assert [each["id"] for each in document["memories"]] == [told[0]]
    assert helix("list", "--type", "episode").out.startswith("Nothing of that kind is held")
    assert helix("list", "--type", "rumour").code == 2
    assert helix("list", "--status", "lost").code == 2


def test_list_and_log_are_read_by_pages(helix, memory):
    for number in range(5):
        memory.remember(f"fact number {number}")
    page = helix("list", "--limit", "2", "--json").document
    assert [each["position"] for each in page["memories"]] == [5, 4]
    page = helix("list", "--limit", "3", "--before", str(page["next_before"]), "--json").document
    assert [each["position"] for each in page["memories"]] == [3, 2, 1]
    log = helix("log", "--limit", "2", "--before", "4", "--json").document
    assert [each["position"] for each in log["entries"]] == [3, 2]
    assert "Older: --before 2" in helix("log", "--limit", "2", "--before", "4").out
    assert helix("log", "--limit", "9", "--json").document["next_before"] is None


def test_a_list_pages_through_what_was_concluded(helix, memory):
    """Conclusions have no position of their own: the page ends at the last one's id."""
    memory.remember("said by the user")
    concluded(memory, *(f"fact number {number}" for number in range(5)))
    seen, before = [], []
    while True:
        page = helix("list", "--type", "fact", "--limit", "2", *before, "--json").document
        seen += [each["content"] for each in page["memories"]]
        if page["next_before"] is None:
            break
        before = ["--before", str(page["next_before"])]
    assert seen == [
        "said by the user",
        *(f"fact number {number}" for number in (4, 3, 2, 1, 0)),
    ]
    first = memory.list(types=["fact"], limit=2)
    text = helix("list", "--type", "fact", "--limit", "2").out
    assert f"Older: --before {first[-1].id}" in text
    nowhere = helix("list", "--before", "fact_nobody_knows")
    assert (nowhere.code, "fact_nobody_knows" in nowhere.err) == (3, True)


def test_log_says_who_did_what_when(helix, told, memory):
    memory.remember("everywhere so", everywhere=True)
    text = helix("log").out
    assert f"    2  20{''}" in text
    assert f"corrected       me: {told[0]} is now: This repo uses pnpm, not npm" in text
    assert "me [global]: fact: everywhere so" in text
    assert helix("log", "--before", "zero").code == 2


def test_status_counts_what_is_visible(helix, told):
    document = helix("status", "--json").document
    assert document["store"] == str(helix.home / "memory.db")
    assert document["records"] == 2
    assert document["budget_due"] == 150
    counts = {(each["type"], each["status"]): each["number"] for each in document["counts"]}
    assert counts == {("convention", "active"): 1, ("convention", "superseded"): 1}
    text = helix("status").out
    assert "project:demo-shop (the environment variable HELIX_PROJECT)" in text
    assert "2 records" in text


def test_status_of_an_empty_memory(helix):
    assert "No memory is held here yet." in helix("status").out
    assert helix("status", "--json").document["newest"] is None


def test_status_of_a_foreign_file_says_so(helix):
    foreign = helix.home / "notes.txt"
    foreign.write_text("these are not the memories you are looking for" * 10)
    ran = helix("status", "--store", str(foreign))
    assert ran.code == 5
    assert "not a Helix store" in ran.err


def test_recall_explains_what_spoke_for_an_answer_and_what_was_left_out(helix, told, memory):
    memory.capture("Ran the repo checks; all passed")
    memory.capture("ran the repo checks - all passed!")
    ran = helix("recall", "repo", "--explain")
    assert "words " in ran.out
    assert f"{told[0]}  superseded by {told[1]}" in ran.out
    assert "said already by ep_ran_repo_checks_all_passed_" in ran.out
    assert "Looked in project:demo-shop and global, and nowhere else." in ran.out
    document = helix("recall", "repo", "--explain", "--json").document
    assert {each["reason"] for each in document["left_out"]} == {"superseded", "duplicate"}
    assert document["remembered"][0]["because"]["words"] > 0


def test_recall_keeps_to_a_budget(helix, memory):
    kept = memory.remember("Deploys " + "happen on fridays and " * 60).memory.id
    memory.remember("Deploys need a sign-off by the release captain")
    document = helix("recall", "deploys", "--budget", "120", "--json").document
    (cut,) = [each for each in document["remembered"] if each["memory"]["id"] == kept]
    assert cut["shortened"].endswith("…")
    assert f"`helix show {kept}` has all of it" in helix("recall", "deploys", "--budget", "120").out
    assert helix("recall", "deploys", "--budget", "3").code == 2


def test_who_says_it_again_is_no_further_witness(helix, memory):
    held = memory.remember("Zed is the editor").memory
    for _ in range(3):
        helix("confirm", held.id)
    assert "to witness it" not in helix("recall", "zed", "--words-only").out
