"""Plain search, on texts small enough to reckon by hand."""

import math
from datetime import UTC, datetime

import numpy as np
import pytest
from benchmarks.recalling.baselines import Bm25, Dense, Plain, remembering, spoken, words
from benchmarks.recalling.values import Asked, Haystack, Note


def test_words_are_lower_cased_and_not_stemmed():
    assert words("Don't DEPLOY snake_case, twice!") == ["don", "t", "deploy", "snake_case", "twice"]


def test_bm25_is_the_formula():
    texts = ["red red apple", "green apple", "blue sky above the sea"]
    scores = Bm25(texts).scores("red apple")
    mean = (3 + 2 + 5) / 3

    def gain(count, length, rows):
        rarity = math.log(1 + (3 - rows + 0.5) / (rows + 0.5))
        return rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / mean))

    assert scores == pytest.approx([gain(2, 3, 1) + gain(1, 3, 2), gain(1, 2, 2), 0.0])


def test_a_word_asked_twice_counts_twice():
    index = Bm25(["red apple", "green pear"])
    assert index.scores("red red")[0] == pytest.approx(2 * index.scores("red")[0])


def test_what_shares_no_word_is_not_found():
    haystack = Haystack("h", (Note("a", "red apple"), Note("b", "green pear")), ())
    assert Plain(haystack).notes(Asked("a red one?", frozenset())).ranked == ("a",)


def test_sessions_are_documents_of_what_people_said():
    notes = (
        Note("a", "red", "one", speaker="user"),
        Note("b", "blue", "one", speaker="assistant"),
        Note("c", "blue", "two", speaker="user"),
    )
    plain = Plain(Haystack("h", notes, (), by_session=True))
    assert plain.sessions(Asked("blue?", frozenset())) == ("two",)
    assert Plain(Haystack("h", notes, ())).sessions(Asked("blue?", frozenset())) is None


def test_a_dated_set_is_searched_with_its_dates():
    when = datetime(2031, 7, 2, 15, 7, tzinfo=UTC)
    assert spoken(when) == "3:07 PM on 2 July, 2031"
    notes = (Note("a", "we met", when=when), Note("b", "we met"))
    dated = Plain(Haystack("h", notes, (), dated=True))
    assert dated.notes(Asked("july?", frozenset())).ranked == ("a",)


def letters(texts):
    """Embed a text as how often each letter occurs in it."""
    rows = [[text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
    return np.array(rows, dtype=np.float32)


def test_dense_search_ranks_by_cosine_alone():
    index = Dense(["aaaa", "ab", "b"], letters)
    assert index.scores("a") == pytest.approx([1.0, math.sqrt(0.5), 0.0], abs=1e-6)
    haystack = Haystack("h", (Note("x", "b"), Note("y", "ab"), Note("z", "aaaa")), ())
    assert Plain(haystack, letters).notes(Asked("a", frozenset())).ranked == ("z", "y")


def test_no_text_is_embedded_twice():
    seen = []

    def embed(texts):
        seen.extend(texts)
        return letters(texts)

    remembered = remembering(embed)
    assert remembered(["a", "b", "a"]).shape == (3, 26)
    assert remembered(["b", "c"]).tolist() == letters(["b", "c"]).tolist()
    assert seen == ["a", "b", "c"]
