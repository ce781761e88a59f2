"""Comparing a question with many vectors, shared among threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from helix.adapters.sqlite.comparison import Comparison
from helix.rules.similarity import BLOCK, Coarse, CoarseQuestion, coarse, coarse_products, unit

MANY = 3 * BLOCK + 17


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    return unit(np.random.default_rng(1).standard_normal((MANY, 64), dtype=np.float32))


def test_however_many_threads_help_the_products_are_the_same(vectors: np.ndarray) -> None:
    """Each block is compared by somebody, and nobody returns before the last one is."""
    among = coarse(vectors)
    for _ in range(5):
        shared = Comparison(among, vectors[7])
        with ThreadPoolExecutor(4) as pool:
            found = [each.result() for each in [pool.submit(shared.products) for _ in range(4)]]
        assert all((each == coarse_products(among, vectors[7])).all() for each in found)


def test_few_vectors_are_compared_as_they_are(vectors: np.ndarray) -> None:
    """The cosines themselves."""
    assert np.allclose(Comparison(vectors, vectors[7]).products(), vectors @ vectors[7], atol=1e-6)


def test_nothing_is_compared_with_nothing(vectors: np.ndarray) -> None:
    """And nobody waits for it."""
    assert len(Comparison(coarse(vectors[:0]), vectors[7]).products()) == 0


def test_a_thread_that_fails_leaves_nobody_waiting(
    vectors: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it had begun is done by whoever needs it."""
    helping, failed = threading.current_thread(), threading.Event()
    whole = CoarseQuestion.products

    def failing(self: CoarseQuestion, block: Coarse) -> np.ndarray:
        if threading.current_thread() is not helping:
            failed.wait(5)  # until the other one waits for the last block
            raise MemoryError
        return whole(self, block)

    monkeypatch.setattr(CoarseQuestion, "products", failing)
    among = coarse(vectors)
    shared = Comparison(among, vectors[7])
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(shared.work)
        threading.Timer(0.2, failed.set).start()
        found = shared.products()
        assert isinstance(other.exception(), MemoryError)
    assert (found == coarse_products(among, vectors[7])).all()
