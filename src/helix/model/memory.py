"""A memory: a typed thing Helix holds, with both time axes and its provenance.

A memory's content never changes. What changes is what is believed about it (status,
validity, confidence, pins), and every earlier belief is kept: see `Belief`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum

from helix.model.frozen import dataclass
from helix.model.provenance import Provenance
from helix.model.scope import Realm
from helix.model.suspicion import Suspicion
from helix.model.types import Shape


class Status(StrEnum):
    """Where a memory stands in its life; `rules.validity` says which steps are allowed."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"
    QUARANTINED = "quarantined"
    REJECTED = "rejected"
    PURGED = "purged"


@dataclass(frozen=True, slots=True)
class EventTime:
    """When a thing happens in the world, apart from when it is held true or was recorded."""

    start: datetime | None = None
    end: datetime | None = None
    text: str = ""
    timezone: str = ""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What surrounded an episode of coding work."""

    event_id: str
    session: str = ""
    agent: str = ""
    tool: str = ""
    exit_status: int | None = None
    files: tuple[str, ...] = ()
    parent_event_id: str = ""


@dataclass(frozen=True, slots=True)
class Belief:
    """What Helix holds about a memory from one act until the next.

    `since` is the ledger position that brought this belief about; `stems_from` is the
    act it rests on. They differ only after a rollback, which returns to an earlier
    belief without pretending that nothing happened in between. `doubts` say in a few words
    what speaks against it: a contradiction, a file that is gone, grounds that were taken back.
    """

    status: Status
    valid_from: datetime
    valid_to: datetime | None
    confidence: float
    since: int
    stems_from: int
    believed_from: datetime
    pinned: bool = False
    confirmations: int = 0
    superseded_by: str = ""
    provenance: tuple[Provenance, ...] = ()
    doubts: tuple[str, ...] = ()
    suspicion: Suspicion | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """Everything Helix holds about one thing, as it stands in the belief asked for."""

    id: str
    type: str
    shape: Shape
    content: str
    realm: Realm
    position: int
    recorded_at: datetime
    fingerprint: str
    importance_base: float
    belief: Belief
    importance_hint: float | None = None
    expires_at: datetime | None = None
    event_time: EventTime | None = None
    circumstances: Circumstances | None = None
    attributes: Mapping[str, object] = field(default_factory=dict)

    @property
    def status(self) -> Status:
        """Where it stands in its life."""
        return self.belief.status

    @property
    def importance(self) -> float:
        """How much it weighs: the caller's hint if there is one, else the rating at write."""
        return self.importance_base if self.importance_hint is None else self.importance_hint
