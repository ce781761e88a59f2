"""What every `Jobs` promises."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from helix.model.scope import Realm
from helix.ports.jobs import Job, Jobs
from helix.ports.store import Store
from helix.testing.clock import SOME_MOMENT

HERE = Realm("acme", "ann", "project:here")
THERE = Realm("acme", "ann", "project:there")
FOREIGN = Realm("other", "ann", "project:here")

MINUTE = timedelta(minutes=1)
LEASE = 5 * MINUTE


def leased(jobs: Jobs, worker: str = "w1", after: timedelta = timedelta()) -> Job:
    """Lease what is due after some time; there must be something."""
    job = jobs.lease(worker, SOME_MOMENT + after, LEASE)
    assert job is not None
    return job


def failed(jobs: Jobs, job: Job, after: timedelta = MINUTE, max_attempts: int = 3) -> Job | None:
    """Give a job back after some time, due again ten minutes later."""
    return jobs.fail(
        job,
        "it broke",
        SOME_MOMENT + after,
        retry_after=10 * MINUTE,
        max_attempts=max_attempts,
    )


class JobsContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_owed_work_waits(self, store: Store) -> None:
        """What is enqueued waits, due at once, with its reason and no attempts."""
        with store.writing() as unit:
            job = unit.jobs.enqueue(HERE, "sleep", "importance_budget", SOME_MOMENT)
        assert (job.realm, job.kind, job.reason) == (HERE, "sleep", "importance_budget")
        assert (job.enqueued_at, job.due_at, job.attempts) == (SOME_MOMENT, SOME_MOMENT, 0)
        assert (job.leased_by, job.leased_until, job.dead) == ("", None, False)
        with store.reading() as unit:
            assert list(unit.jobs.waiting("acme")) == [job]
            assert list(unit.jobs.dead("acme")) == []

    def test_the_same_work_is_owed_once(self, store: Store) -> None:
        """While one of its kind waits in the realm, enqueuing returns that one."""
        with store.writing() as unit:
            first = unit.jobs.enqueue(HERE, "sleep", "budget", SOME_MOMENT)
            again = unit.jobs.enqueue(HERE, "sleep", "session end", SOME_MOMENT + MINUTE)
            assert again == first
            others = [
                unit.jobs.enqueue(realm, kind, "", SOME_MOMENT)
                for realm, kind in ((THERE, "sleep"), (HERE, "embed"), (FOREIGN, "sleep"))
            ]
            assert len({first.id, *(job.id for job in others)}) == 4

    def test_work_owed_during_a_run_is_owed_anew(self, store: Store) -> None:
        """What is enqueued while a worker is at it waits for the next run."""
        with store.writing() as unit:
            first = unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            leased(unit.jobs)
            assert unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT).id != first.id

    def test_a_lease_hands_out_the_longest_due(self, store: Store) -> None:
        """The longest-due job goes first; a lease counts an attempt and names its worker."""
        with store.writing() as unit:
            unit.jobs.enqueue(THERE, "sleep", "", SOME_MOMENT + MINUTE)
            first = unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            job = leased(unit.jobs, "w1", 2 * MINUTE)
            assert (job.id, job.attempts, job.leased_by) == (first.id, 1, "w1")
            assert job.leased_until == SOME_MOMENT + 2 * MINUTE + LEASE
            assert leased(unit.jobs, "w2", 2 * MINUTE).realm == THERE
            assert unit.jobs.lease("w3", SOME_MOMENT + 2 * MINUTE, LEASE) is None

    def test_work_that_is_not_due_yet_waits(self, store: Store) -> None:
        """Before its moment a job is not handed out."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            assert unit.jobs.lease("w1", SOME_MOMENT - MINUTE, LEASE) is None
            assert unit.jobs.lease("w1", SOME_MOMENT, LEASE) is not None

    def test_a_worker_may_ask_for_some_kinds_only(self, store: Store) -> None:
        """Only jobs of the kinds asked for are handed out."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            unit.jobs.enqueue(HERE, "embed", "", SOME_MOMENT + MINUTE)
            later = SOME_MOMENT + 2 * MINUTE
            assert unit.jobs.lease("w1", later, LEASE, ["rate", "nap"]) is None
            job = unit.jobs.lease("w1", later, LEASE, ["rate", "embed"])
            assert job is not None
            assert job.kind == "embed"

    def test_a_worker_may_ask_for_one_realm_only(self, store: Store) -> None:
        """With a realm, only its jobs are handed out, however long others have been due."""
        there = HERE.in_scope("project:there")
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            assert unit.jobs.lease("w1", SOME_MOMENT, LEASE, ["sleep"], there) is None
            unit.jobs.enqueue(there, "sleep", "", SOME_MOMENT + MINUTE)
            job = unit.jobs.lease("w1", SOME_MOMENT + MINUTE, LEASE, ["sleep"], there)
            assert job is not None
            assert job.realm == there

    def test_work_that_is_asked_for_need_not_be_due(self, store: Store) -> None:
        """Whoever names the realm wants it done now, also what failed a moment ago."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "flush", SOME_MOMENT + MINUTE)
            assert unit.jobs.lease("w", SOME_MOMENT, LEASE) is None
            job = unit.jobs.lease("w", SOME_MOMENT, LEASE, ["sleep"], HERE)
            assert job is not None
            unit.jobs.fail(job, "no", SOME_MOMENT, retry_after=MINUTE, max_attempts=5)
            assert unit.jobs.lease("w", SOME_MOMENT, LEASE, ["sleep"], HERE) is not None
            assert unit.jobs.lease("w", SOME_MOMENT, LEASE, ["sleep"], HERE) is None

    def test_one_live_lease_per_realm_and_kind(self, store: Store) -> None:
        """A second job of the same realm and kind waits until the first lease is over."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "first", SOME_MOMENT)
            first = leased(unit.jobs)
            unit.jobs.enqueue(HERE, "sleep", "second", SOME_MOMENT)
            assert unit.jobs.lease("w2", SOME_MOMENT + MINUTE, LEASE) is None
            assert unit.jobs.finish(first, SOME_MOMENT + MINUTE)
            assert leased(unit.jobs, "w2", MINUTE).reason == "second"

    def test_a_lease_that_ran_out_is_handed_out_again(self, store: Store) -> None:
        """A dead worker's job goes to the next one, and the dead one has lost it."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            lost = leased(unit.jobs)
            assert unit.jobs.lease("w2", SOME_MOMENT + LEASE - MINUTE, LEASE) is None
            again = leased(unit.jobs, "w2", LEASE)
            assert (again.id, again.attempts, again.leased_by) == (lost.id, 2, "w2")
            assert not unit.jobs.finish(lost, SOME_MOMENT + LEASE)
            assert failed(unit.jobs, lost, LEASE) is None
            assert unit.jobs.renew(lost, SOME_MOMENT + LEASE, LEASE) is None
            assert list(unit.jobs.waiting("acme")) == [again]

    def test_a_lease_from_a_clock_that_was_set_back_holds_nobody_up(self, store: Store) -> None:
        """Nobody is given work for longer than `LONGEST_LEASE`; one that says so is not live."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            ahead = SOME_MOMENT + 400 * 24 * 60 * MINUTE
            assert unit.jobs.lease("dies", ahead, LEASE) is not None
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            job = unit.jobs.lease("w2", SOME_MOMENT, LEASE)
            assert job is not None
            assert (job.leased_by, job.attempts) == ("w2", 2)
            assert unit.jobs.lease("w3", SOME_MOMENT, LEASE) is None

    def test_the_same_worker_can_lose_a_lease_to_itself(self, store: Store) -> None:
        """A lease handed out again is another lease, even to a worker of the same name."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            lost = leased(unit.jobs)
            again = leased(unit.jobs, "w1", LEASE)
            assert not unit.jobs.finish(lost, SOME_MOMENT + LEASE)
            assert unit.jobs.finish(again, SOME_MOMENT + LEASE)

    def test_renewing_prolongs_an_own_lease(self, store: Store) -> None:
        """A renewed lease runs from the moment of renewing; one that ran out is lost."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            job = leased(unit.jobs)
            renewed = unit.jobs.renew(job, SOME_MOMENT + 4 * MINUTE, LEASE)
            assert renewed is not None
            assert renewed.leased_until == SOME_MOMENT + 9 * MINUTE
            assert unit.jobs.lease("w2", SOME_MOMENT + 8 * MINUTE, LEASE) is None
            assert unit.jobs.renew(renewed, SOME_MOMENT + 9 * MINUTE, LEASE) is None

    def test_renewing_twice_from_one_handle(self, store: Store) -> None:
        """Whether a lease still runs is read from the queue, not from the worker's old copy."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            job = leased(unit.jobs)
            assert unit.jobs.renew(job, SOME_MOMENT + 4 * MINUTE, LEASE) is not None
            assert unit.jobs.renew(job, SOME_MOMENT + 8 * MINUTE, LEASE) is not None

    def test_finished_work_is_struck_off(self, store: Store) -> None:
        """A finished job is gone, and finishing it again says so."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            job = leased(unit.jobs)
            assert unit.jobs.finish(job, SOME_MOMENT + MINUTE)
            assert not unit.jobs.finish(job, SOME_MOMENT + MINUTE)
            assert list(unit.jobs.waiting("acme")) == []
            assert list(unit.jobs.dead("acme")) == []

    def test_work_that_was_not_leased_cannot_be_finished(self, store: Store) -> None:
        """Only the holder of a lease can finish, fail or renew."""
        with store.writing() as unit:
            job = unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            assert not unit.jobs.finish(job, SOME_MOMENT)
            assert failed(unit.jobs, job) is None
            assert unit.jobs.renew(job, SOME_MOMENT, LEASE) is None
            assert list(unit.jobs.waiting("acme")) == [job]

    def test_failed_work_is_due_again_later(self, store: Store) -> None:
        """A failed job keeps its error and its count and waits until it is due again."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            back = failed(unit.jobs, leased(unit.jobs))
            assert back is not None
            assert (back.last_error, back.attempts, back.dead) == ("it broke", 1, False)
            assert (back.leased_by, back.leased_until) == ("", None)
            assert unit.jobs.lease("w1", SOME_MOMENT + 10 * MINUTE, LEASE) is None
            assert leased(unit.jobs, "w1", 11 * MINUTE).attempts == 2

    def test_work_that_failed_too_often_is_set_aside(self, store: Store) -> None:
        """After `max_attempts` a job is dead: kept, shown, and never handed out."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            for turn in range(2):
                after = turn * 20 * MINUTE
                back = failed(unit.jobs, leased(unit.jobs, "w1", after), after, max_attempts=2)
            assert back is not None
            assert back.dead
            assert list(unit.jobs.dead("acme")) == [back]
            assert list(unit.jobs.waiting("acme")) == []
            assert unit.jobs.lease("w1", SOME_MOMENT + timedelta(days=9), LEASE) is None

    def test_why_work_failed_can_be_forgotten(self, store: Store) -> None:
        """Of one tenant's jobs, waiting or dead; they are owed as before."""
        with store.writing() as unit:
            for realm in (HERE, THERE, FOREIGN):
                unit.jobs.enqueue(realm, "sleep", "", SOME_MOMENT)
                failed(unit.jobs, leased(unit.jobs), max_attempts=1 if realm == THERE else 3)
            before = [*unit.jobs.waiting("acme"), *unit.jobs.dead("acme")]
            assert [each.last_error for each in before] == ["it broke", "it broke"]
            unit.jobs.forget_errors("acme")
            after = [*unit.jobs.waiting("acme"), *unit.jobs.dead("acme")]
            assert after == [replace(each, last_error="") for each in before]
            assert [each.last_error for each in unit.jobs.waiting("other")] == ["it broke"]

    def test_dead_work_can_be_revived(self, store: Store) -> None:
        """A revived job is due at once with a clean count, by its own tenant only."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            unit.jobs.enqueue(FOREIGN, "sleep", "", SOME_MOMENT + MINUTE)
            dead = failed(unit.jobs, leased(unit.jobs), max_attempts=1)
            assert dead is not None
            assert unit.jobs.revive("other", dead.id, SOME_MOMENT) is None
            assert unit.jobs.revive("acme", 999, SOME_MOMENT) is None
            alive = unit.jobs.revive("acme", dead.id, SOME_MOMENT + MINUTE)
            assert alive is not None
            assert (alive.attempts, alive.dead, alive.due_at) == (0, False, SOME_MOMENT + MINUTE)
            assert unit.jobs.revive("acme", dead.id, SOME_MOMENT) is None
            assert list(unit.jobs.dead("acme")) == []

    def test_dead_work_does_not_stand_in_the_way(self, store: Store) -> None:
        """The same work can be owed and handed out again while a dead one is kept."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            dead = failed(unit.jobs, leased(unit.jobs), max_attempts=1)
            assert dead is not None
            fresh = unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            assert fresh.id != dead.id
            assert leased(unit.jobs).id == fresh.id

    def test_tenants_see_their_own_work(self, store: Store) -> None:
        """Waiting and dead jobs are shown per tenant, longest due first."""
        with store.writing() as unit:
            late = unit.jobs.enqueue(THERE, "sleep", "", SOME_MOMENT + MINUTE)
            early = unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            foreign = unit.jobs.enqueue(FOREIGN, "sleep", "", SOME_MOMENT)
            assert list(unit.jobs.waiting("acme")) == [early, late]
            assert list(unit.jobs.waiting("other")) == [foreign]
            assert list(unit.jobs.waiting("nobody")) == []

    def test_ids_are_never_given_twice(self, store: Store) -> None:
        """A struck-off job's id does not come back."""
        with store.writing() as unit:
            unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT)
            first = leased(unit.jobs)
            unit.jobs.finish(first, SOME_MOMENT)
            assert unit.jobs.enqueue(HERE, "sleep", "", SOME_MOMENT).id != first.id
