"""What a process counts while it answers, for whoever watches it: see `helix.app.watching`."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import datetime
from statistics import median
from typing import TYPE_CHECKING

from helix.model.life import life_of
from helix.model.recollection import Abstained, Recollection
from helix.rules.decay import retained, standing

if TYPE_CHECKING:
    from helix.app.context import Context
    from helix.ports.store import Unit

BOUNDS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Upper ends of the histogram's buckets: shares of a memory's weight that are left."""


class Figures:
    """Counts answers, and how much was left of what they held. Any thread may add to it."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self._guard = threading.Lock()
        self._buckets = [0] * len(BOUNDS)
        self._sum = 0.0
        self._answers = 0
        self._misses = 0

    def asked(self, unit: Unit, context: Context, answer: Recollection, now: datetime) -> None:
        """Count one answer."""
        if isinstance(answer, Abstained):
            with self._guard:
                self._misses += 1
            return
        memories = [each.memory for each in answer.remembered]
        uses = unit.lives.uses_of(context.realm, [each.id for each in memories])
        lives = [life_of(each, uses.get(each.id, ())) for each in memories]
        policy = context.policy
        self.add([retained(life, standing(life, policy), now, policy) for life in lives])

    def add(self, left: Sequence[float]) -> None:
        """Count one answer by how much is left of each of its memories."""
        middle = median(left)
        with self._guard:
            self._answers += 1
            self._sum += middle
            for number, bound in enumerate(BOUNDS):
                self._buckets[number] += middle <= bound

    @property
    def histogram(self) -> tuple[tuple[tuple[float, int], ...], float, int]:
        """Answers at or below each bound, the sum over all answers, and their number."""
        with self._guard:
            buckets = tuple(zip(BOUNDS, self._buckets, strict=True))
            return buckets, self._sum, self._answers

    @property
    def misses(self) -> int:
        """How often memory did not know."""
        return self._misses
