"""How long a sleeper leaves the store to others after it has written: long while others write.

One capture in a hundred may meet a sleeper that holds the store, not one in ten: capturing
must not become slower because somebody sleeps. Alone, there is nobody to wait for.
"""

from __future__ import annotations

SHORTEST = 0.005
"""Seconds: longer than a waiting writer naps, so that it has its turn."""

LONGEST = 0.5
"""Seconds: on a machine that is very busy, everything takes long, and a run has to end."""

ALONE = 1.0
BESIDE_OTHERS = 99.0
"""Times as long as the store was held: it is held for a hundredth of the time then."""

REMEMBERED = 10.0
"""Seconds after which nobody else counts as writing any more."""


class Rests:
    """Notices others by how far the ledger has come: sleep itself adds nothing to it."""

    def __init__(self, position: int) -> None:
        """Take how far the ledger had come when the run began."""
        self._position = position
        self._met_at: float | None = None

    def after(self, held: float, position: int, now: float) -> float:
        """Return the seconds to rest after the store was held for so many."""
        if position > self._position:
            self._position, self._met_at = position, now
        beside = self._met_at is not None and now - self._met_at < REMEMBERED
        return min(LONGEST, max(SHORTEST, held * (BESIDE_OTHERS if beside else ALONE)))
