"""Personalised PageRank over the little graph around the best candidates.

What the question found hands on some of its weight to what it hangs together with: by
edges, and by rare names that two memories share. A name that many memories share says
nothing about any two of them: hubs connect, but do not surface.
"""

from __future__ import annotations

from collections.abc import Mapping

SEEDS = 3
"""Candidates that weight spreads from; more of them blur the second hop."""

STEPS = 2
HANDED_ON = 0.5
"""The share of its weight that a memory hands on in one step."""

RAREST_SHARED = 20
"""A name in more memories than this connects nothing."""

MOST_NODES = 500

Graph = Mapping[str, Mapping[str, float]]


def weight_of_name(memories: int, *, words: int) -> float:
    """Return how strongly sharing a name ties two memories, by how many share it.

    A name of several words is seldom an accident; a single word often is.
    """
    if not 1 < memories <= RAREST_SHARED:
        return 0.0
    return (1.0 if words > 1 else 0.4) / (memories - 1)


def spread(seeds: Mapping[str, float], graph: Graph) -> dict[str, float]:
    """Return the weight that reaches each memory from the seeds, the seeds' own not counted.

    A memory with little to hand it on to keeps the rest: weak ties carry little.
    """
    total = sum(seeds.values())
    if total <= 0.0:
        return {}
    current = {node: weight / total for node, weight in seeds.items()}
    reached: dict[str, float] = {}
    for _ in range(STEPS):
        following: dict[str, float] = {}
        for node, weight in current.items():
            ties = graph.get(node, {})
            strength = max(sum(ties.values()), 1.0)
            for other, tie in ties.items():
                following[other] = following.get(other, 0.0) + HANDED_ON * weight * tie / strength
        for node, weight in following.items():
            reached[node] = reached.get(node, 0.0) + weight
        if len(reached) > MOST_NODES:
            break
        current = following
    return reached
