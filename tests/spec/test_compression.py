"""Compression: coarse vectors point almost where the fine ones did, and compare fairly."""

from __future__ import annotations

import numpy as np
import pytest

from helix.rules.precision import COARSE_BITS, LEVELS, SCALE_BYTES, coarse, coded, fine
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
