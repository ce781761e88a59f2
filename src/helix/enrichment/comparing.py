"""What a memory is beside those before it: how surprising, what it resembles, what it repeats.

Only earlier memories count, so surprise does not depend on how work was cut into batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from helix.model.memory import Memory
from helix.model.scope import may_read
from helix.rules.novelty import NEAREST, REPEATS_FROM, SIMILAR_FROM, surprise
from helix.rules.similarity import cosines

if TYPE_CHECKING:
    from helix.rules.similarity import Vectors

Near = tuple[int, float]
"""A memory's key, and its cosine."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What comparing brought out."""

    surprise: float
    similar: tuple[Near, ...]
    repeats: int | None


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
            if may_read(memory.realm, earlier.realm)
        ]
        found.append(_judged(dict(near)))
    return found


def _judged(near: dict[int, float]) -> Compared:
    nearest = sorted(near.items(), key=lambda each: (-each[1], each[0]))[:NEAREST]
    similar = tuple((key, round(cosine, 4)) for key, cosine in nearest if cosine >= SIMILAR_FROM)
    repeats = nearest[0][0] if nearest and nearest[0][1] >= REPEATS_FROM else None
    return Compared(round(surprise([cosine for _, cosine in nearest]), 4), similar, repeats)
