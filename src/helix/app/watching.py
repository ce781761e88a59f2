"""The state of a whole store in figures, every scope together, for whoever watches it.

Only counts and ages leave here, never words and never a scope's name: whoever may read the
figures need not be somebody who may read the memories.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from helix.model.changes import JournalEntry, Step
from helix.model.frozen import dataclass
from helix.model.memory import Status
from helix.model.moment import EPOCH
from helix.model.run import RunState
from helix.rules.tiers import Tier

if TYPE_CHECKING:
    from helix.app.context import Context
    from helix.model.scope import Realm
    from helix.ports.embedder import Embedder
    from helix.ports.lives import Aged
    from helix.ports.store import Unit

MOST_RUNS = 10_000
PAGE = 500
FURTHEST = 50_000
"""Records looked through for the oldest one that sleep has not read: figures are asked for
every few seconds."""


QUICK = 1.0
REST = 10.0
"""Counting that took longer than so many seconds rests for so many times as long: a million
memories take seconds to count, and whoever watches asks every few seconds."""


@dataclass(frozen=True, slots=True)
class State:
    """What there is and what waits; moments are seconds since 1970, 0 for never."""

    consolidation_lag_seconds: float
    enrichment_lag_seconds: float
    waiting_for_enrichment: int
    last_run: float
    runs: int
    records: int
    by_tier: Mapping[str, int]
    by_kind: Mapping[tuple[str, str], int]
    pruned: int


class Watch:
    """Looks at a store again and again; what cannot change is counted once."""

    def __init__(self, context: Context, clock: Callable[[], float] = time.monotonic) -> None:
        """Take what the facade works with, and a clock to see how long counting takes."""
        self._context = context
        self._clock = clock
        self._journal_read = 0
        self._pruned = 0
        self._last: State | None = None
        self._rests_until = 0.0

    def state(self) -> State:
        """Return how the store stands, counted now or, where that takes long, a little before."""
        embedder = self._context.embedder()  # asked first: loading it is not counting
        started = self._clock()
        if self._last is None or started >= self._rests_until:
            self._last = self._counted(embedder)
            took = self._clock() - started
            self._rests_until = started + took * (1 + REST) if took > QUICK else 0.0
        return self._last

    def _counted(self, embedder: Embedder | None) -> State:
        context = self._context
        tenant, now = context.realm.tenant, context.clock.now()
        from helix.enrichment.workflow import name_of  # noqa: PLC0415 - numpy, only when needed

        with context.store.reading() as unit:
            census = unit.lives.census(tenant, self._bounds(now))
            realms = dict.fromkeys(realm for realm, _ in census)
            runs = [run for realm in realms for run in unit.runs.latest(realm, MOST_RUNS)]
            done = [run for run in runs if run.state is not RunState.RUNNING]
            read_to = dict.fromkeys(realms, 0)
            for run in done:
                read_to[run.realm] = max(read_to[run.realm], run.read_to)
            last = max((run.finished_at or run.started_at for run in done), default=EPOCH)
            lag = unit.enrichment.lag(name_of(embedder))
            self._count_pruned(unit, tenant)
            return State(
                consolidation_lag_seconds=_age(_unread_since(unit, tenant, read_to), now),
                enrichment_lag_seconds=_age(lag.since, now),
                waiting_for_enrichment=lag.memories,
                last_run=(last - EPOCH).total_seconds(),
                runs=len(runs),
                records=unit.ledger.head(tenant).position,
                by_tier=tiers(each for _, each in census),
                by_kind=kinds(each for _, each in census),
                pruned=self._pruned,
            )

    def _bounds(self, now: datetime) -> list[datetime]:
        policy = self._context.policy
        spans = (
            timedelta(hours=policy.hot_hours),
            timedelta(days=policy.warm_days),
            timedelta(days=policy.cold_days),
        )
        # A tier's far end belongs to the next one, so the bound is a moment later.
        return [now - span + timedelta(microseconds=1) for span in spans]

    def _count_pruned(self, unit: Unit, tenant: str) -> None:
        while entries := unit.journal.entries(tenant, self._journal_read, PAGE):
            self._pruned += sum(map(pruned_by, entries))
            self._journal_read = entries[-1].number


def pruned_by(entry: JournalEntry) -> int:
    """Return how many memories a conclusion took out of what answers by default.

    Taking a conclusion back prunes nothing: this only ever rises.
    """
    if entry.change_set.reverts is not None:
        return 0
    return sum(
        isinstance(each, Step) and each.enters is Status.ARCHIVED
        for each in entry.change_set.changes
    )


def tiers(census: Iterable[Aged]) -> dict[str, int]:
    """Return how many memories stand in each tier; every tier is named."""
    counted = dict.fromkeys(map(str, Tier), 0)
    for each in census:
        archived = each.status == Status.ARCHIVED.value
        counted[str(Tier.ARCHIVE if archived else list(Tier)[each.stretch])] += each.number
    return counted


def kinds(census: Iterable[Aged]) -> dict[tuple[str, str], int]:
    """Return how many memories there are of each type and status."""
    counted: Counter[tuple[str, str]] = Counter()
    for each in census:
        counted[each.type, each.status] += each.number
    return dict(sorted(counted.items()))


def _unread_since(unit: Unit, tenant: str, read_to: Mapping[Realm, int]) -> datetime | None:
    """Return when the oldest episode was recorded that no run has read.

    The ledger is in order, so the first one found is the oldest. Beyond `FURTHEST` the
    search ends at what was looked at last, which is older than any that would be found.
    """
    after = min(read_to.values(), default=0)
    for _ in range(FURTHEST // PAGE):
        records = unit.ledger.read(tenant, after, PAGE)
        if not records:
            return None
        for record in records:
            if record.kind == "captured" and record.position > read_to.get(record.realm, 0):
                return record.recorded_at
        after = records[-1].position
    return records[-1].recorded_at


def _age(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())
