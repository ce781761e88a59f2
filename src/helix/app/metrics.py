"""Figures for whoever watches a store, under the names that monitoring expects."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from helix.app.context import Context
from helix.model.moment import EPOCH
from helix.model.run import RunState
from helix.ports.store import Unit

MOST_RUNS = 10_000


def metrics(context: Context) -> Mapping[str, float]:
    """Return the figures of sleep in this scope; a moment is told in seconds since 1970.

    `reconsolidation_last_run` is 0 where nobody has slept yet. Lags are 0 where nothing waits.
    """
    from helix.enrichment.workflow import name_of  # noqa: PLC0415 - numpy, only when needed

    realm = context.realm
    now = context.clock.now()
    embedder = context.embedder()
    with context.store.reading() as unit:
        runs = unit.runs.latest(realm, MOST_RUNS)
        done = [each for each in runs if each.state is not RunState.RUNNING]
        waiting = unit.enrichment.lag(name_of(embedder)).since
        last = max((each.finished_at or each.started_at for each in done), default=None)
        read_to = max((each.read_to for each in done), default=0)
        return {
            "consolidation_lag_seconds": _age(_unread_since(unit, context, read_to), now),
            "enrichment_lag_seconds": _age(waiting, now),
            "reconsolidation_last_run": 0.0 if last is None else (last - EPOCH).total_seconds(),
            "reflection_triggers_total": float(len(runs)),
            "model_tokens_total": float(unit.replies.spent(realm.tenant, EPOCH)),
            "gate_rejections_total": float(
                sum(report.skipped for run in runs for report in run.passes)
            ),
        }  # fmt: skip


def _unread_since(unit: Unit, context: Context, read_to: int) -> datetime | None:
    """Return when the oldest record that no run has read was written."""
    after = read_to
    while record := unit.ledger.oldest(context.realm, after):
        if record.kind == "captured":
            return record.recorded_at
        after = record.position
    return None


def _age(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())
