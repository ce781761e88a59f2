"""Notes in a dict of the state."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from helix.model.note import Note
from helix.model.scope import Realm
from helix.testing.reference.state import State


class ReferenceScratchpad:
    """Implements `Scratchpad`."""

    def __init__(self, state: State) -> None:
        self._notes = state.notes

    def put(self, note: Note) -> None:
        """See `Scratchpad.put`."""
        self._notes[note.realm.tenant, note.id] = note

    def note(self, realm: Realm, note_id: str) -> Note | None:
        """See `Scratchpad.note`."""
        found = self._notes.get((realm.tenant, note_id))
        return found if found is not None and found.realm == realm else None

    def notes(self, realm: Realm, limit: int = 1000) -> Sequence[Note]:
        """See `Scratchpad.notes`."""
        found = [each for each in self._notes.values() if each.realm == realm]
        return sorted(found, key=lambda each: (each.noted_at, each.id))[:limit]

    def settling(self, tenant: str, until: datetime, limit: int = 100) -> Sequence[Note]:
        """See `Scratchpad.settling`."""
        found = [each for each in self.every(tenant) if _since(each) <= until]
        return sorted(found, key=lambda each: (_since(each), each.id))[:limit]

    def every(self, tenant: str) -> Sequence[Note]:
        """See `Scratchpad.every`."""
        found = [each for each in self._notes.values() if each.realm.tenant == tenant]
        return sorted(found, key=lambda each: each.id)

    def remove(self, note: Note) -> bool:
        """See `Scratchpad.remove`."""
        if self.note(note.realm, note.id) is None:
            return False
        del self._notes[note.realm.tenant, note.id]
        return True


def _since(note: Note) -> datetime:
    return note.dropped_at or note.noted_at
