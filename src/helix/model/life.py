"""A memory's life as raw signals: when it was written, by whom, and every use since.

Only what happened is kept here. How strong a memory is, how fast it fades and where it
stands is worked out from these signals, a moment and a policy, whenever somebody asks; so a
policy can be changed without touching what is stored.
"""

from __future__ import annotations

from datetime import datetime

from helix.model.frozen import dataclass
from helix.model.memory import Memory, Status
from helix.model.provenance import Origin, Source
from helix.model.scope import Realm
from helix.model.types import Shape

WORST, BEST = 0, 5
"""The range of a use's quality: 0 misled, 3 helped, 5 was exactly what was needed."""

GOOD = 3
"""From this quality on, a use makes a memory last."""


@dataclass(frozen=True, slots=True)
class Use:
    """Somebody worked with a memory, and says how well it served. `position` names the act."""

    at: datetime
    quality: int
    origin: Origin
    position: int


@dataclass(frozen=True, slots=True)
class Surfacing:
    """How often a memory was shown, and when. It strengthens nothing."""

    count: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Life:
    """The signals of one memory, without its words. Uses stand in the order of their acts."""

    memory_id: str
    realm: Realm
    type: str
    shape: Shape
    position: int
    recorded_at: datetime
    importance: float
    status: Status
    pinned: bool
    confidence: float
    confirmations: int
    sources: tuple[Source, ...]
    believed_from: datetime
    expires_at: datetime | None = None
    uses: tuple[Use, ...] = ()


def life_of(memory: Memory, uses: tuple[Use, ...] = ()) -> Life:
    """Return a memory's signals."""
    belief = memory.belief
    return Life(
        memory_id=memory.id,
        realm=memory.realm,
        type=memory.type,
        shape=memory.shape,
        position=memory.position,
        recorded_at=memory.recorded_at,
        importance=memory.importance,
        status=belief.status,
        pinned=belief.pinned,
        confidence=belief.confidence,
        confirmations=belief.confirmations,
        sources=tuple(each.source for each in belief.provenance),
        believed_from=belief.believed_from,
        expires_at=memory.expires_at,
        uses=uses,
    )
