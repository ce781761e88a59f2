"""How a new statement stands to a held one, value by value."""

from __future__ import annotations

import pytest
from benchmarks.sleeping.pairs import differing, same
from hypothesis import given
from hypothesis import strategies as st

from helix.rules.relations import Relation, compare, differs_in_value, relation


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("my favourite colour is purple", "my favourite colour is cyan"),
        ("we use postgres 14", "we use postgres 15"),
        ("never commit to main", "always commit to main"),
        ("Priya owns billing", "Petra owns billing"),
        ("the API listens on port 3000", "the API listens on port 8080"),
        ("indent with tabs", "indent with spaces"),
        ("the importer is idempotent", "the importer is not idempotent"),
    ],
)
def test_a_value_that_excludes_the_other_is_flagged_and_never_merged(one, other):
    """Two statements that differ in one value contradict each other, whoever came first."""
    assert relation(one, other) is relation(other, one) is Relation.CONTRADICTS
    assert differs_in_value(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Redis replaces memcached", "memcached replaces Redis"),
        ("the repository contains src/a.py", "the repository contains src/b.py"),
        ("deploy on Fridays", "deploy"),
        ("a boy jumps out of the water", "a boy jumps into the water"),
    ],
)
def test_what_differs_without_excluding_stays_apart(one, other):
    """Another order, another file, a dropped condition, another direction: not the same."""
    assert relation(other, one) is Relation.NEW


def test_the_same_in_another_dress_is_a_duplicate():
    """Case, punctuation, courtesies, word endings and numbers as words do not count."""
    assert relation("We use pnpm, please", "we use pnpm") is Relation.DUPLICATE
    assert relation("timeout is 30 seconds", "Timeout is thirty seconds.") is Relation.DUPLICATE
    assert relation("Activate the virtualenv", "activate .venv") is Relation.DUPLICATE


def test_more_than_what_is_held_extends_it():
    """What adds a detail without replacing one extends."""
    held = "User is planning a trip to Japan with Maya"
    assert relation(held + " next April", held) is Relation.EXTENDS


def test_a_word_of_change_or_the_same_source_updates():
    """The same slot with another value updates when it says so, or when its source says it."""
    assert relation("we use postgres 15 now", "we use postgres 14") is Relation.UPDATES
    said = ("we use postgres 15", "we use postgres 14")
    assert relation(*said) is Relation.CONTRADICTS
    assert relation(*said, same_source=True) is Relation.UPDATES


def test_no_pair_that_differs_in_a_value_is_merged():
    """200 generated pairs, ten kinds of slot: 0 wrong merges; the control is merged."""
    wrong = [
        pair
        for pair in differing(200, seed=7)
        if Relation.DUPLICATE
        in (relation(pair.first, pair.second), relation(pair.second, pair.first))
    ]
    assert wrong == []
    controls = same(200, seed=7)
    merged = sum(relation(pair.second, pair.first) is Relation.DUPLICATE for pair in controls)
    assert merged >= 190


@given(st.text(max_size=200), st.text(max_size=200))
def test_differing_does_not_depend_on_who_is_asked_first(one, other):
    """Whether two texts differ in a value is the same from both sides; nothing is raised."""
    assert differs_in_value(one, other) == differs_in_value(other, one)
    assert not compare(one, one).differences
