"""A store in memory: the reference that other backends are compared with.

A transaction works on a copy of the state and puts it in place when it succeeds; a
reading view and a snapshot are copies that nobody else can change.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from helix.model.errors import StoreUnavailable
from helix.ports.health import Finding
from helix.testing.reference.enrichment import ReferenceEnrichment
from helix.testing.reference.jobs import ReferenceJobs
from helix.testing.reference.journal import ReferenceJournal
from helix.testing.reference.ledger import ReferenceLedger
from helix.testing.reference.lives import ReferenceLives
from helix.testing.reference.projection import ReferenceProjection
from helix.testing.reference.replies import ReferenceReplies
from helix.testing.reference.runs import ReferenceRuns
from helix.testing.reference.scratchpad import ReferenceScratchpad
from helix.testing.reference.serving import ReferenceServing
from helix.testing.reference.state import State

PATIENCE = 10.0
"""Seconds a writer waits for its turn."""


class ReferenceUnit:
    """The ports over one state."""

    def __init__(self, state: State) -> None:
        self.ledger = ReferenceLedger(state)
        self.projection = ReferenceProjection(state)
        self.lives = ReferenceLives(state)
        self.enrichment = ReferenceEnrichment(state)
        self.serving = ReferenceServing(state)
        self.jobs = ReferenceJobs(state)
        self.journal = ReferenceJournal(state)
        self.runs = ReferenceRuns(state)
        self.replies = ReferenceReplies(state)
        self.scratchpad = ReferenceScratchpad(state)


class ReferenceStore:
    """Implements `Store` in memory, for one process."""

    read_only = False

    def __init__(self, state: State | None = None, patience: float = PATIENCE) -> None:
        self._state = state or State()
        self._patience = patience
        self._turn = threading.Lock()
        self._closed = False

    @contextmanager
    def reading(self) -> Iterator[ReferenceUnit]:
        """See `Store.reading`."""
        self._check_open()
        yield ReferenceUnit(self._state.copy())

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator[ReferenceUnit]:
        """See `Store.writing`."""
        self._check_open()
        if not self._turn.acquire(timeout=self._patience if wait else 0):
            raise StoreUnavailable("the store did not become free in time", code="store_busy")
        try:
            state = self._state.copy()
            yield ReferenceUnit(state)
            self._state = state
        finally:
            self._turn.release()

    @contextmanager
    def snapshot(self) -> Iterator[ReferenceStore]:
        """See `Store.snapshot`."""
        self._check_open()
        yield ReferenceStore(self._state.copy())

    def scour(self) -> Sequence[str]:
        """See `Store.scour`. There are no files."""
        self._check_open()
        return []

    def residue(self, needles: Sequence[bytes]) -> Sequence[str]:
        """See `Store.residue`. There are no files."""
        return []

    def examine(self) -> Sequence[Finding]:
        """See `Store.examine`."""
        return [Finding("memory", "ok", "it is all in memory")]

    def close(self) -> None:
        """See `Store.close`."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed", code="store_closed")
