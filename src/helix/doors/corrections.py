"""What a correction came to: it took the other's place, stands beside it, or did so before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from helix.capture.admission import admitted
from helix.model.errors import BadInput, NotFound
from helix.model.provenance import Origin
from helix.rules.doubts import rivals

if TYPE_CHECKING:
    from helix.app.facade import Helix
    from helix.model.memory import Memory
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


def repeated(memory: Helix, old_id: str, content: str) -> Memory | None:
    """Return what these words brought about when they corrected a memory before, if they did.

    It is in the other's place or noted beside it, in the words that the gates let through. The
    user's word would have taken the place: what is only beside it is nothing the user said.
    """
    try:
        words = admitted(content, memory.context.gates)
    except BadInput:
        return None
    belief = memory.why(old_id).memory.belief
    users = memory.context.source.origin is Origin.USER_ASSERTED
    ids = (belief.superseded_by, *(() if users else rivals(belief)))
    told = (_told(memory, each) for each in ids if each)
    return next((each for each in told if each is not None and each.content == words), None)


def _told(memory: Helix, memory_id: str) -> Memory | None:
    try:
        return memory.why(memory_id).memory
    except NotFound:  # it was erased, or is not told to agents
        return None
