"""Changes: the only ways in which the projection is altered.

Folding a record gives a tuple of changes; a sleep run concludes a change set of the
same vocabulary. Applying a change twice equals applying it once, except importance,
which is only ever folded from a record and thus guarded by the checkpoint.
"""

from __future__ import annotations

from datetime import datetime

from helix.model.edge import Edge
from helix.model.frozen import dataclass
from helix.model.life import Use
from helix.model.memory import Memory, Status
from helix.model.scope import Realm
from helix.model.session import Session
from helix.model.suspicion import Suspicion


@dataclass(frozen=True, slots=True)
class PutMemory:
    """A memory is new, or something else is believed about it; the earlier belief is kept."""

    memory: Memory


@dataclass(frozen=True, slots=True)
class DropMemory:
    """A memory that Helix itself concluded is taken out again, as if never concluded."""

    realm: Realm
    memory_id: str


@dataclass(frozen=True, slots=True)
class Step:
    """A memory takes a step in its life, and nothing else about it changes.

    Only one that stands at `leaves` takes it: what somebody decided meanwhile goes first.
    It holds no words, so a sweep over many memories is small, and keeps nothing of a
    memory that is erased later. `believed_from` is the moment of the change unless it is
    given, as when a step is taken back.
    """

    realm: Realm
    memory_id: str
    leaves: Status
    enters: Status
    believed_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class Rate:
    """The rating at write is replaced by a better one, such as a model's; both stand here.

    The only way in which `importance_base` ever changes, so the journal is its audit. A
    memory that is not rated `leaves` keeps its rating. The caller's hint is never touched.
    """

    realm: Realm
    memory_id: str
    leaves: float
    enters: float


@dataclass(frozen=True, slots=True)
class Suspect:
    """A memory comes under suspicion, or out of it, and nothing else about it changes.

    Only one of which `leaves` is suspected: what somebody decided meanwhile goes first. It
    holds no words of the memory. `believed_from` as with a step.
    """

    realm: Realm
    memory_id: str
    leaves: Suspicion | None
    enters: Suspicion | None
    believed_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class PutUse:
    """A memory was used."""

    realm: Realm
    memory_id: str
    use: Use


@dataclass(frozen=True, slots=True)
class DropUse:
    """A use is taken back: the one that the act at this position told of."""

    realm: Realm
    memory_id: str
    position: int


@dataclass(frozen=True, slots=True)
class PutEdge:
    """An edge is drawn, or ended."""

    edge: Edge


@dataclass(frozen=True, slots=True)
class DropEdge:
    """An edge that Helix itself concluded is taken out again."""

    realm: Realm
    edge_id: str


@dataclass(frozen=True, slots=True)
class PutSession:
    """A session began, went on or ended."""

    session: Session


@dataclass(frozen=True, slots=True)
class AddImportance:
    """An episode's importance counts towards the next sleep.

    In whole thousandths of a point (importance 0.8 is 8 points, 8,000 here), so that
    the sum does not depend on the order of adding.
    """

    realm: Realm
    millipoints: int


@dataclass(frozen=True, slots=True)
class SpendImportance:
    """Sleep is owed for what was gathered; from here the budget is counted anew."""

    realm: Realm


@dataclass(frozen=True, slots=True)
class PutTomb:
    """Words are not to be taken in again; only their keyed digest is kept."""

    realm: Realm
    digest: str


@dataclass(frozen=True, slots=True)
class PutTrust:
    """What is imported from a source counts, or waits, by the act at this position.

    Every act keeps its row and the latest decides, so that taking one back needs no memory of
    what it replaced.
    """

    realm: Realm
    name: str
    position: int
    trusted: bool


@dataclass(frozen=True, slots=True)
class DropTrust:
    """The act at this position no longer says whether a source is trusted."""

    realm: Realm
    position: int


Change = (
    PutMemory
    | DropMemory
    | Step
    | Rate
    | Suspect
    | PutUse
    | DropUse
    | PutEdge
    | DropEdge
    | PutSession
    | AddImportance
    | SpendImportance
    | PutTomb
    | PutTrust
    | DropTrust
)


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What one run concluded, with enough to take it back.

    `read_to` is the ledger position the run had seen. `undo` restores what stood
    before, in the order in which it must be applied. `reverts` names the entry this
    one takes back, if it is a revert. A long run is written in several entries; `part_of`
    names the first of them, and they are told of and taken back as one.
    """

    realm: Realm
    reason: str
    concluded_by: str
    read_to: int
    changes: tuple[Change, ...]
    undo: tuple[Change, ...] = ()
    reverts: int | None = None
    part_of: int | None = None


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A change set in its place: numbered per tenant, applied after ledger position `after`."""

    number: int
    recorded_at: datetime
    after: int
    change_set: ChangeSet
