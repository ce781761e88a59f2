"""Acts: what the ledger holds, one class per kind of act.

Two families stand side by side: what happened (captured, session started and ended)
and what people or agents decided (everything else). An act is complete in itself: the
projection is folded from acts alone, so whatever the fold needs stands in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime

from helix.model.frozen import dataclass
from helix.model.memory import Circumstances, EventTime
from helix.model.provenance import Source
from helix.model.suspicion import Suspicion


@dataclass(frozen=True, slots=True)
class Captured:
    """An episode happened. Its readable id follows from its words and its position."""

    content: str
    source: Source
    circumstances: Circumstances
    importance_base: float
    importance_hint: float | None = None
    occurred_at: datetime | None = None
    attributes: Mapping[str, object] = field(default_factory=dict)
    suspicion: Suspicion | None = None


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """An agent began a session."""

    session: str
    source: Source


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """An agent's session came to its end."""

    session: str
    source: Source


@dataclass(frozen=True, slots=True)
class Asserted:
    """Something is held to be so. No `valid_from` means: from the moment of recording."""

    memory_id: str
    type: str
    shape: str
    content: str
    source: Source
    importance_base: float
    confidence: float
    importance_hint: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    event_time: EventTime | None = None
    attributes: Mapping[str, object] = field(default_factory=dict)
    suspicion: Suspicion | None = None


@dataclass(frozen=True, slots=True)
class Corrected:
    """A memory is replaced: the old one is closed where the new one begins."""

    corrects: str
    by: Asserted


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A memory was found to be right."""

    memory_id: str
    source: Source


@dataclass(frozen=True, slots=True)
class Related:
    """Two memories hang together."""

    from_id: str
    to_id: str
    relation: str
    weight: float
    source: Source


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A memory steps back; `Restored` brings it out again."""

    memory_id: str
    source: Source
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Restored:
    """A forgotten or archived memory is held again."""

    memory_id: str
    source: Source


@dataclass(frozen=True, slots=True)
class Pinned:
    """A memory is made immune to fading, or no longer (`pinned` false)."""

    memory_id: str
    pinned: bool
    source: Source


@dataclass(frozen=True, slots=True)
class Resolved:
    """A contradiction between two memories was decided.

    `verdict` is `first`, `second`, `both`, `compatible` or `neither`. With `both`, the first one
    held until `since` and the second one from then on; `compatible` ones hold side by side.
    """

    first: str
    second: str
    verdict: str
    source: Source
    since: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Used:
    """Somebody worked with a memory; quality 0 misled, 3 helped, 5 was just what was needed.

    `because` names what cites it, if it was used by being cited.
    """

    memory_id: str
    quality: int
    source: Source
    because: str = ""


@dataclass(frozen=True, slots=True)
class Promoted:
    """An episode becomes the ground of something that is held; the episode stays."""

    promotes: str
    by: Asserted


@dataclass(frozen=True, slots=True)
class Demoted:
    """A memory steps back into the archive; using it brings it out again."""

    memory_id: str
    source: Source
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Approved:
    """Somebody looked at a memory that was held back or in doubt, and vouches for it."""

    memory_id: str
    source: Source


@dataclass(frozen=True, slots=True)
class Rejected:
    """Somebody looked at a memory that was held back, and turned it away.

    `tomb` is the keyed digest of its words: the same words are not taken in again.
    """

    memory_id: str
    source: Source
    reason: str = ""
    tomb: str = ""


@dataclass(frozen=True, slots=True)
class Trusted:
    """Somebody trusts what is imported from a source, or (`trusted` false) no longer does.

    `positions` are those of the memories that waited and count from now on; or, when trust is
    taken back, of those that counted on it and wait from now on.
    """

    name: str
    source: Source
    trusted: bool = True
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RolledBack:
    """Earlier acts are undone, each memory returning to what was believed before them."""

    positions: tuple[int, ...]
    source: Source
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Erased:
    """The payload of an earlier record was destroyed at its owner's request.

    `position` is 0 where a conclusion was destroyed, which stands in no record. `tomb` is the
    keyed digest of its words: the same words are not taken in again.
    """

    position: int
    source: Source
    tomb: str = ""


@dataclass(frozen=True, slots=True)
class Purged:
    """Payloads of earlier records left the ledger by age, once an export of them was checked.

    `spans` are the first and last positions of each stretch; `until` is the age in question,
    and `export` the SHA-256 of the file up to its last line.
    """

    spans: tuple[tuple[int, int], ...]
    source: Source
    until: datetime
    export: str


Act = (
    Captured
    | SessionStarted
    | SessionEnded
    | Asserted
    | Corrected
    | Confirmed
    | Related
    | Forgotten
    | Restored
    | Pinned
    | Resolved
    | Used
    | Promoted
    | Demoted
    | Approved
    | Rejected
    | Trusted
    | RolledBack
    | Erased
    | Purged
)
