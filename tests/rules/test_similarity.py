"""The coarse form of vectors: its order is the order of cosines, nearly; its exceptions are few."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.rules.similarity import (
    Vectors,
    closeness,
    coarse,
    coarse_products,
    lengthened,
    nearest_rows,
    packed,
    shortened,
    unit,
    unpacked_rows,
)


def drawn(count: int, dimension: int, seed: int = 1) -> Vectors:
    return unit(np.random.default_rng(seed).standard_normal((count, dimension), dtype=np.float32))


@pytest.mark.parametrize("dimension", [384, 256, 100, 1024])
def test_counting_bits_gives_the_product_of_levels(dimension: int) -> None:
    """Whatever the dimension, the products are those of the levels multiplied out."""
    vectors, asked = drawn(50, dimension), drawn(1, dimension, seed=2)[0]
    levels = np.clip(np.floor(vectors * (dimension**0.5 / 0.9957) + 2), 0, 3)
    wanted = np.clip(np.floor(asked * (dimension**0.5 / 0.586) + 4), 0, 7)
    expected = 2 * levels @ wanted - 7 * levels.sum(axis=1)
    assert coarse_products(coarse(vectors), asked).tolist() == expected.astype(int).tolist()


@pytest.mark.parametrize("dimension", [384, 256])
def test_the_short_list_holds_the_nearest(dimension: int) -> None:
    """Of the ten nearest of 20,000 in directions drawn evenly, at least 97 of 100 are in it."""
    vectors, questions = drawn(20_000, dimension), drawn(20, dimension, seed=2)
    codes = coarse(vectors)
    found = 0
    for asked in questions:
        nearest = np.argsort(-(vectors @ asked))[:10]
        short = nearest_rows(-coarse_products(codes, asked), 300)
        found += len({*nearest.tolist()} & {*short.tolist()})
    assert found / 200 >= 0.97


def test_vectors_are_unpacked_together() -> None:
    """Half precision and back, one row each; none is no row."""
    vectors = drawn(3, 64)
    again = unpacked_rows([packed(vector) for vector in vectors])
    assert np.allclose(again, vectors, atol=1e-3)
    assert len(unpacked_rows([])) == 0


def test_company_leans_a_vector() -> None:
    """Alone, a vector has its own cosine twice; in company, that of the sum at unit length."""
    vectors, asked = drawn(4, 32), drawn(1, 32, seed=2)[0]
    (alone, same), (own, leant) = closeness(asked, list(vectors), [[0], [1, 2, 3]], [0.6, 0.6])
    assert alone == pytest.approx(same, abs=1e-6) == float(vectors[0] @ asked)
    assert own == pytest.approx(float(vectors[1] @ asked), abs=1e-6)
    whole = unit(vectors[1] + 0.6 * (vectors[2] + vectors[3]))
    assert leant == pytest.approx(float(whole @ asked), abs=1e-6)
    assert closeness(asked, [], [], []) == []


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 5_000),
    st.integers(1, 700),
    st.sampled_from([3, 10**6]),
)
def test_the_nearest_rows_are_the_nearest(seed: int, rows: int, count: int, spread: int) -> None:
    """However many there are, however many lie equally far, and wherever the near ones stand."""
    distances = np.random.default_rng(seed).integers(0, spread, rows)
    if seed % 2:
        distances = np.sort(distances)[:: 1 if seed % 4 == 1 else -1]
    found = nearest_rows(distances, count)
    assert len(set(found.tolist())) == len(found) == min(rows, count)
    assert sorted(distances[found]) == sorted(distances)[:count]


def test_shortened_vectors_are_finer_than_half_precision() -> None:
    """Each coordinate lies within half a step of what it was; nothing is left of a null vector."""
    vectors = unit(np.random.default_rng(4).standard_normal((50, 384), dtype=np.float32))
    vectors[7] = 0.0
    short, scales = shortened(vectors)
    again = lengthened(short, scales)
    assert again.dtype == np.float32
    assert (np.abs(again - vectors) <= scales[:, None] * 0.51).all()
    halves = vectors.astype(np.float16).astype(np.float32)
    assert np.abs(again - vectors).mean() < np.abs(halves - vectors).mean()
    assert not again[7].any()


def test_what_does_not_fit_a_given_scale_is_cut_to_it() -> None:
    """Numbers of 16 bits must not go round."""
    short, scales = shortened(np.array([0.5, -0.9], np.float32), np.float32(1 / 65_534))
    again = lengthened(short, scales)
    assert again.tolist() == pytest.approx([0.5, -0.5], abs=1e-4)
