"""What a correction came to, in words: it took the other's place, or stands beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix.rules.doubts import rivals

if TYPE_CHECKING:
    from helix.model.outcome import Kept


def verb(old_id: str, kept: Kept, shown: str) -> str:
    """Return what was done to a memory, `shown` being its id as the door shows it.

    Whoever is weaker than the user only disagrees: to be told "corrected" would be a lie.
    """
    if old_id not in rivals(kept.memory.belief):
        return f"Corrected {shown}, now"
    return (
        f"Not corrected: {shown} is the user's word and stands until the user decides"
        " (`helix review`). Yours was noted beside it:"
    )
