"""What a question wants decides which relations carry."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.model.edge import COMMON_RELATIONS
from helix.recall.intent import DEFAULT_WEIGHT, EDGE_WEIGHTS, Intent, edge_weight, intent

RELATIONS = (
    "follows", "caused_by", "supersedes", "contradicts", "related_to", "mentions", "similar_to",
    "references", "depends_on", "has_decision", "has_convention", "decided_by", "owns", "works_on",
    "derived_from", "extends", "summarises",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Why did we leave MySQL?", "why"),
        ("what caused the outage", "why"),
        ("What was the main reason behind the rewrite?", "why"),
        ("reason for pinning setuptools", "why"),
        ("how come the tests are flaky?", "why"),
        ("What's the root cause of the deadlock?", "why"),
        ("Do you remember why the cache was dropped?", "why"),
        ("rationale for uuid keys", "why"),
        ("When did we ship 2.0?", "when"),
        ("what date did the certificate expire", "when"),
        ("how long ago did it break?", "when"),
        ("since when do we use ruff", "when"),
        ("Which day was the demo?", "when"),
        ("how many days ago did I fix the parser?", "when"),
        ("in which year did we start?", "when"),
        ("walk me through the order in which we changed it", "when"),
        ("Who owns the billing service?", "who"),
        ("whose branch is this?", "who"),
        ("which person approved the rollout", "who"),
        ("Which engineers worked on the parser?", "who"),
        ("author of the migration script", "who"),
        ("Who decided that, and why?", "who"),
        ("How do I deploy to staging?", "how"),
        ("how did we fix the leak when the pool was full?", "how"),
        ("steps to cut a release", "how"),
        ("command to rebuild the index", "how"),
        ("What is the command for running one test?", "how"),
        ("Remind me how to rotate the keys", "how"),
        ("show me how we deploy", "how"),
        ("What database do we use?", "what"),
        ("what happens when the queue is full?", "what"),
        ("which port does it listen on", "what"),
        ("Where is the config?", "what"),
        ("How many workers run?", "what"),
        ("what time zone are the logs in?", "what"),
        ("retry limit of the worker", "what"),
        ("somewhen, nowhere, whoever", "what"),
        ("", "what"),
    ],
)
def test_intent(question: str, wanted: str) -> None:
    assert intent(question) == wanted
    assert intent(question.upper()) == wanted


def test_every_intent_weighs_every_relation() -> None:
    for wanted in Intent:
        assert set(RELATIONS) <= set(EDGE_WEIGHTS[wanted])
        assert all(0.0 < weight <= 1.0 for weight in EDGE_WEIGHTS[wanted].values())


def test_a_relation_of_ones_own_still_carries() -> None:
    assert edge_weight(Intent.WHY, "blocked_by") == DEFAULT_WEIGHT
    assert edge_weight(Intent.WHY, "caused_by") == EDGE_WEIGHTS[Intent.WHY]["caused_by"]
    for relation in COMMON_RELATIONS:
        assert 0.0 < edge_weight(Intent.WHAT, relation) <= 1.0


@pytest.mark.parametrize(
    ("wanted", "strong", "weak"),
    [
        ("why", {"caused_by", "decided_by", "derived_from"}, {"follows", "similar_to"}),
        ("when", {"follows"}, {"has_convention", "similar_to"}),
        ("who", {"owns", "works_on", "decided_by", "mentions"}, {"follows", "depends_on"}),
        ("how", {"has_convention", "follows", "depends_on"}, {"owns", "decided_by"}),
        ("what", {"has_decision"}, {"follows"}),
    ],
)
def test_the_relations_that_answer_carry_more(
    wanted: str, strong: set[str], weak: set[str]
) -> None:
    weights = EDGE_WEIGHTS[Intent(wanted)]
    assert min(weights[relation] for relation in strong) > max(
        weights[relation] for relation in weak
    )


def test_weights_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        EDGE_WEIGHTS[Intent.WHY]["follows"] = 1.0  # type: ignore[index]


@given(st.text(max_size=200))
def test_any_question_has_one_intent(question: str) -> None:
    assert intent(question) in Intent
    assert intent(question) is intent(question)


@pytest.mark.parametrize(
    "unit", ["what ", "what is the ", "how many ", "which was ", "w", " ", "é"]
)
def test_a_hundred_thousand_hostile_letters_take_linear_time(unit: str) -> None:
    started = time.perf_counter()
    intent((unit * 100_000)[:100_000])
    assert time.perf_counter() - started < 1
