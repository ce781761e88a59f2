"""How new a memory is beside what is held."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.rules.novelty import modifier, surprise

COSINES = st.lists(st.floats(-1, 1), max_size=8)


def test_the_midpoint_is_neither_new_nor_known() -> None:
    """At a mean distance of 0.35 surprise is one half, and importance is not moved."""
    assert surprise([0.65] * 5) == pytest.approx(0.5)
    assert modifier(0.5) == 0
    assert surprise([]) == 0.5


def test_the_documented_values() -> None:
    """Steepness 10: at no distance 0.029, at distance 1 0.9985."""
    assert surprise([1.0] * 5) == pytest.approx(0.0293, abs=1e-4)
    assert surprise([0.0] * 5) == pytest.approx(0.9985, abs=1e-4)
    assert modifier(surprise([0.0] * 5)) == pytest.approx(0.2991, abs=1e-4)


def test_only_the_five_nearest_count() -> None:
    """A crowd of strangers does not make a memory new."""
    assert surprise([0.9] * 5 + [0.0] * 50) == surprise([0.9] * 5)


@given(COSINES)
def test_importance_is_moved_by_at_most_three_tenths(cosines: list[float]) -> None:
    """In either direction, whatever is near."""
    assert -0.3 <= modifier(surprise(cosines)) <= 0.3


@given(COSINES.filter(bool), st.floats(0, 1))
def test_closer_is_never_more_surprising(cosines: list[float], closer: float) -> None:
    """Bringing every neighbour nearer lowers surprise, or leaves it."""
    nearer = [cosine + (1 - cosine) * closer for cosine in cosines]
    assert surprise(nearer) <= surprise(cosines) + 1e-12
