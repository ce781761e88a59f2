"""From answers to rows and means; knowing that one does not know."""

import pytest
from benchmarks.recalling import judging
from benchmarks.recalling.abstaining import Said, abstention
from benchmarks.recalling.choosing import chosen, in_half
from benchmarks.recalling.report import paired
from benchmarks.recalling.values import Answer, Asked, Haystack, Note

SESSION_OF = {"a": "one", "b": "one", "c": "two", "d": "three"}


def test_a_question_by_session_is_judged_by_sessions_only():
    asked = Asked("?", frozenset({"two"}), "kind", unit="session")
    row = judging.row(asked, Answer(("a", "b", "c")), SESSION_OF)
    assert row.category == "kind"
    assert row.figures["mrr"] == 0.5
    assert row.figures["recall@5"] == row.sessions["all@5"] == 1.0


def test_any_and_all_go_by_session_where_there_are_sessions():
    asked = Asked("?", frozenset({"b", "c"}))
    row = judging.row(asked, Answer(("a", "c")), SESSION_OF)
    assert row.figures["recall@5"] == 0.5
    assert row.figures["all@5"] == row.sessions["all@5"] == 1.0
    assert judging.row(asked, Answer(("a", "c")), {}).figures["all@5"] == 0.0


def test_sessions_that_were_ranked_as_documents_keep_their_own_order():
    asked = Asked("?", frozenset({"two"}), unit="session")
    row = judging.row(asked, Answer(("c",)), SESSION_OF, sessions=("one", "two"))
    assert row.figures["mrr"] == 0.5


def test_the_audited_gold_is_judged_beside_the_published_one():
    asked = Asked("?", frozenset({"a"}), corrected=frozenset({"c"}))
    row = judging.row(asked, Answer(("c",)), SESSION_OF)
    assert row.figures["recall@10"] == 0.0
    assert row.corrected["recall@10"] == row.corrected["any@5"] == 1.0


def test_the_note_a_question_was_taken_from_takes_no_place():
    asked = Asked("?", frozenset({"b"}), without=frozenset({"a"}))
    assert judging.row(asked, Answer(("a", "b")), {}).figures["hit@1"] == 1.0


def test_what_is_no_longer_so_is_judged_by_the_view():
    now = Asked("?", frozenset({"b"}), stale=frozenset({"a"}))
    then = Asked("?", frozenset({"b"}), stale=frozenset({"a"}), view="history")
    answer = Answer(("b", "a"), flagged=frozenset({"a"}))
    of_now = judging.row(now, answer, {}).figures
    assert (of_now["current@1"], of_now["stale@5"], of_now["above"]) == (1.0, 0.0, 1.0)
    of_then = judging.row(then, answer, {}).figures
    assert (of_then["above"], of_then["flagged"]) == (1.0, 1.0)
    assert "current@1" not in of_then
    assert judging.row(then, Answer(("a", "b")), {}).figures["flagged"] == 0.0


def test_means_are_over_the_rows_that_have_a_figure():
    assert judging.means([{"x": 1.0}, {"x": 0.0, "y": 1.0}]) == {"x": 0.5, "y": 1.0}


def test_categories_say_how_many_they_are():
    rows = [judging.Row(kind, {"x": value}, {}, {}) for kind, value in (("p", 1.0), ("q", 0.0))]
    assert judging.by_category(rows) == {"p": {"n": 1, "x": 1.0}, "q": {"n": 1, "x": 0.0}}


def test_a_paired_gain_counts_questions_won_and_lost():
    rows = [
        [judging.Row("", {"x": value}, {}, {}) for value in values]
        for values in ((1.0, 1.0, 0.0, 1.0), (0.0, 1.0, 1.0, 0.0))
    ]
    gain = paired(*rows, "x")
    assert (gain["gain"], gain["better"], gain["worse"]) == (0.25, 2, 1)


def test_abstaining_is_right_where_there_is_no_answer():
    said = [Said(True, False, 0.9), Said(True, True, 0.4), Said(False, True, 0.2)]
    found = abstention([*said, Said(False, False, 0.6)])
    assert (found["precision"], found["recall"], found["silenced"]) == (0.5, 0.5, 1)
    assert found["auc"] == 0.75


def test_the_curve_runs_from_always_answering_to_never():
    found = abstention([Said(True, False, 0.9), Said(False, False, 0.2)])
    first, last = found["curve"][0], found["curve"][-1]
    assert (first["threshold"], first["abstained"], first["precision"]) == (0.0, 0, None)
    assert (last["threshold"], last["abstained"], last["precision"]) == (1.0, 2, 0.5)
    assert {"threshold": 0.5, "abstained": 1, "precision": 1.0, "recall": 1.0, "silenced": 0} in (
        found["curve"]
    )


HAYSTACKS = [
    Haystack(f"h{number}", (Note("n", "text"),), tuple(Asked(f"q{q}?", frozenset({"n"}))
             for q in range(10)))
    for number in range(3)
]  # fmt: skip


def test_a_limit_spreads_over_the_whole_set():
    kept = chosen(HAYSTACKS, limit=6)
    assert [len(each.questions) for each in kept] == [2, 2, 2]
    assert sum(len(each.questions) for each in chosen(HAYSTACKS, limit=100)) == 30
    assert [each.name for each in chosen(HAYSTACKS, limit=1)] == ["h0"]


def test_halves_split_the_questions_and_stay_the_same():
    first, second = (chosen(HAYSTACKS, half=half) for half in ("first", "second"))
    count = sum(len(each.questions) for each in (*first, *second))
    assert count == 30
    for haystack in first:
        assert all(in_half(haystack, each, "first") for each in haystack.questions)
    assert chosen(HAYSTACKS, half="first") == first


@pytest.mark.parametrize("half", ["first", "second"])
def test_a_half_is_about_a_half(half):
    assert 8 <= sum(len(each.questions) for each in chosen(HAYSTACKS, half=half)) <= 22
