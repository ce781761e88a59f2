"""Time and chance that a test decides."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, datetime, timedelta

SOME_MOMENT = datetime(2026, 5, 14, 10, 32, tzinfo=UTC)
"""Where a clock begins unless a test says otherwise."""


class SettableClock:
    """A `Clock` that stands still until it is moved, forwards or back."""

    def __init__(self, moment: datetime = SOME_MOMENT) -> None:
        self.moment = moment

    def now(self) -> datetime:
        """See `Clock.now`."""
        return self.moment

    def move(self, by: timedelta) -> datetime:
        """Move on, or back if `by` is negative, and return the new moment."""
        self.moment += by
        return self.moment


class SeededChance:
    """A `Chance` that gives the same salts and ids for the same seed.

    Without a seed each takes the next one, so that two of them never give the same id.
    """

    _seeds = itertools.count(1)

    def __init__(self, seed: int | None = None) -> None:
        self._seed = next(self._seeds) if seed is None else seed
        self._random = random.Random(self._seed)
        self._given = 0

    def salt(self) -> bytes:
        """See `Chance.salt`."""
        return self._random.randbytes(16)

    def event_id(self) -> str:
        """See `Chance.event_id`."""
        self._given += 1
        return f"ev_{self._seed}_{self._given}"
