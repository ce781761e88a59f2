"""A store: the ports over one place of data, and its transactions."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from helix.ports.enrichment import Enrichment
    from helix.ports.health import Finding
    from helix.ports.jobs import Jobs
    from helix.ports.journal import Journal
    from helix.ports.ledger import Ledger
    from helix.ports.lives import Lives
    from helix.ports.projection import Projection
    from helix.ports.replies import Replies
    from helix.ports.runs import Runs
    from helix.ports.scratchpad import Scratchpad
    from helix.ports.serving import Serving


class Unit(Protocol):
    """The ports as seen from inside one transaction."""

    @property
    def ledger(self) -> Ledger:
        """What happened and what was decided."""
        ...

    @property
    def projection(self) -> Projection:
        """What was folded from it."""
        ...

    @property
    def lives(self) -> Lives:
        """How memories were used and shown."""
        ...

    @property
    def enrichment(self) -> Enrichment:
        """What was found out about it in the background."""
        ...

    @property
    def serving(self) -> Serving:
        """Which model's vectors answer."""
        ...

    @property
    def jobs(self) -> Jobs:
        """What is owed."""
        ...

    @property
    def journal(self) -> Journal:
        """What Helix concluded."""
        ...

    @property
    def runs(self) -> Runs:
        """When it concluded, and how far it came."""
        ...

    @property
    def replies(self) -> Replies:
        """What a language model replied."""
        ...

    @property
    def scratchpad(self) -> Scratchpad:
        """Notes that have not become anything yet."""
        ...


class Store(Protocol):
    """Hands out transactions. Any number of threads and processes may hold one store open."""

    @property
    def read_only(self) -> bool:
        """Whether only reading is possible."""
        ...

    def reading(self) -> AbstractContextManager[Unit]:
        """Open one consistent view: nothing written meanwhile is seen. It must not write."""
        ...

    def writing(self, *, wait: bool = True) -> AbstractContextManager[Unit]:
        """Open a transaction that is the only one writing; it is kept whole or not at all.

        Waits for its turn, or without `wait` takes it only if it is free; raises
        `StoreUnavailable` (`store_busy`) if the turn does not come, and also if the store
        is read-only or the disk is full. An exception inside undoes everything.
        """
        ...

    def snapshot(self) -> AbstractContextManager[Store]:
        """Open a private copy of the whole store as of now; it vanishes afterwards.

        Writers go on meanwhile: long work that must not hold them up happens on a copy.
        """
        ...

    def scour(self) -> Sequence[str]:
        """Leave nothing in the files of what was erased: free space, logs, old copies.

        Returns the names of copies that were removed. Raises `StoreUnavailable` while
        somebody else keeps the files in use; what was erased is gone from every answer then,
        and this can be repeated.
        """
        ...

    def residue(self, needles: Sequence[bytes]) -> Sequence[str]:
        """Return the names of files whose raw bytes still hold one of the needles."""
        ...

    def examine(self) -> Sequence[Finding]:
        """Look the data over without changing it and say what was found."""
        ...

    def close(self) -> None:
        """Let go of the data. Closing twice is harmless."""
        ...
