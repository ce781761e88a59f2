"""The projection: memories, edges and words folded from ledger and journal.

It may be thrown away at any time: `rebuild` folds it again and gets the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from helix.model.changes import Change
from helix.model.edge import Edge
from helix.model.frozen import dataclass
from helix.model.memory import Belief, Memory, Status
from helix.model.question import Standpoint
from helix.model.scope import Realm
from helix.model.session import Session


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where a change comes from: a ledger position, or None for a journal entry."""

    recorded_at: datetime
    position: int | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory found by words: a higher score fits better; scores compare within one answer."""

    memory: Memory
    score: float
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Saying:
    """What a memory says and where, without what is believed about it."""

    id: str
    type: str
    realm: Realm
    position: int
    content: str


Groups = Sequence[Sequence[str]]
"""Texts that are read together, group by group."""


@dataclass(frozen=True, slots=True)
class Beside:
    """An episode that happened near another one: as much of it as context needs."""

    id: str
    content: str
    position: int


@dataclass(frozen=True, slots=True)
class Touched:
    """What one record altered, as the projection remembers it.

    `memories` are those about which something else is believed since; `uses` those it used.
    """

    memories: tuple[str, ...]
    edges: tuple[str, ...]
    uses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Earlier:
    """What was believed about a memory, and the record that ended it; None if a conclusion did."""

    belief: Belief
    ended_by: int | None


class Known(Protocol):
    """What folding may look up: everything of one tenant, whatever the realm.

    Only the fold uses this side. People and agents ask through `Projection`, which
    filters by realm.
    """

    def held(self, tenant: str, memory_id: str) -> Memory | None:
        """Return a memory by id as it is believed now."""
        ...

    def born_at(self, tenant: str, position: int) -> Memory | None:
        """Return the memory that the record at this position brought about."""
        ...

    def episode_of(self, realm: Realm, event_id: str) -> Memory | None:
        """Return the episode captured under this event id that can be seen from a realm.

        Several realms may use an id: one in the realm itself comes first.
        """
        ...

    def awaiting(self, tenant: str, event_id: str) -> Sequence[Memory]:
        """Return the episodes that name this event id as their parent, oldest first."""
        ...

    def belief_before(self, tenant: str, memory_id: str, position: int) -> Belief | None:
        """Return what was believed just before the record at `position` changed it."""
        ...

    def earlier(self, tenant: str, memory_id: str) -> Sequence[Earlier]:
        """Return what was believed about a memory before what is believed now, oldest first."""
        ...

    def touched_by(self, tenant: str, position: int) -> Touched:
        """Return the ids of memories and edges that the record at this position altered."""
        ...

    def edge(self, tenant: str, edge_id: str) -> Edge | None:
        """Return an edge by id, ended or not."""
        ...

    def replaced_by(self, tenant: str, memory_id: str) -> Sequence[Memory]:
        """Return the memories that are superseded by this one and tied to it, in order of ids.

        Whatever supersedes is tied to what it replaced, by that or by the contradiction that
        somebody resolved; ended edges count.
        """
        ...

    def session(self, realm: Realm, session_id: str) -> Session | None:
        """Return a session of exactly this realm."""
        ...

    def alike(
        self, realm: Realm, fingerprint: str, at: datetime, apart_from: str = ""
    ) -> Memory | None:
        """Return the oldest active memory of exactly this realm with this fingerprint.

        Only one that holds at the given moment counts: begun, not ended, not expired. The one
        with the id `apart_from` does not.
        """
        ...

    def importance_budget(self, realm: Realm) -> int:
        """Return the millipoints gathered in exactly this realm since sleep was last owed."""
        ...

    def entombed(self, tenant: str, digest: str) -> bool:
        """Return whether words with this keyed digest are not to be taken in again."""
        ...

    def has_tombs(self, tenant: str) -> bool:
        """Return whether anything of the tenant is not to be taken in again."""
        ...

    def decides_trust(self, tenant: str, position: int) -> bool:
        """Return whether the act at this position says that a source is trusted, or is not."""
        ...

    def taken(self, tenant: str, memory_id: str) -> bool:
        """Return whether any memory of the tenant bears this id."""
        ...


class Projection(Known, Protocol):
    """The side that is asked, and the one way in which it is changed.

    Every reading method takes the asker's realm and returns only what is visible from
    it: own and shared things of this scope and of `global`. Filtering happens before
    ranking and before limits. Purged memories never appear.
    """

    def checkpoint(self, tenant: str) -> int:
        """Return the last ledger position that has been folded."""
        ...

    def apply(self, tenant: str, changes: Sequence[Change], stamp: Stamp) -> bool:
        """Carry out the changes; with a ledger position, move the checkpoint to it.

        A position that was folded before changes nothing, and False is returned; one that
        skips a record raises `Conflict`. All or nothing with whatever else the transaction
        holds. When a memory's belief changes, the earlier belief stays readable as of every
        moment before the stamp.
        """
        ...

    def clear(self, tenant: str) -> None:
        """Throw away everything folded for a tenant; the checkpoint returns to 0."""
        ...

    def contents(self, tenant: str) -> Iterator[str]:
        """Yield every folded row of a tenant in a canonical form and order.

        Two projections that give the same answers yield the same lines.
        """
        ...

    def sayings(self, tenant: str, first: int, last: int | None = None) -> Sequence[Saying]:
        """Return what memories of these positions say, in any order; to the end without `last`.

        All that stand anywhere in the tenant, whoever asks: this is for comparing with the
        record. Conclusions stand at position 0.
        """
        ...

    def memory(
        self, asker: Realm, memory_id: str, believed_on: datetime | None = None
    ) -> Memory | None:
        """Return a memory by id, as believed now or then, if it is visible."""
        ...

    def memories(
        self, asker: Realm, memory_ids: Sequence[str], believed_on: datetime | None = None
    ) -> Mapping[str, Memory]:
        """Return, by id, those of some memories that are visible: `memory` for many at once."""
        ...

    def listing(
        self,
        asker: Realm,
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
        before: int | Memory | None = None,
        statuses: Sequence[Status] | None = None,
    ) -> Sequence[Memory]:
        """Return visible memories, newest first.

        `before` pages: what is older than a position of the ledger, or what follows a
        memory that is held. Only the second misses nothing: conclusions were not born
        of a record, and all of them stand at position 0.

        `statuses` replaces the statuses of the view, validity included: it is for
        looking at forgotten or archived things on purpose.
        """
        ...

    def by_words(
        self,
        asker: Realm,
        words: Sequence[str],
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
    ) -> Sequence[Hit]:
        """Return visible memories that contain any of the words, best first.

        Words hold no quote characters; an entry with spaces is a phrase.
        """
        ...

    def word_scores(
        self, asker: Realm, words: Sequence[str], kinds: Sequence[Groups]
    ) -> Sequence[Sequence[float]]:
        """Return how well each group of texts, read as one, fits the words, kind by kind.

        The same measure as the scores of `by_words`, by the statistics of what is visible;
        the texts need not be memories. A group counts as long or short beside so many average
        memories as the groups of its kind hold on average.
        """
        ...

    def around(
        self, asker: Realm, memories: Sequence[Memory], reach: int
    ) -> Mapping[str, Sequence[Beside]]:
        """Return, by id, the active episodes of the same session up to `reach` before and after.

        In their order; the episode itself is not among them. What has no session has nobody
        around it.
        """
        ...

    def happened(
        self, asker: Realm, since: datetime, until: datetime, limit: int
    ) -> Sequence[Memory]:
        """Return the visible active episodes that happened in a span, in the order of time.

        An episode happened when its caller said so, else when it was recorded. More than
        `limit` are thinned to the first and the last.
        """
        ...

    def neighbours(
        self,
        asker: Realm,
        memory_id: str,
        *,
        relations: Sequence[str] = (),
        believed_on: datetime | None = None,
    ) -> Sequence[Edge]:
        """Return the standing edges at a visible memory whose far end is visible too."""
        ...

    def beliefs(self, asker: Realm, memory_id: str) -> Sequence[Belief]:
        """Return everything ever believed about a visible memory, oldest first, present last."""
        ...

    def trusts(self, realm: Realm) -> Mapping[str, bool]:
        """Return, by name, whether imports from a source count in exactly this realm.

        Sources that nobody decided on are not among them.
        """
        ...

    def counts(self, asker: Realm) -> Sequence[tuple[str, str, str, int]]:
        """Return (scope, type, status, number) of what is visible."""
        ...
