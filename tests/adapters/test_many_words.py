"""Words counted with numpy and in loops give the same scores."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.adapters.sqlite import many_words, stems
from helix.rules.relevance import bm25

WORDS = st.lists(
    st.sampled_from(["the", "venv", "was", "not", "active", "before", "tests", "ran"]), max_size=9
)


@given(
    texts=st.lists(WORDS, min_size=1, max_size=6, unique_by=tuple),
    groups=st.lists(st.lists(st.integers(0, 5), max_size=4), max_size=5),
    average=st.floats(0.0, 40.0),
)
def test_a_group_scores_as_one_text_does(
    texts: list[list[str]], groups: list[list[int]], average: float
) -> None:
    """Whatever the texts, and however they are grouped: an empty group scores nothing."""
    weights = {"venv": 2.5, "tests": 1.25, "absent": 4.0}
    named = {" ".join(words): stems.numbers(words) for words in texts}
    picked = [[texts[each % len(texts)] for each in group] for group in groups]
    expected = []
    for group in picked:
        every = [word for words in group for word in words]
        counts = {word: every.count(word) for word in weights if word in every}
        expected.append(bm25(counts, len(every), weights, average_length=average))
    counted = many_words.Counts(named, weights)
    found = counted.scores([[" ".join(words) for words in group] for group in picked], average)
    assert found == pytest.approx(expected)


def test_numpy_is_not_loaded_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh process that asks by words alone goes without."""
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    assert not many_words.is_at_hand()
