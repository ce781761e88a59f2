"""Changes carried out: what each kind of them does to the rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import apsw

from helix.adapters.sqlite.known import TRUST_OF_ACT
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import (
    INSERT_MEMORY,
    Row,
    belief_of,
    memory_row,
    source_written,
    written,
)
from helix.adapters.sqlite.words import WordIndex
from helix.model import changes as kinds
from helix.model.changes import Change
from helix.model.memory import Belief
from helix.model.moment import to_micros
from helix.ports.projection import Stamp

STANDS = "SELECT status, belief FROM memories WHERE tenant = ? AND id = ?"
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
RESET = "DELETE FROM counters WHERE name = ? AND owner = ?"
ADD_IMPORTANCE = (
    "INSERT INTO counters VALUES ('budget', ?, ?) ON CONFLICT (name, owner) DO UPDATE"
    " SET value = value + excluded.value"
)
PUT_TOMB = "INSERT OR IGNORE INTO counters VALUES ('tomb ' || ?, ?, 1)"
PUT_TRUST = (
    "INSERT OR IGNORE INTO counters VALUES ('trust ' || format('%016d', ?1) || ' ' || ?2, ?3, ?4)"
)
DROP_TRUST = "DELETE" + TRUST_OF_ACT

ENRICHED = ("vectors", "mentions", "likenesses", "naming")
"""Tables that enrichment keeps beside memories; they go with them."""


class Changing:
    """Carries changes out inside one connection's transaction; `carry_out` names the ways."""

    def __init__(self, connection: apsw.Connection, places: Places, words: WordIndex) -> None:
        """Take the connection, its numbering of realms and its word indexes."""
        self._connection = connection
        self._places = places
        self._words = words
        # For what answers nothing; a question left half read would hold its snapshot.
        self._writing = connection.cursor()
        self.carry_out: dict[type[Change], Callable[[Any, Stamp], None]] = {
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

    def _put_memory(self, change: kinds.PutMemory, stamp: Stamp) -> None:
        memory = change.memory
        tenant, place = self._places.ensure(memory.realm)
        self._writing.execute(INSERT_MEMORY, memory_row(memory, tenant, place))
        if self._connection.changes():
            self._words.add(self._connection.last_insert_rowid())
            return
        row = self._connection.execute(STANDS, (tenant, memory.id)).fetchone()
        if row is not None and belief_of(row[1]) != memory.belief:
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
