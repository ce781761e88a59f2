"""What folding looks up: memories, edges, sessions, tombs and trust, whoever asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import apsw

from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import (
    EDGE_COLUMNS,
    EDGE_ROWS,
    MEMORY_COLUMNS,
    Row,
    belief_of,
    edge_of,
    memory_of,
)
from helix.model.edge import CONTRADICTS, SUPERSEDES, Edge
from helix.model.memory import Belief, Memory, Status
from helix.model.moment import from_micros, to_micros
from helix.model.scope import Realm, visible_from
from helix.model.session import Session
from helix.model.types import EPISODE
from helix.ports.projection import Earlier, Touched
from helix.rules.event_ids import marked
from helix.rules.naming import edge_id_stem

_MEMORIES = f"SELECT {MEMORY_COLUMNS}, m.belief FROM memories m"
HELD = f"{_MEMORIES} WHERE m.tenant = ? AND m.id = ?"
PLACE_OF = "SELECT place FROM ledger WHERE key = (? << 40 | ?)"
BORN_AT = (
    f"{_MEMORIES} INDEXED BY memories_standing WHERE m.place = ?"
    f" AND m.status IN ({', '.join(repr(status.value) for status in Status)}) AND m.position = ?"
)
POSITION_OF = "SELECT position FROM ledger WHERE tenant = ? AND event_id = ?"
AWAITING = (
    f"{_MEMORIES} INDEXED BY memories_awaiting"
    " WHERE m.tenant = ? AND m.parent_event_id = ? AND m.parent_event_id <> ''"
    " ORDER BY m.position"
)
BELIEF_BEFORE = (
    "SELECT b.belief FROM past_beliefs b JOIN memories m ON m.key = b.memory"
    " WHERE b.tenant = ? AND b.until_position = ? AND m.id = ?"
)
EARLIER = (
    "SELECT b.belief, b.until_position FROM past_beliefs b"
    " WHERE b.memory = (SELECT key FROM memories WHERE tenant = ? AND id = ?) ORDER BY b.until_at"
)
CHANGED_THERE = (
    "SELECT m.id FROM past_beliefs b JOIN memories m ON m.key = b.memory"
    " WHERE b.tenant = ? AND b.until_position = ?"
)
# What a record draws is named after its position, so no index by position is needed.
DRAWN_THERE = "SELECT id FROM edges WHERE tenant = ?1 AND id > ?2 || '_' AND id < ?2 || '`'"
ENDED_THERE = "SELECT id FROM edges INDEXED BY edges_ends WHERE tenant = ? AND ended_by = ?"
USED_THERE = (
    "SELECT m.id FROM uses u JOIN memories m ON m.key = u.memory"
    " WHERE u.tenant = ? AND u.position = ?"
)
EDGE = f"SELECT {EDGE_COLUMNS} FROM {EDGE_ROWS} WHERE e.tenant = ? AND e.id = ?"
_TIED = f"e.relation IN ('{SUPERSEDES}', '{CONTRADICTS}') AND m.status = 'superseded'"
_KEY_OF = "(SELECT key FROM memories WHERE tenant = ?1 AND id = ?2)"
REPLACED_BY = (
    f"SELECT {MEMORY_COLUMNS}, m.belief FROM edges e JOIN memories m ON m.key = e.finish"
    f" WHERE e.start = {_KEY_OF} AND {_TIED}"
    f" UNION ALL SELECT {MEMORY_COLUMNS}, m.belief FROM edges e JOIN memories m ON m.key = e.start"
    f" WHERE e.finish = {_KEY_OF} AND {_TIED}"
)
SESSION = (
    "SELECT started_at, ended_at, agent, episodes, last_episode FROM sessions"
    " WHERE place = ? AND id = ?"
)
ALIKE = (
    f"{_MEMORIES} INDEXED BY memories_alike"
    " WHERE m.place = ?1 AND m.fingerprint = ?2 AND m.fingerprint <> '' AND m.status = 'active'"
    " AND m.valid_from <= ?3 AND (m.valid_to IS NULL OR m.valid_to > ?3)"
    " AND (m.expires_at IS NULL OR m.expires_at > ?3) AND m.id <> ?4"
    " ORDER BY m.position LIMIT 1"
)
TAKEN = "SELECT 1 FROM memories WHERE tenant = ? AND id = ?"
TOMB = "SELECT 1 FROM counters WHERE name = 'tomb ' || ? AND owner = ?"
TOMBS = "SELECT name FROM counters WHERE name > 'tomb ' AND name < 'tomb!' AND owner = ?"
BUDGET = "SELECT value FROM counters WHERE name = 'budget' AND owner = ?"

# A row for each act that decided on a source; the latest of a name counts.
TRUSTS = (
    "SELECT name, value FROM counters"
    " WHERE name > 'trust ' AND name < 'trust!' AND owner = ? ORDER BY name"
)
TRUST_NAME = len("trust ") + 16 + 1
TRUST_OF_ACT = (
    " FROM counters WHERE name > 'trust ' || format('%016d ', ?1)"
    " AND name < 'trust ' || format('%016d!', ?1)"
    " AND (SELECT tenant FROM places WHERE key = counters.owner) = ?2"
)
DECIDES_TRUST = "SELECT 1" + TRUST_OF_ACT


class SqliteKnown:
    """Implements `Known` inside one connection's transaction, and tells who is trusted."""

    def __init__(self, connection: apsw.Connection, places: Places) -> None:
        """Take the connection and its numbering of realms."""
        self._connection = connection
        self._places = places

    def held(self, tenant: str, memory_id: str) -> Memory | None:
        """See `Known.held`."""
        return self._known(HELD, tenant, memory_id)

    def born_at(self, tenant: str, position: int) -> Memory | None:
        """See `Known.born_at`."""
        for place in self._birthplaces(tenant, position):
            row = self._connection.execute(BORN_AT, (place, position)).fetchone()
            if row is not None:
                return memory_of(row, self._places)
        return None

    def episode_of(self, realm: Realm, event_id: str) -> Memory | None:
        """See `Known.episode_of`."""
        first = self._kept_by(realm.tenant, event_id)
        if first is None:
            return None  # an id is marked only where another realm has it as it is
        places = visible_from(realm)
        others = (self._kept_by(realm.tenant, marked(event_id, each)) for each in places)
        born = (self.born_at(realm.tenant, each) for each in (first, *others) if each is not None)
        found = (each for each in born if each is not None and each.type == EPISODE)
        seen = [each for each in found if each.realm in places]
        return min(seen, key=lambda each: places.index(each.realm), default=None)

    def _kept_by(self, tenant: str, kept_id: str) -> int | None:
        bindings = (self._places.tenant(tenant), kept_id)
        row = self._connection.execute(POSITION_OF, bindings).fetchone()
        return None if row is None else row[0]

    def awaiting(self, tenant: str, event_id: str) -> Sequence[Memory]:
        """See `Known.awaiting`."""
        rows = self._connection.execute(AWAITING, (self._places.tenant(tenant), event_id))
        return [memory_of(row, self._places) for row in rows]

    def belief_before(self, tenant: str, memory_id: str, position: int) -> Belief | None:
        """See `Known.belief_before`."""
        bindings = (self._places.tenant(tenant), position, memory_id)
        row = self._connection.execute(BELIEF_BEFORE, bindings).fetchone()
        return None if row is None else belief_of(row[0])

    def earlier(self, tenant: str, memory_id: str) -> Sequence[Earlier]:
        """See `Known.earlier`."""
        bindings = (self._places.tenant(tenant), memory_id)
        rows: list[Row] = self._connection.execute(EARLIER, bindings).fetchall()
        return [Earlier(belief_of(belief), position) for belief, position in rows]

    def touched_by(self, tenant: str, position: int) -> Touched:
        """See `Known.touched_by`."""
        number = self._places.tenant(tenant)
        memories = self._ids(CHANGED_THERE, number, position)
        born = self.born_at(tenant, position)
        if born is not None:
            memories.add(born.id)
        edges = self._ids(DRAWN_THERE, number, edge_id_stem(position))
        edges |= self._ids(ENDED_THERE, number, position)
        uses = self._ids(USED_THERE, number, position)
        return Touched(tuple(sorted(memories)), tuple(sorted(edges)), tuple(sorted(uses)))

    def edge(self, tenant: str, edge_id: str) -> Edge | None:
        """See `Known.edge`."""
        bindings = (self._places.tenant(tenant), edge_id)
        row = self._connection.execute(EDGE, bindings).fetchone()
        return None if row is None else edge_of(row, self._places)

    def replaced_by(self, tenant: str, memory_id: str) -> Sequence[Memory]:
        """See `Known.replaced_by`."""
        bindings = (self._places.tenant(tenant), memory_id)
        rows: list[Row] = self._connection.execute(REPLACED_BY, bindings).fetchall()
        found = {row[2]: memory_of(row, self._places) for row in rows}
        return [found[each] for each in sorted(found) if _gave_way_to(found[each], memory_id)]

    def session(self, realm: Realm, session_id: str) -> Session | None:
        """See `Known.session`."""
        bindings = (self._places.place(realm), session_id)
        row = self._connection.execute(SESSION, bindings).fetchone()
        if row is None:
            return None
        started_at, ended_at, agent, episodes, last_episode = row
        return Session(
            id=session_id,
            realm=realm,
            started_at=from_micros(started_at),
            ended_at=None if ended_at is None else from_micros(ended_at),
            agent=agent,
            episodes=episodes,
            last_episode=last_episode,
        )

    def alike(
        self, realm: Realm, fingerprint: str, at: datetime, apart_from: str = ""
    ) -> Memory | None:
        """See `Known.alike`."""
        bindings = (self._places.place(realm), fingerprint, to_micros(at), apart_from)
        row = self._connection.execute(ALIKE, bindings).fetchone()
        return None if row is None else memory_of(row, self._places)

    def taken(self, tenant: str, memory_id: str) -> bool:
        """See `Known.taken`."""
        bindings = (self._places.tenant(tenant), memory_id)
        return self._connection.execute(TAKEN, bindings).fetchone() is not None

    def entombed(self, tenant: str, digest: str) -> bool:
        """See `Known.entombed`."""
        bindings = (digest, self._places.tenant(tenant))
        return self._connection.execute(TOMB, bindings).fetchone() is not None

    def decides_trust(self, tenant: str, position: int) -> bool:
        """See `Known.decides_trust`."""
        bindings = (position, self._places.tenant(tenant))
        return self._connection.execute(DECIDES_TRUST, bindings).fetchone() is not None

    def trusts(self, realm: Realm) -> Mapping[str, bool]:
        """See `Projection.trusts`."""
        rows = self._connection.execute(TRUSTS, (self._places.place(realm),))
        return {str(name)[TRUST_NAME:]: bool(value) for name, value in rows}

    def importance_budget(self, realm: Realm) -> int:
        """See `Known.importance_budget`."""
        row = self._connection.execute(BUDGET, (self._places.place(realm),)).fetchone()
        return 0 if row is None else row[0]

    def has_tombs(self, tenant: str) -> bool:
        """See `Known.has_tombs`."""
        number = self._places.tenant(tenant)
        return self._connection.execute(TOMBS + " LIMIT 1", (number,)).fetchone() is not None

    def _known(self, statement: str, tenant: str, key: str | int) -> Memory | None:
        row = self._connection.execute(statement, (self._places.tenant(tenant), key)).fetchone()
        return None if row is None else memory_of(row, self._places)

    def _birthplaces(self, tenant: str, position: int) -> list[int]:
        # A memory is born where its record was written; an index by position alone would cost
        # every capture a page.
        number = self._places.tenant(tenant)
        if number is None:
            return []
        row = self._connection.execute(PLACE_OF, (number, position)).fetchone()
        return self._places.of_tenant(number) if row is None else [row[0]]

    def _ids(self, statement: str, *bindings: str | int | None) -> set[str]:
        rows: list[Row] = self._connection.execute(statement, bindings).fetchall()
        return {row[0] for row in rows}


def _gave_way_to(memory: Memory, successor: str) -> bool:
    return memory.belief.superseded_by == successor
