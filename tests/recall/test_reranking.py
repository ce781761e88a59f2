"""A reranker's judgement puts the best in order and leaves the rest alone."""

from __future__ import annotations

from helix.recall.reranking import reordered
from helix.recall.signals import Candidate
from helix.testing.builders import a_memory


def order_of(*names: str) -> list[tuple[float, Candidate]]:
    return [(1.0 - place / 10, Candidate(a_memory(name))) for place, name in enumerate(names)]


def test_the_judged_change_places_and_scores_stay() -> None:
    """The better judged comes first; how the places are scored does not change."""
    found = reordered(order_of("mem_a", "mem_b", "mem_c"), [0.1, 7.0])
    assert [(score, each.memory.id) for score, each in found] == [
        (1.0, "mem_b"),
        (0.9, "mem_a"),
        (0.8, "mem_c"),
    ]
    assert found[0][1].contributions == {"reread": 7.0}
    assert found[2][1].contributions == {}


def test_equally_judged_keep_their_order() -> None:
    """Where the reranker does not tell two apart, the evidence does."""
    found = reordered(order_of("mem_a", "mem_b"), [0.5, 0.5])
    assert [each.memory.id for _, each in found] == ["mem_a", "mem_b"]
