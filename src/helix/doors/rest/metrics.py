"""Figures for Prometheus, in its text format; the names are those the specification gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from helix.app.facade import Helix


class Metric(NamedTuple):
    """A figure with its kind, its meaning and its samples by label."""

    name: str
    kind: str
    says: str
    samples: tuple[tuple[str, float], ...]


def gathered(memory: Helix, now: datetime) -> Iterator[Metric]:
    """Yield what can be measured of a store."""
    held = memory.upkeep.status()
    lag = memory.upkeep.lag()
    waits = (now - lag.since).total_seconds() if lag.since else 0.0
    yield Metric(
        "enrichment_lag_seconds", "gauge", "How long the oldest memory has waited to be embedded.",
        (("", max(0.0, waits)),),
    )  # fmt: skip
    yield Metric("helix_enrichment_waiting", "gauge", "Memories that wait.", (("", lag.memories),))
    yield Metric("helix_ledger_records", "gauge", "Records in the ledger.", (("", held.records),))
    yield Metric(
        "helix_sleep_budget_points", "gauge", "Importance gathered towards the next sleep.",
        (("", held.budget),),
    )  # fmt: skip
    counted = tuple(
        (f'type="{kind}",status="{state}"', number) for _, kind, state, number in held.counts
    )
    yield Metric(
        "helix_memories", "gauge", "Memories that hold everywhere, by type and status.", counted
    )


def written(metrics: Iterable[Metric]) -> str:
    """Return the figures in Prometheus' text format."""
    lines = []
    for each in metrics:
        lines += [f"# HELP {each.name} {each.says}", f"# TYPE {each.name} {each.kind}"]
        for labels, value in each.samples:
            lines.append(
                f"{each.name}{{{labels}}} {value:g}" if labels else f"{each.name} {value:g}"
            )
    return "\n".join(lines) + "\n"
