"""How close texts come to the words of a question, one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix.rules import word_by_word
from helix.rules.word_by_word import (
    MOST_KEPT,
    SHARED,
    agreement,
    closest,
    in_company,
    packed_words,
    telling,
)

DIMENSION = 24


def rows(seed: int, count: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)


def body(vectors: np.ndarray) -> bytes:
    return packed_words(["otter"] * len(vectors), vectors)


def test_words_that_are_everywhere_and_marks_tell_nothing() -> None:
    """Of a sentence the words are left that say something alone, in their order."""
    words = ["the", "otter", "was", "over", "db", "_", "pool", ".", "42", "日", "🤖", ""]
    assert [words[place] for place in telling(words)] == ["otter", "db", "pool", "42", "日"]


def test_only_telling_words_are_kept_one_bit_a_dimension() -> None:
    """Three bytes for each word of 24 dimensions, no more words than are worth keeping."""
    vectors = rows(1, 3)
    assert packed_words(["the", "otter", "swims"], vectors) == body(vectors[1:])
    assert len(body(rows(2, MOST_KEPT + 9))) == MOST_KEPT * DIMENSION // 8
    assert packed_words(["the", "of", "!"], vectors) == b""
    assert packed_words([], None) == b""


def test_the_same_words_agree_best_and_a_text_without_words_not_at_all() -> None:
    """Whatever has words stands above what has none."""
    asked, others = rows(3, 2), rows(4, 5)
    texts = [body(np.vstack([others, asked])), body(others), b""]
    same, other, none = agreement(closest(asked, texts), [1.0, 1.0])
    assert same > other > none == -1.0


def test_a_rare_word_counts_as_it_weighs() -> None:
    """Two texts that hold one of the words each are told apart by what these weigh."""
    asked = rows(5, 2)
    close = closest(asked, [body(asked[:1]), body(asked[1:])])
    first, second = agreement(close, [3.0, 1.0])
    assert first > second
    assert agreement(close, [0.0, 0.0]) == [0.0, 0.0]


def test_a_word_right_beside_a_text_counts_for_less_than_its_own() -> None:
    """And for nothing where the text comes closer itself, or the word is two steps away."""
    close = np.array([[0.9, 0.1], [0.2, 0.5], [0.1, 0.2]], dtype=np.float32)
    found = in_company(close, [(0, 1), (1, 0), (1, 2), (2, 1)])
    expected = [[0.9, 0.5 * SHARED], [0.9 * SHARED, 0.5], [0.2 * SHARED, 0.5 * SHARED]]
    assert found == pytest.approx(np.array(expected))
    assert np.array_equal(in_company(close, []), close)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 999),
    sizes=st.lists(st.integers(0, 7), min_size=1, max_size=12),
    weights=st.lists(st.floats(0.1, 9.0), min_size=1, max_size=4),
    block=st.sampled_from([1, 5, 8_192]),
)
def test_agreement_is_the_closest_of_each_word_as_it_weighs(
    seed: int, sizes: list[int], weights: list[float], block: int
) -> None:
    """However many texts are compared at once, it is what the definition says."""
    asked = rows(seed, len(weights))
    texts = [rows(seed + 1 + place, size) for place, size in enumerate(sizes)]
    expected = []
    for text in texts:
        signs = np.where(text >= 0, 1.0, -1.0) / np.sqrt(DIMENSION)
        near = (asked / np.linalg.norm(asked, axis=1, keepdims=True)) @ signs.T
        share = np.asarray(weights) / sum(weights)
        expected.append(float(share @ near.max(axis=1)) if len(text) else -1.0)
    before, word_by_word.BLOCK = word_by_word.BLOCK, block
    try:
        found = agreement(closest(asked, [body(text) for text in texts]), weights)
    finally:
        word_by_word.BLOCK = before
    assert found == pytest.approx(expected, abs=1e-5)
