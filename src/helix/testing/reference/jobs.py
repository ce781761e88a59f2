"""The job queue as one dict of jobs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from helix.model.scope import Realm
from helix.ports.jobs import Job
from helix.testing.reference.state import State


class ReferenceJobs:
    """Implements `Jobs`."""

    def __init__(self, state: State) -> None:
        self._state = state

    def enqueue(self, realm: Realm, kind: str, reason: str, now: datetime) -> Job:
        """See `Jobs.enqueue`."""
        for job in self._state.jobs.values():
            waits = not job.dead and job.leased_until is None
            if waits and (job.realm, job.kind) == (realm, kind):
                return job
        self._state.jobs_given += 1
        return self._put(Job(self._state.jobs_given, realm, kind, reason, now, due_at=now))

    def lease(
        self,
        worker: str,
        now: datetime,
        duration: timedelta,
        kinds: Sequence[str] = (),
        realm: Realm | None = None,
    ) -> Job | None:
        """See `Jobs.lease`."""
        live = [job for job in self._state.jobs.values() if not job.dead]
        busy = {(job.realm, job.kind) for job in live if _leased(job, now)}
        due = [
            job
            for job in live
            if (job.due_at <= now or realm is not None)
            and (job.realm, job.kind) not in busy
            and (not kinds or job.kind in kinds)
            and (realm is None or job.realm == realm)
        ]
        if not due:
            return None
        job = _longest_due(due)[0]
        return self._put(
            replace(
                job,
                attempts=job.attempts + 1,
                leased_by=worker,
                leased_until=now + duration,
            )
        )

    def renew(self, job: Job, now: datetime, duration: timedelta) -> Job | None:
        """See `Jobs.renew`."""
        held = self._own(job)
        if held is None or not _leased(held, now):
            return None
        return self._put(replace(held, leased_until=now + duration))

    def finish(self, job: Job, now: datetime) -> bool:
        """See `Jobs.finish`."""
        if self._own(job) is None:
            return False
        del self._state.jobs[job.id]
        return True

    def fail(
        self, job: Job, error: str, now: datetime, *, retry_after: timedelta, max_attempts: int
    ) -> Job | None:
        """See `Jobs.fail`."""
        held = self._own(job)
        if held is None:
            return None
        return self._put(
            replace(
                held,
                last_error=error,
                due_at=now + retry_after,
                leased_by="",
                leased_until=None,
                dead=held.attempts >= max_attempts,
            )
        )

    def waiting(self, tenant: str) -> Sequence[Job]:
        """See `Jobs.waiting`."""
        return _longest_due(job for job in self._of(tenant) if not job.dead)

    def dead(self, tenant: str) -> Sequence[Job]:
        """See `Jobs.dead`."""
        return _longest_due(job for job in self._of(tenant) if job.dead)

    def forget_errors(self, tenant: str) -> None:
        """See `Jobs.forget_errors`."""
        for job in self._of(tenant):
            self._put(replace(job, last_error=""))

    def revive(self, tenant: str, job_id: int, now: datetime) -> Job | None:
        """See `Jobs.revive`."""
        for job in self._of(tenant):
            if job.id == job_id and job.dead:
                return self._put(replace(job, dead=False, attempts=0, due_at=now))
        return None

    def _put(self, job: Job) -> Job:
        self._state.jobs[job.id] = job
        return job

    def _of(self, tenant: str) -> list[Job]:
        return [job for job in self._state.jobs.values() if job.realm.tenant == tenant]

    def _own(self, job: Job) -> Job | None:
        # A lease handed out again has a higher count of attempts: the old holder lost it.
        held = self._state.jobs.get(job.id)
        if held is None or held.leased_until is None:
            return None
        same = (held.leased_by, held.attempts) == (job.leased_by, job.attempts)
        return held if same else None


def _leased(job: Job, now: datetime) -> bool:
    return job.is_leased(now)


def _longest_due(jobs: Iterable[Job]) -> list[Job]:
    return sorted(jobs, key=lambda job: (job.due_at, job.id))
