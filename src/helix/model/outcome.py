"""How a write turned out. All of these are good outcomes, so they are values."""

from __future__ import annotations

from helix.model.frozen import dataclass
from helix.model.memory import Memory


@dataclass(frozen=True, slots=True)
class Kept:
    """It is in the record, at this ledger position, and can be recalled at once."""

    memory: Memory
    position: int


@dataclass(frozen=True, slots=True)
class Joined:
    """It was there already, so nothing was written.

    The same event id came again, or the same words were already held.
    """

    memory: Memory
    position: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """Nothing was written, for the reason given."""

    reason: str
