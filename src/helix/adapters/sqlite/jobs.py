"""The job queue's promises, kept in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import apsw

from helix.adapters.sqlite.places import Places
from helix.model.moment import from_micros, to_micros
from helix.model.scope import Realm
from helix.ports.jobs import LONGEST_LEASE, Job

MICROSECOND = timedelta(microseconds=1)

_COLUMNS = (
    "key, place, kind, reason, enqueued_at, due_at, attempts, leased_by, leased_until,"
    " last_error, dead"
)
PENDING = (
    f"SELECT {_COLUMNS} FROM jobs WHERE place = ? AND kind = ? AND dead = 0"
    " AND leased_until IS NULL ORDER BY key LIMIT 1"
)
ENQUEUE = (
    "INSERT INTO jobs (tenant, place, kind, reason, enqueued_at, due_at)"
    f" VALUES (?1, ?2, ?3, ?4, ?5, ?5) RETURNING {_COLUMNS}"
)
_OWN = "key = ? AND dead = 0 AND leased_by = ? AND attempts = ? AND leased_until IS NOT NULL"
RENEW = f"UPDATE jobs SET leased_until = ? WHERE {_OWN} AND leased_until > ? RETURNING {_COLUMNS}"
FINISH = f"DELETE FROM jobs WHERE {_OWN}"
FAIL = (
    "UPDATE jobs SET last_error = ?, due_at = ?, leased_by = '', leased_until = NULL,"
    f" dead = (attempts >= ?) WHERE {_OWN} RETURNING {_COLUMNS}"
)
_LIVE = f"({{0}}.leased_until > ?2 AND {{0}}.leased_until <= ?2 + {LONGEST_LEASE // MICROSECOND})"
WAITING = f"SELECT {_COLUMNS} FROM jobs WHERE tenant = ? AND dead = 0 ORDER BY due_at, key"
DEAD = f"SELECT {_COLUMNS} FROM jobs WHERE tenant = ? AND dead = 1 ORDER BY due_at, key"
FORGET_ERRORS = "UPDATE jobs SET last_error = '' WHERE tenant = ? AND last_error <> ''"
REVIVE = (
    "UPDATE jobs SET dead = 0, attempts = 0, due_at = ?, leased_by = '', leased_until = NULL"
    f" WHERE key = ? AND tenant = ? AND dead = 1 RETURNING {_COLUMNS}"
)


def lease_statement(kinds: int, *, of_one_place: bool = False) -> str:
    """Return the statement that hands out the longest-due job of some kinds (0: of any)."""
    by_kind = f" AND j.kind IN ({', '.join('?' * kinds)})" if kinds else ""
    due = " AND j.due_at <= ?2"
    if of_one_place:
        by_kind += " AND j.place = ?"
        due = ""
    return (
        "UPDATE jobs SET attempts = attempts + 1, leased_by = ?1, leased_until = ?3 WHERE key = ("
        f" SELECT j.key FROM jobs j WHERE j.dead = 0{due}"
        f" AND (j.leased_until IS NULL OR NOT {_LIVE.format('j')})"
        " AND NOT EXISTS (SELECT 1 FROM jobs o WHERE o.place = j.place AND o.kind = j.kind"
        f" AND o.dead = 0 AND o.key <> j.key AND {_LIVE.format('o')}){by_kind}"
        f" ORDER BY j.due_at, j.key LIMIT 1) RETURNING {_COLUMNS}"
    )


class SqliteJobs:
    """Implements `Jobs` inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection, places: Places) -> None:
        """Take the connection and its numbering of realms."""
        self._connection = connection
        self._places = places

    def enqueue(self, realm: Realm, kind: str, reason: str, now: datetime) -> Job:
        """See `Jobs.enqueue`."""
        tenant, place = self._places.ensure(realm)
        waiting = self._one(PENDING, (place, kind))
        if waiting is not None:
            return waiting
        owed = self._one(ENQUEUE, (tenant, place, kind, reason, to_micros(now)))
        assert owed is not None  # an insert returns its row
        return owed

    def lease(
        self,
        worker: str,
        now: datetime,
        duration: timedelta,
        kinds: Sequence[str] = (),
        realm: Realm | None = None,
    ) -> Job | None:
        """See `Jobs.lease`."""
        place = () if realm is None else (self._places.place(realm),)
        bindings = (worker, to_micros(now), to_micros(now + duration), *kinds, *place)
        return self._one(lease_statement(len(kinds), of_one_place=bool(place)), bindings)

    def renew(self, job: Job, now: datetime, duration: timedelta) -> Job | None:
        """See `Jobs.renew`."""
        return self._one(RENEW, (to_micros(now + duration), *_own(job), to_micros(now)))

    def finish(self, job: Job, now: datetime) -> bool:
        """See `Jobs.finish`."""
        self._connection.execute(FINISH, _own(job))
        return self._connection.changes() > 0

    def fail(
        self, job: Job, error: str, now: datetime, *, retry_after: timedelta, max_attempts: int
    ) -> Job | None:
        """See `Jobs.fail`."""
        bindings = (error, to_micros(now + retry_after), max_attempts, *_own(job))
        return self._one(FAIL, bindings)

    def waiting(self, tenant: str) -> Sequence[Job]:
        """See `Jobs.waiting`."""
        return self._all(WAITING, tenant)

    def dead(self, tenant: str) -> Sequence[Job]:
        """See `Jobs.dead`."""
        return self._all(DEAD, tenant)

    def forget_errors(self, tenant: str) -> None:
        """See `Jobs.forget_errors`."""
        self._connection.execute(FORGET_ERRORS, (self._places.tenant(tenant),))

    def revive(self, tenant: str, job_id: int, now: datetime) -> Job | None:
        """See `Jobs.revive`."""
        return self._one(REVIVE, (to_micros(now), job_id, self._places.tenant(tenant)))

    def _one(self, statement: str, bindings: tuple[Any, ...]) -> Job | None:
        # Reading to the end lets SQLite finish the statement inside this transaction.
        rows = self._connection.execute(statement, bindings).fetchall()
        return self._job(rows[0]) if rows else None

    def _all(self, statement: str, tenant: str) -> list[Job]:
        rows = self._connection.execute(statement, (self._places.tenant(tenant),))
        return [self._job(row) for row in rows]

    def _job(self, row: tuple[Any, ...]) -> Job:
        (key, place, kind, reason, enqueued_at, due_at, attempts, leased_by, leased_until,
         last_error, dead) = row  # fmt: skip
        return Job(
            id=key,
            realm=self._places.realm(place),
            kind=kind,
            reason=reason,
            enqueued_at=from_micros(enqueued_at),
            due_at=from_micros(due_at),
            attempts=attempts,
            leased_by=leased_by,
            leased_until=None if leased_until is None else from_micros(leased_until),
            last_error=last_error,
            dead=bool(dead),
        )


def _own(job: Job) -> tuple[int, str, int]:
    # A lease handed out again has a higher count of attempts: the old holder no longer matches.
    return job.id, job.leased_by, job.attempts
