"""Lives: the signals by which memories fade and last, read in bulk; and what was shown.

Uses are folded from the ledger like everything else in the projection. How often a memory
was shown is a statistic beside it: kept under the memory's id, left alone by `rebuild`, and
of no weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from helix.model.edge import Edge
from helix.model.frozen import dataclass
from helix.model.life import Life, Surfacing, Use
from helix.model.memory import Status
from helix.model.scope import Realm

Cursor = tuple[int, int]
MOST_DEGREES = 100
"""Edges in one direction that are counted: beyond this, a centre is a centre."""

START: Cursor = (-1, -1)
"""Before the first life of a realm."""


@dataclass(frozen=True, slots=True)
class Aged:
    """How many memories of a kind were last needed in a stretch of time.

    `stretch` counts the bounds that lie after it: 0 is the newest stretch.
    """

    type: str
    shape: str
    status: str
    stretch: int
    number: int


class Lives(Protocol):
    """Signals of memories, filtered by realm."""

    def uses_of(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, tuple[Use, ...]]:
        """Return the uses of visible memories that have any, in the order of their acts."""
        ...

    def page(
        self, realm: Realm, after: Cursor, limit: int, status: Status = Status.ACTIVE
    ) -> Sequence[tuple[Cursor, Life]]:
        """Return lives of exactly this realm after a place, oldest first, with their places."""
        ...

    def often_used(self, realm: Realm, uses: int, limit: int) -> Sequence[Life]:
        """Return active memories of exactly this realm with at least so many uses, by id."""
        ...

    def expiring(self, realm: Realm, until: datetime, limit: int) -> Sequence[Life]:
        """Return active memories of exactly this realm whose expiry is not after a moment."""
        ...

    def of(self, realm: Realm, memory_ids: Sequence[str]) -> Mapping[str, Life]:
        """Return lives of exactly this realm by id."""
        ...

    def causes(self, realm: Realm, memory_ids: Sequence[str]) -> frozenset[str]:
        """Return which of these are named as a cause by a standing edge."""
        ...

    def summarised(self, realm: Realm, memory_ids: Sequence[str]) -> frozenset[str]:
        """Return which of these an active memory summarises."""
        ...

    def degrees(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, int]:
        """Return by how many standing edges visible memories hang together with others.

        What merely followed in time does not count, and nobody counts past `MOST_DEGREES`.
        Memories without any are left out.
        """
        ...

    def likenesses(
        self, realm: Realm, below: float, after: Cursor, limit: int
    ) -> Sequence[tuple[Cursor, Edge]]:
        """Return standing edges of likeness weaker than a bound, oldest first, with places."""
        ...

    def aged(self, asker: Realm, bounds: Sequence[datetime]) -> Sequence[Aged]:
        """Count visible memories by how long ago they were recorded or last helped.

        `bounds` fall; what was needed at or after the first of them is in stretch 0.
        """
        ...

    def census(self, tenant: str, bounds: Sequence[datetime]) -> Sequence[tuple[Realm, Aged]]:
        """Count every memory of a tenant, realm by realm, as `aged` counts what is visible.

        For whoever watches a store, never for an answer: it sees every scope. In the order
        of owners and scopes; a realm without memories is left out.
        """
        ...

    def note_surfaced(self, asker: Realm, memory_ids: Sequence[str], at: datetime) -> None:
        """Count that visible memories were shown."""
        ...

    def forget_surfaced(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """Drop the counts kept under these ids, whether or not there are such memories."""
        ...

    def surfaced(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, Surfacing]:
        """Return how often visible memories were shown; those that never were are left out."""
        ...
