"""The side of the projection that is asked: every method filters by realm in its query.

Here are memories by id, with their edges and all that was believed about them. The other
ways to ask have rooms of their own: `by_words`, `episodes` and `listing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import apsw

from helix.adapters.sqlite.known import SqliteKnown
from helix.adapters.sqlite.noticed import Noticed
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import (
    EDGE_COLUMNS,
    MEMORY_COLUMNS,
    Row,
    belief_of,
    edge_of,
    encode,
    memory_of,
)
from helix.adapters.sqlite.standing import Standing, believed, marks
from helix.adapters.sqlite.words import WordIndex
from helix.model.edge import Edge
from helix.model.memory import Belief, Memory
from helix.model.moment import to_micros
from helix.model.scope import Realm

BELIEFS = "SELECT belief FROM past_beliefs WHERE memory = ? ORDER BY until_at"


def by_id_statement(seen: Standing, places: int) -> str:
    """Return the query for one memory among the visible ones."""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM memories m{seen.joins}"
        f" WHERE m.tenant = ? AND m.id = ? AND m.place IN ({marks(places)}) AND {seen.where}"
    )


def by_ids_statement(seen: Standing, places: int, *, keyed: bool = False) -> str:
    """Return the query for several memories among the visible ones, by their ids or keys."""
    wanted = "m.key = wanted.value" if keyed else "m.tenant = ? AND m.id = wanted.value"
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM json_each(?) wanted"
        f" CROSS JOIN memories m ON {wanted}{seen.joins}"
        f" WHERE m.place IN ({marks(places)}) AND {seen.where}"
    )


def reading_statement(seen: Standing, keys: int, types: int) -> str:
    """Return the query that reads those of some memories that may answer."""
    by_type = f" AND m.type IN ({marks(types)})" if types else ""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM memories m NOT INDEXED{seen.joins}"
        f" WHERE m.key IN ({marks(keys)}) AND m.place = ?{by_type} AND {seen.where}"
    )


def neighbours_statement(places: int, relations: int, *, outgoing: bool) -> str:
    """Return the query for the standing edges on one side of a memory."""
    near, other = ("start", "b") if outgoing else ("finish", "a")
    by_relation = f" AND e.relation IN ({marks(relations)})" if relations else ""
    return (
        f"SELECT {EDGE_COLUMNS} FROM edges e JOIN memories a ON a.key = e.start"
        f" JOIN memories b ON b.key = e.finish WHERE e.{near} = ?{by_relation}"
        f" AND e.created_at <= ? AND (e.ended_at IS NULL OR e.ended_at > ?)"
        f" AND e.place IN ({marks(places)}) AND {other}.place IN ({marks(places)})"
        f" AND {other}.status <> 'purged' ORDER BY e.created_at, e.id"
    )


class Asking(SqliteKnown):
    """Implements what of `Projection` takes ids, and holds what the other rooms work with."""

    def __init__(
        self, connection: apsw.Connection, places: Places, words: WordIndex, noticed: Noticed
    ) -> None:
        """Take the connection, its numbering of realms, its word indexes and what it has read."""
        super().__init__(connection, places)
        self._noticed = noticed
        self._words = words

    def memory(
        self, asker: Realm, memory_id: str, believed_on: datetime | None = None
    ) -> Memory | None:
        """See `Projection.memory`."""
        row = self._row(asker, memory_id, believed_on)
        if row is None:
            return None
        self._noticed.rows([row])
        return memory_of(row, self._places)

    def memories(
        self, asker: Realm, memory_ids: Sequence[str], believed_on: datetime | None = None
    ) -> Mapping[str, Memory]:
        """See `Projection.memories`."""
        seen = believed(believed_on)
        places = self._places.visible(asker)
        # The ids come first in the statement, the moment of the belief where it is joined.
        rest = (*seen.joins_bindings, *places, *seen.where_bindings)
        known = {
            key: memory_id
            for ids in self._noticed.keys(memory_ids, places).values()
            for key, memory_id in ids.items()
        }
        rows: list[Row] = []
        if known:
            # What was read before is found by its key, without looking its id up again.
            statement = by_ids_statement(seen, len(places), keyed=True)
            rows += self._connection.execute(statement, (str(list(known)), *rest)).fetchall()
        strange = sorted(set(memory_ids).difference(known.values()))
        if strange:
            wanted = encode(strange).decode(), self._places.tenant(asker.tenant)
            statement = by_ids_statement(seen, len(places))
            rows += self._connection.execute(statement, (*wanted, *rest)).fetchall()
        self._noticed.rows(rows)
        return {row[2]: memory_of(row, self._places) for row in rows}

    def neighbours(
        self,
        asker: Realm,
        memory_id: str,
        *,
        relations: Sequence[str] = (),
        believed_on: datetime | None = None,
    ) -> Sequence[Edge]:
        """See `Projection.neighbours`."""
        row = self._row(asker, memory_id, believed_on)
        if row is None:
            return []
        moment = (1 << 62) if believed_on is None else to_micros(believed_on)
        places = self._places.visible(asker)
        bindings = (row[0], *relations, moment, moment, *places, *places)
        found = {}
        for outgoing in (True, False):
            statement = neighbours_statement(len(places), len(relations), outgoing=outgoing)
            for edge_row in self._connection.execute(statement, bindings):
                found[edge_row[1]] = edge_row
        return [edge_of(edge_row, self._places) for edge_row in found.values()]

    def beliefs(self, asker: Realm, memory_id: str) -> Sequence[Belief]:
        """See `Projection.beliefs`."""
        row = self._row(asker, memory_id, None)
        if row is None:
            return []
        past = self._connection.execute(BELIEFS, (row[0],))
        return [*(belief_of(each[0]) for each in past), belief_of(row[13])]

    def _row(self, asker: Realm, memory_id: str, believed_on: datetime | None) -> Row | None:
        seen = believed(believed_on)
        places = self._places.visible(asker)
        bindings = (
            *seen.joins_bindings, self._places.tenant(asker.tenant), memory_id, *places,
            *seen.where_bindings,
        )  # fmt: skip
        return self._connection.execute(by_id_statement(seen, len(places)), bindings).fetchone()
