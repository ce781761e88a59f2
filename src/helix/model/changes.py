"""Changes: the only ways in which the projection is altered.

Folding a record gives a tuple of changes; a sleep run concludes a change set of the
same vocabulary. Applying a change twice equals applying it once, except importance,
which is only ever folded from a record and thus guarded by the checkpoint.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from helix.model.edge import Edge
from helix.model.memory import Memory
from helix.model.scope import Realm
from helix.model.session import Session


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
class PutTomb:
    """Words are not to be taken in again; only their keyed digest is kept."""

    realm: Realm
    digest: str


Change = PutMemory | DropMemory | PutEdge | DropEdge | PutSession | AddImportance | PutTomb


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What one run concluded, with enough to take it back.

    `read_to` is the ledger position the run had seen. `undo` restores what stood
    before, in the order in which it must be applied. `reverts` names the entry this
    one takes back, if it is a revert.
    """

    realm: Realm
    reason: str
    concluded_by: str
    read_to: int
    changes: tuple[Change, ...]
    undo: tuple[Change, ...] = ()
    reverts: int | None = None


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A change set in its place: numbered per tenant, applied after ledger position `after`."""

    number: int
    recorded_at: datetime
    after: int
    change_set: ChangeSet
