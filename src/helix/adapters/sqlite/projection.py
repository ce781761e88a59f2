"""The projection's promises, kept in SQLite: carrying out changes, and what folding looks up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import apsw

from helix.adapters.sqlite.asking import BUDGET
from helix.adapters.sqlite.by_words import ByWords
from helix.adapters.sqlite.episodes import Episodes
from helix.adapters.sqlite.listing import Listing
from helix.adapters.sqlite.noticed import Noticed
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import (
    EDGE_COLUMNS,
    INSERT_MEMORY,
    MEMORY_COLUMNS,
    Row,
    belief_of,
    edge_of,
    encode,
    memory_of,
    memory_row,
    source_written,
    written,
)
from helix.adapters.sqlite.words import WordIndex
from helix.model import changes as kinds
from helix.model.changes import Change
from helix.model.edge import Edge
from helix.model.errors import Conflict
from helix.model.memory import Belief, Memory, Status
from helix.model.moment import from_micros, to_micros
from helix.model.scope import Realm
from helix.model.session import Session
from helix.model.types import EPISODE
from helix.ports.projection import Stamp, Touched
from helix.rules.naming import edge_id_stem

_MEMORIES = f"SELECT {MEMORY_COLUMNS}, m.belief FROM memories m"
_EDGES = (
    f"SELECT {EDGE_COLUMNS} FROM edges e JOIN memories a ON a.key = e.start"
    " JOIN memories b ON b.key = e.finish"
)
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
ALIKE = (
    f"{_MEMORIES} INDEXED BY memories_alike"
    " WHERE m.place = ? AND m.fingerprint = ? AND m.fingerprint <> ''"
    " AND m.status = 'active' ORDER BY m.position LIMIT 1"
)
STANDS = "SELECT status, belief FROM memories WHERE tenant = ? AND id = ?"
TAKEN = "SELECT 1 FROM memories WHERE tenant = ? AND id = ?"
BELIEF_BEFORE = (
    "SELECT b.belief FROM past_beliefs b JOIN memories m ON m.key = b.memory"
    " WHERE b.tenant = ? AND b.until_position = ? AND m.id = ?"
)
CHANGED_THERE = (
    "SELECT m.id FROM past_beliefs b JOIN memories m ON m.key = b.memory"
    " WHERE b.tenant = ? AND b.until_position = ?"
)
# What a record draws is named after its position, so no index by position is needed.
DRAWN_THERE = "SELECT id FROM edges WHERE tenant = ?1 AND id > ?2 || '_' AND id < ?2 || '`'"
ENDED_THERE = "SELECT id FROM edges INDEXED BY edges_ends WHERE tenant = ? AND ended_by = ?"
EDGE = f"{_EDGES} WHERE e.tenant = ? AND e.id = ?"
SESSION = (
    "SELECT started_at, ended_at, agent, episodes, last_episode FROM sessions"
    " WHERE place = ? AND id = ?"
)
CHECKPOINT = "SELECT value FROM counters WHERE name = 'checkpoint' AND owner = ?"
RESET = "DELETE FROM counters WHERE name = ? AND owner = ?"
BEGIN = "INSERT INTO counters VALUES ('checkpoint', ?, 1)"
FORGET_NOVELTY = "DELETE FROM novelty WHERE memory IN (SELECT key FROM memories WHERE tenant = ?)"
ADVANCE = (
    "UPDATE counters SET value = ?2 WHERE name = 'checkpoint' AND owner = ?1 AND value = ?2 - 1"
)
KEEP_BELIEF = (
    # Of several beliefs in one moment only the one before them all was ever held.
    "INSERT OR IGNORE INTO past_beliefs"
    " SELECT key, ?3, tenant, ?4, status, valid_from, valid_to, belief"
    " FROM memories WHERE tenant = ?1 AND id = ?2"
)
CHANGE_BELIEF = (
    "UPDATE memories SET status = ?, valid_from = ?, valid_to = ?, belief = ?"
    " WHERE tenant = ? AND id = ?"
)
USED_THERE = (
    "SELECT m.id FROM uses u JOIN memories m ON m.key = u.memory"
    " WHERE u.tenant = ? AND u.position = ?"
)
ALL_USES = (
    "SELECT m.id, u.position, u.at, u.quality, u.origin FROM uses u"
    " JOIN memories m ON m.key = u.memory WHERE u.tenant = ? ORDER BY m.id, u.position"
)
RATE = "UPDATE memories SET importance_base = ? WHERE tenant = ? AND id = ? AND importance_base = ?"
PUT_USE = (
    "INSERT OR IGNORE INTO uses (memory, position, tenant, at, quality, origin)"
    " SELECT key, ?1, ?5, ?2, ?3, ?4 FROM memories WHERE tenant = ?5 AND id = ?6"
)
DROP_USE = (
    "DELETE FROM uses WHERE memory = (SELECT key FROM memories WHERE tenant = ?1 AND id = ?2)"
    " AND position = ?3"
)
PUT_EDGE = (
    # An edge to something that was erased meanwhile has no end there, and is left out.
    "INSERT OR IGNORE INTO edges (tenant, place, id, start, finish, relation, weight, created_at,"
    " position, ended_at, ended_by, source) VALUES (?1, ?2, ?3,"
    " (SELECT key FROM memories WHERE tenant = ?1 AND id = ?4),"
    " (SELECT key FROM memories WHERE tenant = ?1 AND id = ?5),"
    " ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT (tenant, id) DO UPDATE SET"
    " ended_at = excluded.ended_at, ended_by = excluded.ended_by"
)
PUT_SESSION = (
    "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (place, id) DO UPDATE SET"
    " ended_at = excluded.ended_at, agent = excluded.agent, episodes = excluded.episodes,"
    " last_episode = excluded.last_episode"
)
ADD_IMPORTANCE = (
    "INSERT INTO counters VALUES ('budget', ?, ?) ON CONFLICT (name, owner) DO UPDATE"
    " SET value = value + excluded.value"
)


PUT_TOMB = "INSERT OR IGNORE INTO counters VALUES ('tomb ' || ?, ?, 1)"
TOMB = "SELECT 1 FROM counters WHERE name = 'tomb ' || ? AND owner = ?"
_TOMBS = "SELECT name FROM counters WHERE name > 'tomb ' AND name < 'tomb!' AND owner = ?"
_DROP_TOMBS = "DELETE FROM counters WHERE name > 'tomb ' AND name < 'tomb!' AND owner = ?"

# A row for each act that decided on a source; the latest of a name counts.
PUT_TRUST = (
    "INSERT OR IGNORE INTO counters VALUES ('trust ' || format('%016d', ?1) || ' ' || ?2, ?3, ?4)"
)
TRUSTS = (
    "SELECT name, value FROM counters"
    " WHERE name > 'trust ' AND name < 'trust!' AND owner = ? ORDER BY name"
)
_DROP_TRUSTS = "DELETE FROM counters WHERE name > 'trust ' AND name < 'trust!' AND owner = ?"
_OF_ACT = (
    " FROM counters WHERE name > 'trust ' || format('%016d ', ?1)"
    " AND name < 'trust ' || format('%016d!', ?1)"
    " AND (SELECT tenant FROM places WHERE key = counters.owner) = ?2"
)
DECIDES_TRUST = "SELECT 1" + _OF_ACT
DROP_TRUST = "DELETE" + _OF_ACT
TRUST_NAME = len("trust ") + 16 + 1

ENRICHED = ("vectors", "mentions", "likenesses", "naming")
"""Tables that enrichment keeps beside memories; they go with them."""


class SqliteProjection(ByWords, Episodes, Listing):
    """Implements `Projection` inside one connection's transaction."""

    def __init__(
        self, connection: apsw.Connection, places: Places, words: WordIndex, noticed: Noticed
    ) -> None:
        """Take the connection, its numbering of realms, its word indexes and what it has read."""
        super().__init__(connection, places, words, noticed)
        # For what answers nothing; a question left half read would hold its snapshot.
        self._writing = connection.cursor()
        self._carry_out: dict[type[Change], Callable[[Any, Stamp], None]] = {
            kinds.PutMemory: self._put_memory,
            kinds.DropMemory: self._drop_memory,
            kinds.Step: self._step,
            kinds.Rate: self._rate,
            kinds.Suspect: self._suspect,
            kinds.PutUse: self._put_use,
            kinds.DropUse: self._drop_use,
            kinds.PutEdge: self._put_edge,
            kinds.DropEdge: self._drop_edge,
            kinds.PutSession: self._put_session,
            kinds.AddImportance: self._add_importance,
            kinds.SpendImportance: self._spend_importance,
            kinds.PutTomb: self._put_tomb,
            kinds.PutTrust: self._put_trust,
            kinds.DropTrust: self._drop_trust,
        }

    def checkpoint(self, tenant: str) -> int:
        """See `Projection.checkpoint`."""
        row = self._connection.execute(CHECKPOINT, (self._places.tenant(tenant),)).fetchone()
        return 0 if row is None else row[0]

    def apply(self, tenant: str, changes: Sequence[Change], stamp: Stamp) -> bool:
        """See `Projection.apply`."""
        if stamp.position is not None and not self._advance(tenant, stamp.position):
            return False
        self._noticed.forget()
        for change in changes:
            self._carry_out[type(change)](change, stamp)
        return True

    def clear(self, tenant: str) -> None:
        """See `Projection.clear`."""
        number = self._places.tenant(tenant)
        if number is None:
            return
        self._noticed.forget()
        for place in self._places.of_tenant(number):
            self._words.clear(place)
            for table in ("sessions", *ENRICHED):
                self._connection.execute(f"DELETE FROM {table} WHERE place = ?", (place,))
            self._connection.execute(RESET, ("budget", place))
            self._connection.execute(_DROP_TRUSTS, (place,))
        self._connection.execute(RESET, ("checkpoint", number))
        self._connection.execute(FORGET_NOVELTY, (number,))
        self._connection.execute(_DROP_TOMBS, (number,))
        for table in ("past_beliefs", "edges", "uses", "memories"):
            self._connection.execute(f"DELETE FROM {table} WHERE tenant = ?", (number,))

    def contents(self, tenant: str) -> Iterator[str]:
        """See `Projection.contents`."""
        yield f"checkpoint {self.checkpoint(tenant)}"
        number = self._places.tenant(tenant)
        if number is None:
            return
        for row in self._connection.execute(
            f"{_MEMORIES} WHERE m.tenant = ? ORDER BY m.id", (number,)
        ):
            memory = memory_of(row, self._places)
            yield f"memories {encode(memory).decode()}"
            past = self._connection.execute(
                "SELECT until_at, until_position, belief FROM past_beliefs WHERE memory = ?"
                " ORDER BY until_at",
                (row[0],),
            )
            for until_at, until_position, belief in past:
                yield f"beliefs {memory.id} {until_at} {until_position} {belief.decode()}"
        for row in self._connection.execute(
            f"{_EDGES} WHERE e.tenant = ? ORDER BY e.id", (number,)
        ):
            yield f"edges {encode(edge_of(row, self._places)).decode()}"
        for row in self._connection.execute(ALL_USES, (number,)):
            yield f"uses {encode(row).decode()}"
        for place in self._places.of_tenant(number):
            yield from self._place_contents(place)
        for (name,) in self._connection.execute(_TOMBS + " ORDER BY name", (number,)):
            yield f"tombs {name}"

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

    def episode_of(self, tenant: str, event_id: str) -> Memory | None:
        """See `Known.episode_of`."""
        row = self._connection.execute(
            POSITION_OF, (self._places.tenant(tenant), event_id)
        ).fetchone()
        found = None if row is None else self.born_at(tenant, row[0])
        return found if found is not None and found.type == EPISODE else None

    def awaiting(self, tenant: str, event_id: str) -> Sequence[Memory]:
        """See `Known.awaiting`."""
        rows = self._connection.execute(AWAITING, (self._places.tenant(tenant), event_id))
        return [memory_of(row, self._places) for row in rows]

    def belief_before(self, tenant: str, memory_id: str, position: int) -> Belief | None:
        """See `Known.belief_before`."""
        bindings = (self._places.tenant(tenant), position, memory_id)
        row = self._connection.execute(BELIEF_BEFORE, bindings).fetchone()
        return None if row is None else belief_of(row[0])

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

    def alike(self, realm: Realm, fingerprint: str) -> Memory | None:
        """See `Known.alike`."""
        bindings = (self._places.place(realm), fingerprint)
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

    def has_tombs(self, tenant: str) -> bool:
        """See `Known.has_tombs`."""
        number = self._places.tenant(tenant)
        return self._connection.execute(_TOMBS + " LIMIT 1", (number,)).fetchone() is not None

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

    def _advance(self, tenant: str, position: int) -> bool:
        number = self._places.ensure_tenant(tenant)
        self._writing.execute(ADVANCE, (number, position))
        if self._connection.changes():
            return True
        reached = self.checkpoint(tenant)
        if position <= reached:
            return False
        if reached or position != 1:
            raise Conflict(
                f"position {position} cannot be folded after {reached}",
                code="fold_out_of_order",
                remedy="fold the records in between first",
            )
        self._connection.execute(BEGIN, (number,))
        return True

    def _put_memory(self, change: kinds.PutMemory, stamp: Stamp) -> None:
        memory = change.memory
        tenant, place = self._places.ensure(memory.realm)
        self._writing.execute(INSERT_MEMORY, memory_row(memory, tenant, place))
        if self._connection.changes():
            self._words.add(self._connection.last_insert_rowid())
            return
        held = self.held(memory.realm.tenant, memory.id)
        if held is not None and held.belief != memory.belief:
            self._believe(tenant, memory.id, memory.belief, stamp)

    def _believe(self, tenant: int, memory_id: str, belief: Belief, stamp: Stamp) -> None:
        self._connection.execute(
            KEEP_BELIEF, (tenant, memory_id, to_micros(stamp.recorded_at), stamp.position)
        )
        self._connection.execute(
            CHANGE_BELIEF,
            (
                belief.status.value,
                to_micros(belief.valid_from),
                belief.valid_to and to_micros(belief.valid_to),
                written(belief),
                tenant,
                memory_id,
            ),
        )

    def _drop_memory(self, change: kinds.DropMemory, stamp: Stamp) -> None:
        tenant, place = self._places.ensure(change.realm)
        rows: list[Row] = self._connection.execute(
            "DELETE FROM memories WHERE tenant = ? AND id = ? RETURNING key",
            (tenant, change.memory_id),
        ).fetchall()
        for (key,) in rows:
            self._words.remove(place, key)
            for table in (*ENRICHED, "novelty", "past_beliefs", "uses"):
                self._connection.execute(f"DELETE FROM {table} WHERE memory = ?", (key,))
            self._connection.execute("DELETE FROM likenesses WHERE other = ?", (key,))
            self._connection.execute("DELETE FROM edges WHERE start = ?1 OR finish = ?1", (key,))

        # A statistic is kept under a readable id, which holds words of the memory.
        self._connection.execute(
            "DELETE FROM surfaced WHERE tenant = ? AND id = ?", (tenant, change.memory_id)
        )

    def _step(self, change: kinds.Step, stamp: Stamp) -> None:
        # A sweep takes many steps in one transaction, so only the belief is read and written.
        tenant, _ = self._places.ensure(change.realm)
        row = self._connection.execute(STANDS, (tenant, change.memory_id)).fetchone()
        if row is None or row[0] != change.leaves.value:
            return
        since = change.believed_from or stamp.recorded_at
        belief = replace(belief_of(row[1]), status=change.enters, believed_from=since)
        self._believe(tenant, change.memory_id, belief, stamp)

    def _rate(self, change: kinds.Rate, stamp: Stamp) -> None:
        tenant, _ = self._places.ensure(change.realm)
        self._connection.execute(RATE, (change.enters, tenant, change.memory_id, change.leaves))

    def _suspect(self, change: kinds.Suspect, stamp: Stamp) -> None:
        tenant, _ = self._places.ensure(change.realm)
        row = self._connection.execute(STANDS, (tenant, change.memory_id)).fetchone()
        if row is None or (belief := belief_of(row[1])).suspicion != change.leaves:
            return
        since = change.believed_from or stamp.recorded_at
        belief = replace(belief, suspicion=change.enters, believed_from=since)
        self._believe(tenant, change.memory_id, belief, stamp)

    def _put_use(self, change: kinds.PutUse, stamp: Stamp) -> None:
        tenant, _ = self._places.ensure(change.realm)
        use = change.use
        self._connection.execute(
            PUT_USE,
            (use.position, to_micros(use.at), use.quality, use.origin.value, tenant,
             change.memory_id),
        )  # fmt: skip

    def _drop_use(self, change: kinds.DropUse, stamp: Stamp) -> None:
        tenant, _ = self._places.ensure(change.realm)
        self._connection.execute(DROP_USE, (tenant, change.memory_id, change.position))

    def _put_edge(self, change: kinds.PutEdge, stamp: Stamp) -> None:
        edge = change.edge
        tenant, place = self._places.ensure(edge.realm)
        self._connection.execute(
            PUT_EDGE,
            (
                tenant, place, edge.id, edge.from_id, edge.to_id, edge.relation, edge.weight,
                to_micros(edge.created_at), edge.provenance.position,
                edge.ended_at and to_micros(edge.ended_at), edge.ended_by,
                source_written(edge.provenance.source),
            ),
        )  # fmt: skip

    def _drop_edge(self, change: kinds.DropEdge, stamp: Stamp) -> None:
        tenant, _ = self._places.ensure(change.realm)
        self._connection.execute(
            "DELETE FROM edges WHERE tenant = ? AND id = ?", (tenant, change.edge_id)
        )

    def _put_session(self, change: kinds.PutSession, stamp: Stamp) -> None:
        session = change.session
        _, place = self._places.ensure(session.realm)
        self._connection.execute(
            PUT_SESSION,
            (
                place,
                session.id,
                to_micros(session.started_at),
                session.ended_at and to_micros(session.ended_at),
                session.agent,
                session.episodes,
                session.last_episode,
            ),
        )

    def _add_importance(self, change: kinds.AddImportance, stamp: Stamp) -> None:
        _, place = self._places.ensure(change.realm)
        self._writing.execute(ADD_IMPORTANCE, (place, change.millipoints))

    def _spend_importance(self, change: kinds.SpendImportance, stamp: Stamp) -> None:
        _, place = self._places.ensure(change.realm)
        self._connection.execute(RESET, ("budget", place))

    def _put_tomb(self, change: kinds.PutTomb, stamp: Stamp) -> None:
        tenant, _ = self._places.ensure(change.realm)
        self._connection.execute(PUT_TOMB, (change.digest, tenant))

    def _put_trust(self, change: kinds.PutTrust, stamp: Stamp) -> None:
        _, place = self._places.ensure(change.realm)
        bindings = (change.position, change.name, place, change.trusted)
        self._connection.execute(PUT_TRUST, bindings)

    def _drop_trust(self, change: kinds.DropTrust, stamp: Stamp) -> None:
        tenant, _ = self._places.ensure(change.realm)
        self._connection.execute(DROP_TRUST, (change.position, tenant))

    def _place_contents(self, place: int) -> Iterator[str]:
        name = encode(self._places.realm(place)).decode()
        for row in self._connection.execute(TRUSTS, (place,)):
            yield f"trusts {name} {encode(row).decode()}"
        for row in self._connection.execute(
            "SELECT id, started_at, ended_at, agent, episodes, last_episode FROM sessions"
            " WHERE place = ? ORDER BY id",
            (place,),
        ):
            yield f"sessions {name} {encode(row).decode()}"
        for row in self._connection.execute(BUDGET, (place,)):
            yield f"budgets {name} {row[0]}"
        for line in self._words.vocabulary_lines(place):
            yield f"words {name} {encode(line).decode()}"
