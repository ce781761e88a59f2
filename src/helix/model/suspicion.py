"""Suspicion: that a text gives orders to its reader rather than telling something."""

from __future__ import annotations

from helix.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Suspicion:
    """How strong it is, in [0, 1], why, and whether a person must look before it counts."""

    score: float
    reasons: tuple[str, ...]
    held: bool = False
