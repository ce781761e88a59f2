"""Runs of sleep, kept in SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

import apsw
import msgspec

from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import Row, encode
from helix.model.moment import to_micros
from helix.model.run import Run, RunState
from helix.model.scope import Realm

BEGIN = (
    "INSERT INTO runs (tenant, number, place, state, started_at, body)"
    " SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5 FROM runs WHERE tenant = ?1"
    " RETURNING number"
)
SAVE = "UPDATE runs SET state = ?, body = ? WHERE tenant = ? AND number = ?"
ONE = "SELECT number, body FROM runs WHERE tenant = ? AND number = ?"
BY_STATE = "SELECT number, body FROM runs WHERE place = ? AND state = ? ORDER BY number DESC"
LATEST = (
    "SELECT number, body FROM runs INDEXED BY runs_places WHERE place = ?"
    " AND state IN ('running', 'finished', 'reverted') ORDER BY number DESC LIMIT ?"
)
CLEAR = "DELETE FROM runs WHERE tenant = ?"


class SqliteRuns:
    """Implements `Runs` inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection, places: Places) -> None:
        """Take the connection and its numbering of realms."""
        self._connection = connection
        self._places = places

    def begin(self, run: Run) -> Run:
        """See `Runs.begin`."""
        tenant, place = self._places.ensure(run.realm)
        bindings = (tenant, place, run.state.value, to_micros(run.started_at), encode(run))
        ((number,),) = self._connection.execute(BEGIN, bindings).fetchall()
        return replace(run, number=cast("int", number))

    def save(self, run: Run) -> None:
        """See `Runs.save`."""
        tenant = self._places.tenant(run.realm.tenant)
        self._connection.execute(SAVE, (run.state.value, encode(run), tenant, run.number))

    def run(self, tenant: str, number: int) -> Run | None:
        """See `Runs.run`."""
        rows = self._connection.execute(ONE, (self._places.tenant(tenant), number))
        return next(iter(_read(rows)), None)

    def unfinished(self, realm: Realm) -> Run | None:
        """See `Runs.unfinished`."""
        return next(iter(self._by_state(realm, RunState.RUNNING)), None)

    def latest(self, realm: Realm, limit: int = 20) -> Sequence[Run]:
        """See `Runs.latest`."""
        return _read(self._connection.execute(LATEST, (self._places.place(realm), limit)))

    def reverted(self, realm: Realm) -> Sequence[Run]:
        """See `Runs.reverted`."""
        return self._by_state(realm, RunState.REVERTED)

    def clear(self, tenant: str) -> None:
        """See `Runs.clear`."""
        self._connection.execute(CLEAR, (self._places.tenant(tenant),))

    def _by_state(self, realm: Realm, state: RunState) -> list[Run]:
        bindings = (self._places.place(realm), state.value)
        return _read(self._connection.execute(BY_STATE, bindings))


def _read(rows: Iterable[Row]) -> list[Run]:
    return [replace(msgspec.json.decode(body, type=Run), number=number) for number, body in rows]
