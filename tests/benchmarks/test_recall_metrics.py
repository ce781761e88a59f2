"""The figures, on lists made by hand."""

import math

import pytest
from benchmarks.recalling import metrics

RANKED = ("a", "b", "c", "d", "e", "f")


def test_recall_is_the_share_of_the_gold_that_is_found():
    assert metrics.recall_at(RANKED, {"b", "f"}, 5) == 0.5
    assert metrics.recall_at(RANKED, {"b", "f"}, 6) == 1.0
    assert metrics.recall_at(RANKED, {"z"}, 6) == 0.0


def test_gold_counts_even_beyond_the_cut():
    """Three right answers cannot all be among the first two: recall does not forgive it."""
    assert metrics.recall_at(RANKED, {"a", "b", "c"}, 2) == pytest.approx(2 / 3)


def test_any_and_all_differ_when_part_is_found():
    assert metrics.hit_at(RANKED, {"a", "z"}, 5) == 1.0
    assert metrics.all_at(RANKED, {"a", "z"}, 5) == 0.0
    assert metrics.all_at(RANKED, {"a", "e"}, 5) == 1.0
    assert metrics.hit_at(RANKED, {"f"}, 5) == 0.0


def test_the_reciprocal_rank_is_that_of_the_first_gold():
    assert metrics.reciprocal_rank(RANKED, {"c", "f"}) == pytest.approx(1 / 3)
    assert metrics.reciprocal_rank(RANKED, {"z"}) == 0.0
    assert metrics.reciprocal_rank((), {"z"}) == 0.0


def test_ndcg_is_one_when_all_gold_stands_first():
    assert metrics.ndcg_at(RANKED, {"a", "b"}, 10) == pytest.approx(1.0)
    assert metrics.ndcg_at(RANKED, {"z"}, 10) == 0.0


def test_ndcg_discounts_by_the_logarithm_of_the_rank():
    best = 1 + 1 / math.log2(3)
    assert metrics.ndcg_at(RANKED, {"b", "d"}, 10) == pytest.approx(
        (1 / math.log2(3) + 1 / math.log2(5)) / best
    )


def test_the_best_possible_gain_is_cut_where_the_list_is():
    """With more gold than places, a list full of gold is perfect."""
    assert metrics.ndcg_at(("a", "b"), {"a", "b", "c"}, 2) == pytest.approx(1.0)


def test_a_stale_answer_counts_unless_it_is_flagged():
    assert metrics.stale_at(RANKED, {"e"}, (), 5) == 1.0
    assert metrics.stale_at(RANKED, {"e"}, {"e"}, 5) == 0.0
    assert metrics.stale_at(RANKED, {"f"}, (), 5) == 0.0


def test_a_successor_stands_above_only_if_it_was_found():
    assert metrics.above(RANKED, {"a"}, {"b"}) == 1.0
    assert metrics.above(RANKED, {"b"}, {"a"}) == 0.0
    assert metrics.above(RANKED, {"b"}, {"z"}) == 1.0
    assert metrics.above(RANKED, {"y"}, {"z"}) == 0.0


def test_sessions_stand_where_their_best_note_does():
    session_of = {"a": "two", "b": "one", "c": "two", "d": "", "e": "three"}
    assert metrics.by_session(RANKED, session_of) == ("two", "one", "three")
