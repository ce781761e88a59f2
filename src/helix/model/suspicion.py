"""Suspicion: that a text gives orders to its reader rather than telling something."""

from __future__ import annotations

from helix.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Suspicion:
    """How strong it is, in [0, 1], why, and whether a person must look before it counts.

    `waits_for` names the source of an import that nobody trusts yet: then a person must look
    as well, whatever the text says.
    """

    score: float
    reasons: tuple[str, ...]
    held: bool = False
    waits_for: str = ""
