"""Putting the best in the order a reranker gives them.

The scores of the order stay where they are and the memories change places: how well the
first fits beside the others is still told on the scale of the evidence.
"""

from __future__ import annotations

from collections.abc import Sequence

from helix.recall.signals import Candidate

READ_AGAIN = 20
"""Candidates that are read beside the question; each takes a cross-encoder milliseconds."""

Order = Sequence[tuple[float, Candidate]]


def reordered(order: Order, judged: Sequence[float]) -> list[tuple[float, Candidate]]:
    """Return the first of an order by what was judged of them, the rest behind as they were.

    Equally judged ones keep their order.
    """
    first, rest = order[: len(judged)], order[len(judged) :]
    better = sorted(range(len(first)), key=lambda place: -judged[place])
    for place, score in enumerate(judged):
        first[place][1].contributions["reread"] = round(float(score), 4)
    return [(first[place][0], first[was][1]) for place, was in enumerate(better)] + list(rest)
