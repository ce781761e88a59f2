"""Figures for Prometheus, in its text format; the names are those the specification gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from helix.app.figures import Figures
    from helix.app.watching import State


class Metric(NamedTuple):
    """A figure with its kind, its meaning and its samples by label.

    A sample whose name is not the figure's, as a histogram's are, says what is added to it.
    """

    name: str
    kind: str
    says: str
    samples: tuple[tuple[str, float], ...]
    endings: tuple[str, ...] = ()


def of_store(state: State) -> Iterator[Metric]:
    """Yield how a store stands, every scope together."""
    yield _gauge(
        "consolidation_lag_seconds", "How long the oldest episode has waited for sleep.",
        state.consolidation_lag_seconds,
    )  # fmt: skip
    yield _gauge(
        "enrichment_lag_seconds", "How long the oldest memory has waited to be embedded.",
        state.enrichment_lag_seconds,
    )  # fmt: skip
    yield _gauge(
        "reconsolidation_last_run", "When sleep last ran, in seconds since 1970; 0 for never.",
        state.last_run,
    )  # fmt: skip
    yield Metric(
        "graph_nodes_total", "gauge", "Memories by tier.",
        tuple((f'tier="{tier}"', number) for tier, number in state.by_tier.items()),
    )  # fmt: skip
    yield _counter(
        "graph_nodes_pruned_total", "Memories that sleep took out of what answers by default.",
        state.pruned,
    )  # fmt: skip
    yield _counter("reflection_triggers_total", "Runs of sleep that were begun.", state.runs)
    yield _gauge("helix_enrichment_waiting", "Memories that wait.", state.waiting_for_enrichment)
    yield _gauge("helix_ledger_records", "Records in the ledger.", state.records)
    yield Metric(
        "helix_memories", "gauge", "Memories by type and status.",
        tuple(
            (f'type="{kind}",status="{status}"', number)
            for (kind, status), number in state.by_kind.items()
        ),
    )  # fmt: skip


def of_answers(figures: Figures) -> Iterator[Metric]:
    """Yield what this process counted since it started."""
    buckets, total, count = figures.histogram
    samples = [(f'le="{bound:g}"', float(number)) for bound, number in buckets]
    yield Metric(
        "decay_score_p50", "histogram",
        "How much is left of the weight of the middle memory of an answer.",
        (*samples, ('le="+Inf"', count), ("", total), ("", count)),
        (*["_bucket"] * (len(samples) + 1), "_sum", "_count"),
    )  # fmt: skip
    yield _counter(
        "helix_recall_misses_total", "Questions memory had no answer to.", figures.misses
    )


def counted(name: str, says: str, by: str, samples: Iterable[tuple[str, int]]) -> Metric:
    """Return a counter with one label."""
    return Metric(name, "counter", says, tuple((f'{by}="{each}"', n) for each, n in samples))


def written(metrics: Iterable[Metric]) -> str:
    """Return the figures in Prometheus' text format."""
    lines = []
    for each in metrics:
        lines += [f"# HELP {each.name} {each.says}", f"# TYPE {each.name} {each.kind}"]
        endings = each.endings or ("",) * len(each.samples)
        for (labels, value), ending in zip(each.samples, endings, strict=True):
            name = each.name + ending
            # Whole, never in powers of ten: a moment has more digits than `g` keeps.
            shown = f"{value:.6f}".rstrip("0").rstrip(".")
            lines.append(f"{name}{{{labels}}} {shown}" if labels else f"{name} {shown}")
    return "\n".join(lines) + "\n"


def _gauge(name: str, says: str, value: float) -> Metric:
    return Metric(name, "gauge", says, (("", value),))


def _counter(name: str, says: str, value: float) -> Metric:
    return Metric(name, "counter", says, (("", value),))
