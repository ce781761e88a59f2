"""Numbers of things, as a person would write them."""

from __future__ import annotations

import pytest

from helix.rules.counting import how_many


@pytest.mark.parametrize(
    ("number", "one", "said"),
    [
        (0, "memory", "0 memories"),
        (1, "memory", "1 memory"),
        (1_204, "memory", "1,204 memories"),
        (1, "record", "1 record"),
        (2, "record", "2 records"),
    ],
)
def test_one_thing_is_not_many(number: int, one: str, said: str) -> None:
    assert how_many(number, one) == said
