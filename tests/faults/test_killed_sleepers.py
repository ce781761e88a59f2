"""A sleeper that is killed loses nothing: the next one goes on, with the same result."""

from __future__ import annotations

import random

import pytest
from benchmarks.sleeping import kills

from helix.sleep.passes import DREAM_CYCLE


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    return kills.fill(tmp_path_factory.mktemp("kills") / "filled.db", 400, seed=3)


@pytest.fixture(scope="module")
def whole(filled, tmp_path_factory):
    found, _ = kills._uninterrupted(filled, tmp_path_factory.mktemp("whole") / "whole.db")
    assert len(found) > 10
    return found


@pytest.mark.parametrize("name", [each.name for each in DREAM_CYCLE])
def test_killed_at_a_boundary_it_goes_on_at_the_next_pass(filled, whole, tmp_path, name):
    """Whichever pass was the last to be applied, the result is that of an undisturbed run."""
    assert kills.at_boundary(filled, tmp_path / "killed.db", name) == whole


def test_killed_at_random_moments_it_comes_to_the_same_end(filled, whole, tmp_path):
    """A handful of deaths here; `python -m benchmarks sleep-kills` deals out a hundred."""
    found, killed = kills.at_random(filled, tmp_path / "killed.db", 1.0, random.Random(5), 4)
    assert killed > 0
    assert found == whole
