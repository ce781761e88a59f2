"""Commands that look around without a question: about, around, context."""

from __future__ import annotations


def test_about_shows_what_is_held_before_what_happened(helix, memory):
    memory.capture("Edited src/app/main.py with Priya Raman and ran `make test`")
    memory.remember("src/app/main.py starts the server", type="fact")
    memory.remember("Deploys happen on Fridays")
    assert helix("enrich").code == 0
    ran = helix("about", "src/app/main.py")
    assert ran.code == 0
    assert ran.out.index("mem_src_app_main_py_starts") < ran.out.index("ep_edited_src")
    assert "Fridays" not in ran.out
    assert "person:priya raman (1)" in ran.out
    document = helix("about", "src/app/main.py", "--json").document
    assert [each["type"] for each in document["memories"]] == ["fact", "episode"]


def test_about_finds_by_words_what_was_not_enriched_yet(helix, memory):
    memory.capture("The frobnicator broke again")
    assert "frobnicator" in helix("about", "frobnicator").out
    assert "Nothing here speaks of zebra" in helix("about", "zebra").out


def test_around_tells_what_happened_in_order(helix, memory):
    memory.capture("Second thing", occurred_at="2026-03-02T10:00:00Z")
    memory.capture("First thing", occurred_at="2026-03-01T10:00:00Z")
    memory.capture("Long after", occurred_at="2026-05-01T10:00:00Z")
    ran = helix("around", "2026-03-01")
    assert ran.out.index("First thing") < ran.out.index("Second thing")
    assert "Long after" not in ran.out
    kept = memory.capture("Just now").memory.id
    assert "Just now" in helix("around", kept).out
    assert helix("around", "ep_unknown").code == 3
    assert helix("around", "no", "such", "day").code == 2


def test_around_answers_at_both_ends_of_the_calendar(helix, memory):
    memory.capture("A thing of today")
    for day in ("0001-01-01", "9999-12-31"):
        ran = helix("around", day)
        assert (ran.code, "A thing of today" in ran.out) == (0, False)


def test_context_is_a_briefing_within_its_budget(helix, memory):
    assert "Nothing is held yet" in helix("context").out
    memory.remember("We use pnpm, never npm", type="convention")
    memory.remember("Chose Postgres for billing because of row locks", type="decision")
    for number in range(40):
        memory.capture(f"Ran the checks, round {number}: " + "all green " * 20)
    document = helix("context", "--budget", "300", "--json").document
    assert document["tokens"] <= 300
    assert document["left_out"] > 0
    titles = [each["title"] for each in document["sections"]]
    assert titles == ["Conventions", "Decisions", "Lately"]
    assert "We use pnpm, never npm (mem_use_pnpm" in helix("context").out.replace("| ", "")
