"""The tour: the walk is told by the code's own docstrings, the guided session really runs."""

from __future__ import annotations

import inspect

from helix import capture, model, recall

STAGES = (
    "capture", "ledger", "projection", "enrichment", "consolidation", "reflection", "recall",
    "reinforcement", "archive",
)  # fmt: skip


def test_the_walk_passes_nine_stages_in_order(helix):
    text = helix("tour").out
    places = [text.index(f"{number}  src/helix/{name}") for number, name in enumerate(STAGES, 1)]
    assert places == sorted(places)
    for number in range(1, 10):
        assert f"Stage {number} of 9: " in text


def test_the_walk_is_told_by_the_docstrings(helix):
    text = helix("tour").out
    for part in (capture, recall, model):
        assert inspect.getdoc(part) in text
    assert "Where does a change belong?" in text
    assert "capture/admission.py" in text


def test_the_walk_as_a_document(helix):
    document = helix("tour", "--json").document
    assert tuple(each["name"] for each in document["stages"]) == STAGES
    assert all(each["says"] for each in document["stages"])
    assert [each["name"] for each in document["parts"]][-1] == "doors"
    assert document["where_a_change_belongs"]


def test_the_guided_session_runs_by_itself_and_says_what_comes_next(helix):
    ran = helix("tour", "--guided")
    assert ran.code == 0
    assert ran.err == ""
    steps = ["capture", "remember", "recall", "correct", "why", "log", "rollback", "verify"]
    places = [ran.out.index(f"$ helix {step}") for step in steps]
    assert places == sorted(places)
    assert "Sound: all 4 records" in ran.out
    assert "helix init" in ran.out.splitlines()[-4]


def test_the_guided_session_touches_nothing_of_the_users(helix):
    helix("tour", "--guided")
    assert list(helix.home.iterdir()) == []


def test_the_guided_session_shows_what_really_happened(helix):
    """The correction replaces the answer, and the rollback brings the old one back."""
    document = helix("tour", "--guided", "--json").document
    answers = [
        step["answer"]["remembered"] for step in document["steps"] if " recall " in step["command"]
    ]
    conventions = [
        [each["memory"]["content"] for each in answer if each["memory"]["type"] == "convention"]
        for answer in answers
    ]
    assert conventions == [
        ["This repo uses npm"], ["This repo uses pnpm, not npm"], ["This repo uses npm"],
    ]  # fmt: skip
    assert document["next"][0].endswith("helix init")


def test_the_tour_takes_no_text(helix):
    assert helix("tour", "around").code == 2
