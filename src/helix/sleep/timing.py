"""The clock as a trigger: what has waited long enough is owed, whoever looks.

It is asked of the record, not of a stopwatch: a server that is started anew every hour keeps
the same time as one that runs for a month, and two of them owe nothing twice.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from helix.model.scope import Realm
from helix.ports.clock import Clock
from helix.ports.jobs import SLEEP, Job
from helix.ports.store import Store, Unit

EVERY = timedelta(hours=6)
"""How long something may wait unread before sleep is owed (R-125)."""

TIMER = "timer"
"""The reason of work that is owed because time has passed."""


def is_owed(
    waiting_since: datetime | None, slept_at: datetime | None, now: datetime, every: timedelta
) -> bool:
    """Return whether sleep is owed: something waits, and for so long nobody has slept.

    Where nobody has ever slept, it counts from the first thing that waits.
    """
    if waiting_since is None:
        return False
    return now - (slept_at or waiting_since) >= every


def is_due(store: Store, clock: Clock, tenant: str) -> bool:
    """Return whether owed work of any scope could be taken up now."""
    now = clock.now()
    with store.reading() as unit:
        waiting = unit.jobs.waiting(tenant)
    asleep = {each.realm for each in waiting if each.is_leased(now)}
    return any(
        each.kind == SLEEP and each.due_at <= now and each.realm not in asleep for each in waiting
    )


def owe_what_waits(
    store: Store, clock: Clock, tenant: str, every: timedelta = EVERY, *, wait: bool = True
) -> list[Job]:
    """Owe sleep wherever it is time, and return the work. Mostly that is none: reading will do.

    Without `wait`, raises `StoreUnavailable` while somebody else writes.
    """
    now = clock.now()
    with store.reading() as unit:
        waiting = {each.realm for each in unit.jobs.waiting(tenant) if each.kind == SLEEP}
        due = [
            realm
            for realm in unit.ledger.realms(tenant)
            if realm not in waiting and is_owed(*_stands(unit, realm), now, every)
        ]
    if not due:
        return []
    with store.writing(wait=wait) as unit:
        return [unit.jobs.enqueue(realm, SLEEP, TIMER, now) for realm in due]


def _stands(unit: Unit, realm: Realm) -> tuple[datetime | None, datetime | None]:
    """Return since when something waits in a realm, and when it was last slept over."""
    last = next(iter(unit.runs.latest(realm, 1)), None)
    unread = unit.ledger.oldest(realm, 0 if last is None else last.read_to)
    return (
        None if unread is None else unread.recorded_at,
        None if last is None else last.started_at,
    )
