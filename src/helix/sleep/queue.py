"""Who sleeps, and when: jobs are leased, kept alive, given back when they fail.

Any idle process may drain the queue; none must. A process that dies lets its lease run out,
and the next one goes on at the pass where it stopped.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

from helix.model.errors import StoreUnavailable
from helix.model.run import Run, RunState
from helix.model.scope import Realm
from helix.ports.clock import Clock
from helix.ports.jobs import SLEEP, UNTOLD, Job
from helix.ports.store import Store
from helix.rules.secrets.redacting import redacted
from helix.sleep.workflow import ErasedMeanwhile, LeaseLost, Sleeper, sleep

LEASE = timedelta(seconds=30)
"""How long a dead worker's work waits for the next one."""

RENEWALS = 3
"""Times a lease is renewed before it would run out."""

MOST_ATTEMPTS = 5
MOST_DEATHS = 12
"""Processes that may die over one piece of work, killed or out of memory, before it is set aside.

Each of them leaves what it had done, so work that is only interrupted comes to its end.
"""

FIRST_RETRY = timedelta(minutes=1)
"""After a failure; each further one waits twice as long."""


@dataclass(frozen=True, slots=True)
class Slept:
    """A run that was taken up, and came as far as it did."""

    run: Run


@dataclass(frozen=True, slots=True)
class Failed:
    """Work that failed: it is retried later, or dead after too many attempts."""

    job: Job
    error: str


@dataclass(frozen=True, slots=True)
class Busy:
    """Another process is asleep over this realm."""

    job: Job


def sleep_now(
    sleeper: Sleeper, realm: Realm, reason: str, worker: str, lease: timedelta = LEASE
) -> Slept | Failed | Busy:
    """Sleep over one realm at once, unless somebody else does."""
    with sleeper.store.writing() as unit:
        unit.jobs.enqueue(realm, SLEEP, reason, sleeper.clock.now())
    return drained(sleeper, worker, realm=realm, lease=lease) or Busy(_leased(sleeper, realm))


def drained(
    sleeper: Sleeper, worker: str, *, realm: Realm | None = None, lease: timedelta = LEASE
) -> Slept | Failed | None:
    """Take up the longest-due piece of work and return what became of it; None if none is due."""
    with sleeper.store.writing() as unit:
        job = unit.jobs.lease(worker, sleeper.clock.now(), lease, [SLEEP], realm)
        head = 0 if job is None else unit.ledger.head(job.realm.tenant).position
    if job is None:
        return None
    if job.attempts > MOST_DEATHS:
        died = RuntimeError(f"{MOST_DEATHS} processes died over it")
        return _given_back(sleeper, job, died, head)
    try:
        with _kept_alive(sleeper.store, sleeper.clock, job, lease) as lost:
            run = _slept(_watched(sleeper, lost), job)
    except LeaseLost as error:
        return Failed(job, str(error))
    except Exception as error:  # noqa: BLE001 - whatever it was, the work is given back, not lost
        return _given_back(sleeper, job, error, head)
    except BaseException:
        # Interrupted: no failure, and nobody is to wait for a lease that nobody holds.
        _let_go(sleeper, job)
        raise
    if run.failed:
        # What was concluded is kept; what a model did not answer is asked again later.
        _given_back(sleeper, job, RuntimeError(run.failed), head)
        return Slept(run)
    if run.state is RunState.RUNNING:
        _let_go(sleeper, job)
    else:
        with sleeper.store.writing() as unit:
            unit.jobs.finish(job, sleeper.clock.now())
    return Slept(run)


def _slept(sleeper: Sleeper, job: Job) -> Run:
    while True:
        try:
            return sleep(sleeper, job.realm, job.reason)
        except ErasedMeanwhile:
            # The run goes on at the pass where it stopped, from what is left.
            continue


def _let_go(sleeper: Sleeper, job: Job) -> None:
    """Owe the work again at once, to whoever takes it up next."""
    with sleeper.store.writing() as unit:
        now = sleeper.clock.now()
        if unit.jobs.finish(job, now):
            unit.jobs.enqueue(job.realm, SLEEP, job.reason, now)


def _given_back(sleeper: Sleeper, job: Job, error: Exception, head: int) -> Failed:
    """Owe the work again with its error; `head` is where the ledger ended when it was begun."""
    said = str(error) if type(error) is RuntimeError else f"{type(error).__name__}: {error}"
    said = redacted(said)  # it is kept with the work, and may quote what it failed over
    retry_after = FIRST_RETRY * 2 ** (job.attempts - 1)
    with sleeper.store.writing() as unit:
        if unit.ledger.destroyed_since(job.realm.tenant, head):
            said = UNTOLD
        failed = unit.jobs.fail(
            job, said, sleeper.clock.now(), retry_after=retry_after, max_attempts=MOST_ATTEMPTS
        )
    return Failed(failed or job, said)


def _leased(sleeper: Sleeper, realm: Realm) -> Job:
    with sleeper.store.reading() as unit:
        jobs = [each for each in unit.jobs.waiting(realm.tenant) if each.realm == realm]
    return max(jobs, key=lambda each: each.leased_by)


def _watched(sleeper: Sleeper, lost: threading.Event) -> Sleeper:
    def watch(name: str) -> None:
        sleeper.watch(name)
        if lost.is_set():
            raise LeaseLost("the lease ran out")

    return replace(sleeper, watch=watch)


@contextmanager
def _kept_alive(
    store: Store, clock: Clock, job: Job, lease: timedelta
) -> Iterator[threading.Event]:
    """Renew a lease from a thread of its own while the work goes on; says when it was lost."""
    over, lost = threading.Event(), threading.Event()

    def renew() -> None:
        while not over.wait(lease.total_seconds() / RENEWALS):
            try:
                with store.writing() as unit:
                    if unit.jobs.renew(job, clock.now(), lease) is None:
                        lost.set()
                        return
            except StoreUnavailable:
                continue  # busy for the moment; the next renewal may still be in time

    keeper = threading.Thread(target=renew, name="helix-lease", daemon=True)
    keeper.start()
    try:
        yield lost
    finally:
        over.set()
        keeper.join()
