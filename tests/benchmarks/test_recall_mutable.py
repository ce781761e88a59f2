"""Facts that change: what the generator promises, and that Helix keeps up with it."""

from collections import Counter

import pytest
from benchmarks.recalling.sets import mutable


@pytest.fixture(scope="module")
def haystack():
    (made,) = mutable.load(None, None, 1)
    return made


def test_there_are_eight_facts_of_six_versions_over_forty_eight_sessions(haystack):
    facts = [note for note in haystack.notes if note.type]
    assert len(facts) == len({note.session for note in facts}) == 48
    assert set(Counter(note.id.split(",")[0] for note in facts).values()) == {6}
    assert sum(bool(note.supersedes) for note in facts) == 40


def test_there_are_120_questions_and_the_same_as_of_ones_in_words(haystack):
    counted = Counter(each.category for each in haystack.questions if not each.aside)
    assert counted == {"current": 80, "as of": 40}
    assert len({each.text for each in haystack.questions if each.category == "current"}) == 80
    assert sum(bool(each.aside) for each in haystack.questions) == 40


def test_the_same_seed_gives_the_same_and_another_does_not(haystack):
    assert mutable.load(None, None, 1) == [haystack]
    assert mutable.load(None, None, 2) != [haystack]


def test_notes_come_oldest_first(haystack):
    moments = [note.when for note in haystack.notes]
    assert moments == sorted(moments)


def test_a_value_is_told_only_by_its_fact(haystack):
    """Episodes speak of the same things, but never give a value away."""
    values = {value.lower() for fact in mutable.FACTS for value in fact.values}
    episodes = [note for note in haystack.notes if not note.type]
    assert len(episodes) == 4 * 48
    for note in episodes:
        assert values.isdisjoint(note.text.lower().replace(";", " ").replace(":", " ").split())


def test_current_questions_are_answered_by_the_last_version(haystack):
    for each in haystack.questions:
        if each.category == "current":
            (fact,) = {note.split(",")[0] for note in each.gold | each.stale}
            assert f"{fact}, version 6" in each.gold
            assert len(each.gold | each.stale) == 6


def test_as_of_questions_are_answered_by_the_version_of_the_day(haystack):
    since = {note.id: note.when for note in haystack.notes}
    for each in haystack.questions:
        if each.as_of is not None:
            told = sorted((since[note], note) for note in each.gold | each.stale)
            assert max(entry for entry in told if entry[0] <= each.as_of)[1] in each.gold


def test_two_facts_return_to_an_earlier_value(haystack):
    """Once in the same words and once in others."""
    texts = {note.id: note.text for note in haystack.notes}
    assert texts["fact 3, version 4"] == texts["fact 3, version 1"]
    again, before = texts["fact 7, version 5"], texts["fact 7, version 3"]
    assert again != before
    assert "Chiara" in again
    assert "Chiara" in before
