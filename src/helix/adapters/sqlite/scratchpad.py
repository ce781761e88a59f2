"""Notes, kept in SQLite beside the record."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import Row
from helix.model.moment import from_micros, to_micros
from helix.model.note import Note
from helix.model.provenance import Origin, Source
from helix.model.scope import Realm

PUT = "INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_NOTES = (
    "SELECT place, id, event_id, content, agent, origin, ref, extractor, noted_at, session,"
    " importance_hint, reads, dropped_at FROM notes"
)
NOTE = f"{_NOTES} WHERE tenant = ? AND id = ? AND place = ?"
OF_PLACE = f"{_NOTES} WHERE place = ? ORDER BY noted_at, id LIMIT ?"
SETTLING = f"{_NOTES} WHERE tenant = ? AND since <= ? ORDER BY since, id LIMIT ?"
EVERY = f"{_NOTES} WHERE tenant = ? ORDER BY id"
REMOVE = "DELETE FROM notes WHERE tenant = ? AND id = ? AND place = ?"


class SqliteScratchpad:
    """Implements `Scratchpad` inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection, places: Places) -> None:
        """Take the connection and its numbering of realms."""
        self._connection = connection
        self._places = places

    def put(self, note: Note) -> None:
        """See `Scratchpad.put`."""
        tenant, place = self._places.ensure(note.realm)
        dropped = None if note.dropped_at is None else to_micros(note.dropped_at)
        noted = to_micros(note.noted_at)
        since = noted if dropped is None else dropped
        source = note.source
        self._connection.execute(
            PUT,
            (
                tenant, note.id, place, since, note.event_id, note.content, source.agent,
                source.origin.value, source.ref, source.extractor, noted, note.session,
                note.importance_hint, note.reads, dropped,
            ),
        )  # fmt: skip

    def note(self, realm: Realm, note_id: str) -> Note | None:
        """See `Scratchpad.note`."""
        bindings = (self._places.tenant(realm.tenant), note_id, self._places.place(realm))
        row = self._connection.execute(NOTE, bindings).fetchone()
        return None if row is None else self._note(row)

    def notes(self, realm: Realm, limit: int = 1000) -> Sequence[Note]:
        """See `Scratchpad.notes`."""
        return self._all(OF_PLACE, (self._places.place(realm), limit))

    def settling(self, tenant: str, until: datetime, limit: int = 100) -> Sequence[Note]:
        """See `Scratchpad.settling`."""
        return self._all(SETTLING, (self._places.tenant(tenant), to_micros(until), limit))

    def every(self, tenant: str) -> Sequence[Note]:
        """See `Scratchpad.every`."""
        return self._all(EVERY, (self._places.tenant(tenant),))

    def remove(self, note: Note) -> bool:
        """See `Scratchpad.remove`."""
        bindings = (
            self._places.tenant(note.realm.tenant), note.id, self._places.place(note.realm)
        )  # fmt: skip
        self._connection.execute(REMOVE, bindings)
        return self._connection.changes() > 0

    def _all(self, statement: str, bindings: Row) -> list[Note]:
        return [self._note(row) for row in self._connection.execute(statement, bindings).fetchall()]

    def _note(self, row: Row) -> Note:
        place, note_id, event_id, content, agent, origin, ref, extractor, noted_at = row[:9]
        session, hint, reads, dropped_at = row[9:]
        return Note(
            realm=self._places.realm(place),
            id=note_id,
            event_id=event_id,
            content=content,
            source=Source(agent, Origin(origin), ref, extractor),
            noted_at=from_micros(noted_at),
            session=session,
            importance_hint=hint,
            reads=reads,
            dropped_at=None if dropped_at is None else from_micros(dropped_at),
        )
