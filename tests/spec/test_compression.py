"""Compression: coarse vectors point almost where the fine ones did, and compare fairly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.rules.precision import (
    COARSE_BITS,
    DOUBTED_WITHIN,
    ERROR,
    LEVELS,
    SCALE_BYTES,
    coarse,
    coded,
    doubtful,
    fine,
)
from helix.rules.similarity import unit

DOCUMENTED = {8: (3.9, 0.9999), 4: (7.6, 0.97), 2: (14.6, 0.59)}
"""Bits to the documents' compression and cosine fidelity; ours must match or beat both."""

MINILM = 384


def some(rows, dimension, seed=1):
    drawn = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    return unit(drawn)


@pytest.mark.parametrize("bits", COARSE_BITS)
def test_the_documents_table_is_beaten(bits):
    """More bytes saved than documented, at a higher fidelity, for vectors of 384 dimensions."""
    times, fidelity = DOCUMENTED[bits]
    vectors = some(500, MINILM)
    bodies = coarse(vectors, bits)
    assert 4 * MINILM / len(bodies[0]) > times
    back = fine(bodies, bits, MINILM)
    cosines = np.sum(unit(back) * vectors, axis=1)
    assert cosines.mean() > fidelity
    assert cosines.min() > fidelity


@pytest.mark.parametrize("bits", COARSE_BITS)
@pytest.mark.parametrize("start", range(1, 1026, 205))
def test_every_dimension_is_packed_exactly_and_rounded_to_the_nearest_level(bits, start):
    """For each dimension from 1 to 1,025: nothing is lost in packing, nothing rounded twice."""
    for dimension in range(start, start + 205):
        vectors = some(2, dimension, seed=dimension)
        codes, one = coded(vectors, bits)
        levels = LEVELS[bits]
        body = coarse(vectors, bits)[0]
        assert len(body) == SCALE_BYTES + -(-dimension * bits // 8)
        scaled = vectors / one[:, None]
        error = np.abs(scaled - levels[codes])
        widest = np.diff(levels).max() / 2
        beyond = np.maximum(np.abs(scaled) - levels[-1], 0)
        assert (error <= np.maximum(widest, beyond) + 1e-5).all()
        back = fine(coarse(vectors, bits), bits, dimension)
        again, _ = coded(back, bits)
        assert back.shape == vectors.shape
        assert (np.sign(back) * np.sign(levels[codes]) >= 0).all()
        if bits == COARSE_BITS[0]:
            assert (again == codes).all()


@pytest.mark.parametrize("bits", COARSE_BITS)
def test_a_coarse_vector_is_not_favoured_or_slighted(bits):
    """Its product with the vector it came from is 1, as the fine one's is."""
    vectors = some(50, MINILM)
    back = fine(coarse(vectors, bits), bits, MINILM)
    assert np.sum(back * vectors, axis=1) == pytest.approx(np.ones(50), abs=1e-4)


@pytest.mark.parametrize("bits", COARSE_BITS)
def test_a_vector_of_nothing_stays_one(bits):
    """A text with nothing to read resembles nothing, at any precision."""
    nothing = np.zeros((1, 7), dtype=np.float32)
    assert not fine(coarse(nothing, bits), bits, 7).any()


@pytest.mark.parametrize("dimension", [64, 256, MINILM, 1024])
@pytest.mark.parametrize("bits", sorted(ERROR))
def test_the_error_of_rounding_is_what_doubt_counts_on(bits, dimension):
    """Across the vector, as long as said; in a cosine, that over the root of the dimensions."""
    vectors, asked = some(2000, dimension), some(200, dimension, seed=2)
    across = fine(coarse(vectors, bits), bits, dimension) - vectors
    assert np.linalg.norm(across, axis=1).mean() == pytest.approx(ERROR[bits], rel=0.05)
    assert (across @ asked.T).std() * dimension**0.5 == pytest.approx(ERROR[bits], rel=0.05)


COSINES = st.lists(st.floats(-1, 1), min_size=1, max_size=80)


@given(COSINES, st.data(), st.integers(0, 90), st.integers(0, 20))
def test_only_coarse_vectors_near_the_line_are_in_doubt(cosines, data, places, at_most):
    """Never more than asked for, never a fine one, never one far from the line, nearest first."""
    drawn = st.lists(st.sampled_from([16, 8, 4, 2]), min_size=len(cosines), max_size=len(cosines))
    bits = data.draw(drawn)
    found = doubtful(cosines, bits, 256, places, at_most)
    assert len(found) == len(set(found)) <= at_most
    if len(cosines) <= places or places < 1:
        assert found == []
        return
    best = sorted(cosines, reverse=True)
    line = (best[places - 1] + best[places]) / 2

    def doubt(place):
        return abs(cosines[place] - line) * 16 / ERROR[bits[place]]

    assert all(bits[place] in ERROR and doubt(place) < DOUBTED_WITHIN for place in found)
    doubts = [doubt(place) for place in found]
    assert doubts == sorted(doubts)
    left = [n for n, own in enumerate(bits) if own in ERROR and n not in found]
    if len(found) < at_most:
        assert all(doubt(place) >= DOUBTED_WITHIN for place in left)
    elif found:
        assert all(doubt(place) >= doubts[-1] for place in left)


@pytest.mark.parametrize("bits", sorted(ERROR))
def test_looking_twice_at_what_is_in_doubt_finds_the_true_ten(bits):
    """Half kept coarsely: reading again whatever is in doubt gives the order of fine vectors."""
    vectors, asked = some(4000, 128), some(40, 128, seed=2)
    kept = vectors.copy()
    kept[::2] = fine(coarse(vectors[::2], bits), bits, 128)
    precision = [bits if n % 2 == 0 else 16 for n in range(len(vectors))]
    before = after = 0
    for question in asked:
        true = set(np.argsort(-(vectors @ question))[:10].tolist())
        cosines = kept @ question
        pool = np.argsort(-cosines)[:200]
        before += len(true & set(pool[:10].tolist()))
        again = doubtful(
            cosines[pool].tolist(), [precision[n] for n in pool], 128, places=10, at_most=200
        )
        cosines[pool[again]] = vectors[pool[again]] @ question
        after += len(true & set(pool[np.argsort(-cosines[pool])[:10]].tolist()))
    assert before < 0.97 * 400 <= after
