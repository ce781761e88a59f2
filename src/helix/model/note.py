"""A note: what somebody wrote on a session's scratchpad, outside the record.

It is no memory: nothing is folded from it, and no question finds it. Left alone for half an
hour, or read twice, it is copied into the ledger as an episode and leaves the scratchpad.
"""

from __future__ import annotations

from datetime import datetime

from helix.model.frozen import dataclass
from helix.model.memory import Memory
from helix.model.provenance import Source
from helix.model.scope import Realm


@dataclass(frozen=True, slots=True)
class Note:
    """One note. `event_id` names the episode it becomes, so that it becomes one only once."""

    realm: Realm
    id: str
    event_id: str
    content: str
    source: Source
    noted_at: datetime
    session: str = ""
    importance_hint: float | None = None
    reads: int = 0
    dropped_at: datetime | None = None
    """When somebody decided that it is to become nothing; it waits a while and goes."""


@dataclass(frozen=True, slots=True)
class Noted:
    """It is on the scratchpad. `again` if it was there already, under the same event id."""

    note: Note
    again: bool = False


@dataclass(frozen=True, slots=True)
class Read:
    """A note that was read, and the episode it is by now, if it has left the scratchpad."""

    note: Note
    episode: Memory | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """What coming by did: the notes that became episodes, and how many dropped ones went."""

    copied: tuple[Memory, ...] = ()
    gone: int = 0
