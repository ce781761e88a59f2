"""How memories are used and shown, kept in SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import EDGE_COLUMNS, Row, belief_of, edge_of
from helix.model.edge import Edge
from helix.model.life import GOOD, Life, Surfacing, Use
from helix.model.memory import Status
from helix.model.moment import from_micros, to_micros
from helix.model.provenance import Origin
from helix.model.scope import Realm
from helix.model.types import Shape
from helix.ports.lives import MOST_DEGREES, Aged, Cursor

LIFE_COLUMNS = (
    "m.key, m.id, m.type, m.shape, m.position, m.recorded_at, m.importance_base,"
    " m.importance_hint, m.expires_at, m.belief"
)
PAGE = (
    f"SELECT {LIFE_COLUMNS} FROM memories m INDEXED BY memories_standing"
    " WHERE m.place = ? AND m.status = ? AND (m.position, m.key) > (?, ?)"
    " ORDER BY m.position, m.key LIMIT ?"
)
EXPIRING = (
    f"SELECT {LIFE_COLUMNS} FROM memories m INDEXED BY memories_expiring WHERE m.place = ?"
    " AND m.status = 'active' AND m.expires_at IS NOT NULL AND m.expires_at <= ?"
    " ORDER BY m.expires_at, m.key LIMIT ?"
)
OFTEN = (
    # Only what was ever used is looked at, which is little beside all there is.
    f"SELECT {LIFE_COLUMNS} FROM (SELECT memory FROM uses WHERE tenant = ? GROUP BY memory"
    " HAVING count(*) >= ?) u JOIN memories m ON m.key = u.memory"
    " WHERE m.place = ? AND m.status = 'active' ORDER BY m.id LIMIT ?"
)
OF = f"SELECT {LIFE_COLUMNS} FROM memories m WHERE m.tenant = ? AND m.id = ? AND m.place = ?"
USES = (
    "SELECT memory, at, quality, origin, position FROM uses"
    " WHERE memory IN (SELECT value FROM json_each(?)) ORDER BY memory, position"
)
VISIBLE = "SELECT key, place FROM memories WHERE tenant = ? AND id = ? AND status <> 'purged'"
CAUSE = (
    "SELECT 1 FROM edges INDEXED BY edges_finishes WHERE finish ="
    " (SELECT key FROM memories WHERE tenant = ?1 AND id = ?2)"
    " AND relation = 'caused_by' AND ended_at IS NULL LIMIT 1"
)
SUMMARISED = (
    "SELECT 1 FROM edges e INDEXED BY edges_finishes JOIN memories s ON s.key = e.start"
    " WHERE e.finish = (SELECT key FROM memories WHERE tenant = ?1 AND id = ?2)"
    " AND e.relation = 'summarises' AND e.ended_at IS NULL AND s.status = 'active' LIMIT 1"
)
DEGREE = (
    "SELECT m.place,"
    " (SELECT count(*) FROM (SELECT 1 FROM edges INDEXED BY edges_starts WHERE start = m.key"
    f" AND ended_at IS NULL AND relation <> 'follows' LIMIT {MOST_DEGREES}))"
    " + (SELECT count(*) FROM (SELECT 1 FROM edges INDEXED BY edges_finishes WHERE finish = m.key"
    f" AND ended_at IS NULL AND relation <> 'follows' LIMIT {MOST_DEGREES}))"
    " FROM memories m WHERE m.tenant = ? AND m.id = ? AND m.status <> 'purged'"
)
LIKENESSES = (
    f"SELECT {EDGE_COLUMNS}, e.created_at, e.start FROM edges e INDEXED BY edges_likenesses"
    " JOIN memories a ON a.key = e.start JOIN memories b ON b.key = e.finish"
    " WHERE e.place = ? AND e.relation = 'similar_to' AND e.ended_at IS NULL"
    " AND (e.created_at, e.start) > (?, ?) AND e.weight < ?"
    " ORDER BY e.created_at, e.start LIMIT ?"
)
NOTE = (
    "INSERT INTO surfaced VALUES (?1, ?2, 1, ?3, ?3) ON CONFLICT (tenant, id) DO UPDATE"
    " SET number = number + 1, last_at = max(last_at, excluded.last_at)"
)
FORGET_SURFACED = "DELETE FROM surfaced WHERE tenant = ? AND id = ?"
SURFACED = "SELECT number, first_at, last_at FROM surfaced WHERE tenant = ? AND id = ?"


def uses_statement(places: int) -> str:
    """Return the statement for the uses of memories by id; each memory's in order."""
    return (
        "SELECT m.id, u.at, u.quality, u.origin, u.position FROM json_each(?) j"
        " CROSS JOIN memories m ON m.tenant = ? AND m.id = j.value"
        " CROSS JOIN uses u ON u.memory = m.key"
        f" WHERE m.place IN ({', '.join('?' * places)}) AND m.status <> 'purged'"
    )


def aged_statement(places: int, bounds: int) -> str:
    """Return the statement that counts memories by when they were last needed."""
    last_use = f"(SELECT max(u.at) FROM uses u WHERE u.memory = m.key AND u.quality >= {GOOD})"
    needed = f"max(m.recorded_at, coalesce({last_use}, m.recorded_at))"
    stretch = " + ".join([f"({needed} < ?)"] * bounds) or "0"
    return (
        f"SELECT type, shape, status, {stretch} AS stretch, count(*) FROM memories m"
        f" WHERE m.place IN ({', '.join('?' * places)}) AND m.status <> 'purged'"
        " GROUP BY type, shape, status, stretch"
    )


class SqliteLives:
    """Implements `Lives` inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection, places: Places) -> None:
        """Take the connection and its numbering of realms."""
        self._connection = connection
        self._places = places

    def uses_of(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, tuple[Use, ...]]:
        """See `Lives.uses_of`."""
        # Asked of every candidate of a recall, most of which were never used: one statement.
        places = self._places.visible(asker)
        ids = json.dumps(list(dict.fromkeys(memory_ids)))
        bindings = (ids, self._places.tenant(asker.tenant), *places)
        return _gathered(self._connection.execute(uses_statement(len(places)), bindings))

    def page(
        self, realm: Realm, after: Cursor, limit: int, status: Status = Status.ACTIVE
    ) -> Sequence[tuple[Cursor, Life]]:
        """See `Lives.page`."""
        bindings = (self._places.place(realm), status.value, *after, limit)
        rows: list[Row] = self._connection.execute(PAGE, bindings).fetchall()
        lives = self._lives(realm, rows)
        return [((row[4], row[0]), life) for row, life in zip(rows, lives, strict=True)]

    def often_used(self, realm: Realm, uses: int, limit: int) -> Sequence[Life]:
        """See `Lives.often_used`."""
        tenant, place = self._places.tenant(realm.tenant), self._places.place(realm)
        rows = self._connection.execute(OFTEN, (tenant, uses, place, limit)).fetchall()
        return self._lives(realm, rows)

    def expiring(self, realm: Realm, until: datetime, limit: int) -> Sequence[Life]:
        """See `Lives.expiring`."""
        bindings = (self._places.place(realm), to_micros(until), limit)
        return self._lives(realm, self._connection.execute(EXPIRING, bindings).fetchall())

    def of(self, realm: Realm, memory_ids: Sequence[str]) -> Mapping[str, Life]:
        """See `Lives.of`."""
        tenant, place = self._places.tenant(realm.tenant), self._places.place(realm)
        rows: list[Row] = []
        for memory_id in memory_ids:
            rows += self._connection.execute(OF, (tenant, memory_id, place)).fetchall()
        return {life.memory_id: life for life in self._lives(realm, rows)}

    def causes(self, realm: Realm, memory_ids: Sequence[str]) -> frozenset[str]:
        """See `Lives.causes`."""
        return self._those(CAUSE, realm, memory_ids)

    def summarised(self, realm: Realm, memory_ids: Sequence[str]) -> frozenset[str]:
        """See `Lives.summarised`."""
        return self._those(SUMMARISED, realm, memory_ids)

    def degrees(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, int]:
        """See `Lives.degrees`."""
        tenant, places = self._places.tenant(asker.tenant), set(self._places.visible(asker))
        found: dict[str, int] = {}
        for memory_id in memory_ids:
            row = self._connection.execute(DEGREE, (tenant, memory_id)).fetchone()
            if row is not None and row[0] in places and row[1]:
                found[memory_id] = row[1]
        return found

    def likenesses(
        self, realm: Realm, below: float, after: Cursor, limit: int
    ) -> Sequence[tuple[Cursor, Edge]]:
        """See `Lives.likenesses`."""
        bindings = (self._places.place(realm), *after, below, limit)
        rows: list[Row] = self._connection.execute(LIKENESSES, bindings).fetchall()
        return [((row[-2], row[-1]), edge_of(row[:-2], self._places)) for row in rows]

    def aged(self, asker: Realm, bounds: Sequence[datetime]) -> Sequence[Aged]:
        """See `Lives.aged`."""
        places = self._places.visible(asker)
        bindings = (*map(to_micros, bounds), *places)
        rows = self._connection.execute(aged_statement(len(places), len(bounds)), bindings)
        return [Aged(*row) for row in sorted(rows)]

    def census(self, tenant: str, bounds: Sequence[datetime]) -> Sequence[tuple[Realm, Aged]]:
        """See `Lives.census`."""
        number = self._places.tenant(tenant)
        statement = aged_statement(1, len(bounds))
        micros = tuple(map(to_micros, bounds))
        return [
            (self._places.realm(place), Aged(*row))
            for place in ([] if number is None else self._places.of_tenant(number))
            for row in sorted(self._connection.execute(statement, (*micros, place)))
        ]

    def note_surfaced(self, asker: Realm, memory_ids: Sequence[str], at: datetime) -> None:
        """See `Lives.note_surfaced`."""
        tenant = self._places.tenant(asker.tenant)
        for memory_id in self._visible(asker, memory_ids).values():
            self._connection.execute(NOTE, (tenant, memory_id, to_micros(at)))

    def forget_surfaced(self, tenant: str, memory_ids: Sequence[str]) -> None:
        """See `Lives.forget_surfaced`."""
        number = self._places.tenant(tenant)
        for memory_id in memory_ids:
            self._connection.execute(FORGET_SURFACED, (number, memory_id))

    def surfaced(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, Surfacing]:
        """See `Lives.surfaced`."""
        tenant = self._places.tenant(asker.tenant)
        found = {}
        for memory_id in self._visible(asker, memory_ids).values():
            row = self._connection.execute(SURFACED, (tenant, memory_id)).fetchone()
            if row is not None:
                found[memory_id] = Surfacing(row[0], from_micros(row[1]), from_micros(row[2]))
        return found

    def _those(self, statement: str, realm: Realm, memory_ids: Sequence[str]) -> frozenset[str]:
        tenant = self._places.tenant(realm.tenant)
        return frozenset(
            memory_id
            for memory_id in memory_ids
            if self._connection.execute(statement, (tenant, memory_id)).fetchone() is not None
        )

    def _visible(self, asker: Realm, memory_ids: Iterable[str]) -> dict[int, str]:
        tenant, places = self._places.tenant(asker.tenant), set(self._places.visible(asker))
        found = {}
        for memory_id in dict.fromkeys(memory_ids):
            row = self._connection.execute(VISIBLE, (tenant, memory_id)).fetchone()
            if row is not None and row[1] in places:
                found[int(row[0])] = memory_id
        return found

    def _uses(self, keys: Iterable[int]) -> dict[int, tuple[Use, ...]]:
        return _gathered(self._connection.execute(USES, (json.dumps(list(keys)),)))

    def _lives(self, realm: Realm, rows: Sequence[Row]) -> list[Life]:
        uses = self._uses(row[0] for row in rows)
        return [_life_of(row, realm, uses.get(row[0], ())) for row in rows]


def _gathered(rows: Iterable[Row]) -> dict[Any, tuple[Use, ...]]:
    found: dict[Any, list[Use]] = {}
    for name, at, quality, origin, position in rows:
        use = Use(from_micros(at), quality, Origin(origin), position)
        found.setdefault(name, []).append(use)
    return {name: tuple(uses) for name, uses in found.items()}


def _life_of(row: Row, realm: Realm, uses: tuple[Use, ...]) -> Life:
    (_, memory_id, type_name, shape, position, recorded_at, base, hint, expires_at,
     body) = row  # fmt: skip
    belief = belief_of(body)
    return Life(
        memory_id=memory_id,
        realm=realm,
        type=type_name,
        shape=Shape(shape),
        position=position,
        recorded_at=from_micros(recorded_at),
        importance=base if hint is None else hint,
        status=belief.status,
        pinned=belief.pinned,
        confidence=belief.confidence,
        confirmations=belief.confirmations,
        sources=tuple(each.source for each in belief.provenance),
        believed_from=belief.believed_from,
        expires_at=None if expires_at is None else from_micros(expires_at),
        uses=uses,
    )
