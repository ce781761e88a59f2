"""What a memory is beside those before it: how new, and what it resembles.

Only earlier memories of its own realm count: novelty does not depend on how work was cut into
batches, and must not tell what others know.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from helix.model.frozen import dataclass
from helix.model.memory import Memory
from helix.ports.enrichment import Novelty
from helix.rules.similarity import cosines
from helix.rules.surprise import NEIGHBOURS, surprise

if TYPE_CHECKING:
    from helix.rules.similarity import Vectors

Near = tuple[int, float]
"""A memory's key, and its cosine."""

SIMILAR_FROM = 0.85
"""The cosine from which two memories are tied as similar (R-048)."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What comparing brought out."""

    novelty: Novelty
    similar: tuple[Near, ...]


def compared(
    batch: Sequence[tuple[int, Memory]], vectors: Vectors, held: Sequence[Sequence[Near]]
) -> list[Compared]:
    """Return what each memory of a batch is beside those held and those before it in the batch.

    `held` has, for each, the nearest memories that were enriched earlier.
    """
    within = cosines(vectors)
    found = []
    for place, (own_key, memory) in enumerate(batch):
        near = [each for each in held[place] if each[0] < own_key]
        near += [
            (key, within[place][other])
            for other, (key, earlier) in enumerate(batch[:place])
            if earlier.realm == memory.realm
        ]
        found.append(_judged(dict(near)))
    return found


def _judged(near: dict[int, float]) -> Compared:
    nearest = sorted(near.items(), key=lambda each: (-each[1], each[0]))[:NEIGHBOURS]
    distances = [max(0.0, 1.0 - cosine) for _, cosine in nearest]
    similar = tuple((key, round(cosine, 4)) for key, cosine in nearest if cosine >= SIMILAR_FROM)
    return Compared(Novelty(surprise(distances), distances[0] if distances else None), similar)
