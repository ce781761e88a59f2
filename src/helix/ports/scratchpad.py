"""The scratchpad: notes that have not become anything yet, beside the record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from helix.model.note import Note
from helix.model.scope import Realm


class Scratchpad(Protocol):
    """Notes by realm. What happens to one, when, is decided above; nothing here expires by itself.

    A rebuild leaves notes alone: they are not folded from anything.
    """

    def put(self, note: Note) -> None:
        """Write a note down, in the place of the one with its id if there is one."""
        ...

    def note(self, realm: Realm, note_id: str) -> Note | None:
        """Return a note of exactly this realm, dropped ones too, if there is one."""
        ...

    def notes(self, realm: Realm, limit: int = 1000) -> Sequence[Note]:
        """Return the notes of exactly this realm, dropped ones too, oldest first."""
        ...

    def settling(self, tenant: str, until: datetime, limit: int = 100) -> Sequence[Note]:
        """Return the tenant's notes that were written, or else dropped, by then; oldest first."""
        ...

    def every(self, tenant: str) -> Sequence[Note]:
        """Return all notes of a tenant, in whatever realm; for erasing."""
        ...

    def remove(self, note: Note) -> bool:
        """Take a note off the scratchpad; False if it is not there."""
        ...
