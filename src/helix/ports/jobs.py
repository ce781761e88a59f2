"""Jobs: work that is owed, leased to whoever is idle."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

from helix.model.frozen import dataclass
from helix.model.scope import Realm

SLEEP = "sleep"
"""The kind of job that a run of sleep takes up."""

UNTOLD = "it failed; why is not kept, because something was erased meanwhile"
"""Kept in place of an error that may quote what is gone."""

LONGEST_LEASE = timedelta(hours=1)
"""More than anybody asks for: a lease that still lasts longer is from a clock since set back."""


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of owed work. `attempts` counts the leases handed out so far."""

    id: int
    realm: Realm
    kind: str
    reason: str
    enqueued_at: datetime
    due_at: datetime
    attempts: int = 0
    leased_by: str = ""
    leased_until: datetime | None = None
    last_error: str = ""
    dead: bool = False

    def is_leased(self, now: datetime) -> bool:
        """Return whether somebody is at it."""
        until = self.leased_until
        return until is not None and now < until <= now + LONGEST_LEASE


class Jobs(Protocol):
    """A queue with leases. At most one live lease per (realm, kind) at any moment.

    A worker that dies simply lets its lease run out; the work is handed out again. Work
    that failed too often is set aside as dead, never dropped.
    """

    def enqueue(self, realm: Realm, kind: str, reason: str, now: datetime) -> Job:
        """Owe a piece of work. While one of its kind waits in the realm, return that one."""
        ...

    def lease(
        self,
        worker: str,
        now: datetime,
        duration: timedelta,
        kinds: Sequence[str] = (),
        realm: Realm | None = None,
    ) -> Job | None:
        """Hand out the longest-due waiting job, or one whose lease ran out; None if none is due.

        A job whose (realm, kind) is under a live lease waits. With `realm`, only its jobs, due
        or not: somebody asks for that work now.
        """
        ...

    def renew(self, job: Job, now: datetime, duration: timedelta) -> Job | None:
        """Prolong a lease that is still the worker's own; None if it was lost."""
        ...

    def finish(self, job: Job, now: datetime) -> bool:
        """Strike off a job whose lease is still the worker's own; False if it was lost."""
        ...

    def fail(
        self, job: Job, error: str, now: datetime, *, retry_after: timedelta, max_attempts: int
    ) -> Job | None:
        """Give a job back with its error, due again later; dead after `max_attempts`.

        None if the lease was lost.
        """
        ...

    def waiting(self, tenant: str) -> Sequence[Job]:
        """Return the tenant's live jobs, longest due first."""
        ...

    def dead(self, tenant: str) -> Sequence[Job]:
        """Return the tenant's dead jobs, oldest first."""
        ...

    def forget_errors(self, tenant: str) -> None:
        """Take from the tenant's jobs why they failed: it may quote what is being erased."""
        ...

    def revive(self, tenant: str, job_id: int, now: datetime) -> Job | None:
        """Owe a dead job again with a clean count of attempts; None if there is none."""
        ...
