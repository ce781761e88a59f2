"""What a scope holds and has held, found by its id and by its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from helix.app.facade import Helix
from helix.app.recording import entombed
from helix.capture.admission import cleaning
from helix.model.errors import NotFound
from helix.model.memory import Memory, Status
from helix.model.provenance import Origin
from helix.model.types import EPISODE
from helix.rules.naming import fingerprint

HELD, EARLIER = "held", "earlier"
"""Of words: they are held now; they were, and were corrected, forgotten or erased since."""

_STEPPED_BACK = (Status.ACTIVE, Status.ARCHIVED, Status.SUPERSEDED, Status.FORGOTTEN)
"""What was held once. What waits for a person, or was turned away, was not."""


class Known:
    """A memory as it stands, looked through once for all sections of a folder."""

    def __init__(self, memory: Helix) -> None:
        """Take an open memory."""
        self.scope = memory.scope
        self.clean = cleaning(memory.context.gates)
        self._memory = memory

    def by_id(self, memory_id: str) -> Memory | None:
        """Return a memory that is visible from here, however it stands."""
        try:
            return self._memory.why(memory_id).memory
        except NotFound:
            return None

    def in_another_scope(self, memory_id: str) -> bool:
        """Return whether a memory is visible from here, but of another scope."""
        found = self.by_id(memory_id)
        return found is not None and found.realm.scope != self.scope

    def stands(self, type_name: str, text: str) -> str:
        """Return how words stand in this scope: HELD, EARLIER, or nothing if they are news."""
        words = self.clean(text)
        mark = fingerprint(type_name, words)
        if mark in self._held:
            return HELD
        return EARLIER if mark in self._earlier or self._was_erased(words) else ""

    @cached_property
    def _held(self) -> frozenset[str]:
        return frozenset(each.fingerprint for each in listed(self._memory))

    @cached_property
    def _earlier(self) -> frozenset[str]:
        return frozenset(each.fingerprint for each in listed(self._memory, _STEPPED_BACK))

    def _was_erased(self, text: str) -> bool:
        # The user may say it again; a file that still holds it is nobody who says so.
        context = self._memory.context
        source = replace(context.source, origin=Origin.AGENT_INGESTED)
        with context.store.reading() as unit:
            return entombed(unit, context.realm, source, text)


def listed(memory: Helix, statuses: Sequence[Status] | None = None) -> list[Memory]:
    """Return what this scope itself holds, or what stands so in it, without episodes."""
    types = [each.name for each in memory.context.schema if each.name != EPISODE]
    return [each for each in memory.every(types, statuses) if each.realm.scope == memory.scope]
