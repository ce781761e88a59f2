"""Findings as one JSON document and as lines to read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from benchmarks.figures import spread
from benchmarks.recalling.abstaining import abstention
from benchmarks.recalling.judging import Figures, Row, by_category, means
from benchmarks.recalling.running import Asking
from benchmarks.recalling.sets import locomo
from benchmarks.showing import table

PRINCIPAL = {
    "locomo": "recall@10",
    "longmemeval-pooled": "all@5",
    "longmemeval-s500": "all@5",
    "beam": "recall@10",
    "cosqa": "hit@10",
    "scifact": "ndcg@10",
    "multihop": "all@5",
    "git": "mrr",
    "peps": "above",
    "mutable": "current@1",
}
"""The figure of each set by which ablations are compared, question by question."""

SHOWN = (
    "recall@5", "recall@10", "recall@20", "mrr", "any@5", "all@5", "ndcg@10",
    "hit@1", "hit@10", "current@1", "stale@5", "as_of@1", "as_of_in_words@1", "above",
    "flagged",
)  # fmt: skip


def findings(set_name: str, part: str | None, ranker: str, asking: Asking) -> dict[str, object]:
    """Return everything that was found out, as JSON knows it."""
    latency = spread(asking.recalls)
    found: dict[str, object] = {
        "set": set_name,
        "part": part,
        "embedder": asking.embedder,
        "ranker": ranker,
        "depth": asking.depth,
        "n": len(asking.rows),
        "notes": asking.notes,
        "haystacks": asking.haystacks,
        **means(row.figures for row in asking.rows),
        **{name: round(sum(hits) / len(hits), 4) for name, hits in asking.asides.items()},
        "p50_ms": latency.p50,
        "p95_ms": latency.p95,
        "p99_ms": latency.p99,
        "by_category": _categories(set_name, asking.rows),
        "sessions": means(row.sessions for row in asking.rows),
        "corrected": _corrected(asking.rows),
        "baselines": {name: _system(rows) for name, rows in _baselines(asking).items()},
        "ablations": _compared(asking.ablated, asking.rows, PRINCIPAL[set_name]),
        "rankers": _compared(asking.ranked, asking.rows, PRINCIPAL[set_name]),
        "seconds": round(sum(asking.seconds.values()), 2),
        "seconds_by_step": {step: round(spent, 2) for step, spent in asking.seconds.items()},
    }
    if any(not said.answerable for said in asking.said):
        found["abstention"] = abstention(asking.said)
    return found


def paired(ours: Sequence[Row], others: Sequence[Row], figure: str) -> dict[str, object]:
    """Return what ours gains over others, question by question: mean, better, worse, z.

    `z` is the mean difference in its standard errors; beyond 2, chance hardly explains it.
    """
    pairs = zip(ours, others, strict=True)
    gains = [
        a.figures[figure] - b.figures[figure]
        for a, b in pairs
        if figure in a.figures and figure in b.figures
    ]
    count = len(gains)
    mean = sum(gains) / count if count else math.nan
    spread_ = math.sqrt(sum((gain - mean) ** 2 for gain in gains) / count) if count else 0.0
    return {
        "figure": figure,
        "gain": round(mean, 4),
        "better": sum(gain > 0 for gain in gains),
        "worse": sum(gain < 0 for gain in gains),
        "z": round(mean / spread_ * math.sqrt(count), 2) if spread_ else None,
    }


def lines(found: Mapping[str, object]) -> list[str]:
    """Return the findings as tables."""
    part = f" ({found['part']})" if found["part"] else ""
    systems: dict[str, Mapping[str, object]] = {"helix": found}
    systems |= {name: _mapping(each) for name, each in _mapping(found["baselines"]).items() if each}
    return [
        f"{found['set']}{part}: {found['n']:,} questions, {found['notes']:,} notes in"
        f" {found['haystacks']:,} stores, ranker {found['ranker']}, embedder {found['embedder']}",
        "",
        *_table("system", systems),
        *_section("by session", {"helix": _mapping(found["sessions"])}),
        *_section("with the audit's corrections", {"helix": _mapping(found["corrected"])}),
        *_section("category", _mapping(found["by_category"])),
        *_gains("without", _mapping(found["ablations"])),
        *_gains("ranker", _mapping(found["rankers"])),
        *_abstaining(_mapping(found.get("abstention"))),
        "",
        f"recall: p50 {found['p50_ms']} ms, p95 {found['p95_ms']} ms, p99 {found['p99_ms']} ms;"
        f" {found['seconds']} s in all",
    ]


def _baselines(asking: Asking) -> dict[str, Sequence[Row]]:
    # A baseline that could not run is in the document too, as null.
    known: dict[str, Sequence[Row]] = {"plain_bm25": (), "plain_dense": ()}
    return known | asking.plain


def _system(rows: Sequence[Row]) -> dict[str, object] | None:
    if not rows:
        return None
    found: dict[str, object] = {**means(row.figures for row in rows)}
    found["sessions"] = means(row.sessions for row in rows)
    found["by_category"] = by_category(rows)
    return found


def _categories(set_name: str, rows: Sequence[Row]) -> dict[str, object]:
    found: dict[str, object] = {**by_category(rows)}
    if set_name == "locomo":
        named = {n: {"name": locomo.CATEGORIES.get(n, n), **by} for n, by in _each(found)}
        return {**named}
    return found


def _corrected(rows: Sequence[Row]) -> Figures:
    return means(row.corrected for row in rows)


def _compared(
    others: Mapping[str, Sequence[Row]], ours: Sequence[Row], figure: str
) -> dict[str, object]:
    return {
        name: {
            **means(row.figures for row in rows),
            "paired": paired(ours, rows, figure),
            "by_category": by_category(rows),
        }
        for name, rows in others.items()
    }


def _each(found: Mapping[str, object]) -> list[tuple[str, Mapping[str, object]]]:
    return [(name, _mapping(each)) for name, each in found.items()]


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _section(head: str, rows: Mapping[str, object]) -> list[str]:
    filled = {name: _mapping(each) for name, each in rows.items() if each}
    return ["", *_table(head, filled)] if filled else []


def _table(head: str, rows: Mapping[str, Mapping[str, object]]) -> list[str]:
    columns = [name for name in ("n", *SHOWN) if any(name in each for each in rows.values())]
    cells = [(name, *(each.get(column, "") for column in columns)) for name, each in rows.items()]
    return table((head, *columns), cells)


def _gains(head: str, rows: Mapping[str, object]) -> list[str]:
    if not rows:
        return []
    names = ("figure", "gain", "better", "worse", "z")
    pairs = {name: _mapping(_mapping(each)["paired"]) for name, each in rows.items()}
    cells = [
        (name, *("" if pair[column] is None else pair[column] for column in names))
        for name, pair in pairs.items()
    ]
    return ["", *table((head, *names), cells)]


def _abstaining(found: Mapping[str, object]) -> list[str]:
    if not found:
        return []
    return [
        "",
        f"abstaining: {found['abstained']} times, {found['silenced']} of them wrongly;"
        f" precision {found['precision']}, recall {found['recall']}, auc {found['auc']}"
        f" ({found['unanswerable']} questions have no answer, {found['answerable']} do)",
    ]
