"""Secrets: lines in which one was found, and what redacting costs.

A line is found if any part of it would be redacted. Lines of one file are read together, as
they would be captured: a private key is many lines. `each_line_alone` scores the same lines
without their neighbours.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.figures import Check
from benchmarks.integrity.texts import beside
from benchmarks.recalling.sets.reading import Json, found, records
from benchmarks.showing import progress, table, verdicts
from helix.rules.secrets.redacting import redacted, secrets_in

Found = Callable[[Sequence[Json]], list[bool]]


def run(folder: Path, step: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings on a folder of labelled lines, and the lines that tell them."""
    lines = [each for path in found(folder, "*.jsonl*") for each in records(path)]
    together = _scored(lines, _together)
    alone = _scored(lines, lambda rows: [bool(secrets_in(each["text"])) for each in rows])
    again = _left(folder, lines, step)
    cost = _cost([each["text"] for each in lines if 0 < len(each["text"]) < 1_000])
    whole = together["all"]
    checks = [
        Check("line recall at least 0.90", whole["recall"], whole["recall"] >= 0.90),
        Check("line precision at least 0.90", whole["precision"], whole["precision"] >= 0.90),
        Check("nothing left to find after redacting", again["left"], again["left"] == 0),
    ]
    findings: dict[str, object] = {
        "benchmark": "secrets",
        "recall": whole["recall"],
        "precision": whole["precision"],
        "by_source": {name: each for name, each in together.items() if name != "all"},
        "each_line_alone": alone["all"],
        "redacted_twice": again,
        "microseconds": cost,
        "checks": [each.plain() for each in checks],
    }
    rows = [[name, *each.values()] for name, each in together.items()]
    rows.append(["each line alone", *alone["all"].values()])
    told = table(["lines of", "recall", "precision", "found", "wrongly", "missed"], rows)
    told += [
        "",
        f"redacted twice: {again['left']} of {again['texts']:,} texts still hold a secret",
        f"honest texts changed: {again['changed']:,} ({', '.join(again['sets']) or 'none'})",
        f"a line costs {cost['p50']:.1f} us (p50), {cost['p95']:.1f} us (p95)",
        "",
    ]
    return findings, told + verdicts(checks)


def _scored(lines: Sequence[Json], look: Found) -> dict[str, dict[str, float]]:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for rows in _files(lines):
        for row, hit in zip(rows, look(rows), strict=True):
            if row["label"] is None or (not hit and not row["label"]):
                continue
            outcome = 0 if hit and row["label"] else 1 if hit else 2
            for name in ("all", row.get("src", "unnamed"), f"half {_half(row)}"):
                counts[name][outcome] += 1
    return {name: _shares(*counts[name]) for name in sorted(counts)}


def _shares(right: int, wrong: int, missed: int) -> dict[str, float]:
    return {
        "recall": right / max(1, right + missed),
        "precision": right / max(1, right + wrong),
        "found": right,
        "wrongly": wrong,
        "missed": missed,
    }


def _files(lines: Sequence[Json]) -> list[list[Json]]:
    files: dict[object, list[Json]] = defaultdict(list)
    for index, each in enumerate(lines):
        # Lines without a number are examples that stand alone.
        files[each["src"], each["file"], index if "line" not in each else ""].append(each)
    return [sorted(rows, key=lambda row: row.get("line", 0)) for rows in files.values()]


def _together(rows: Sequence[Json]) -> list[bool]:
    spans, at = [], 0
    for row in rows:
        spans.append((at, at + len(row["text"])))
        at += len(row["text"]) + 1
    hits = secrets_in("\n".join(row["text"] for row in rows))
    return [any(hit.start < end and start < hit.end for hit in hits) for start, end in spans]


def _half(row: Json) -> str:
    # By file: lines of one file resemble each other, and must not stand on both sides.
    return "ab"[hashlib.sha256(row["file"].encode()).digest()[0] % 2]


def _left(folder: Path, lines: Sequence[Json], step: int) -> dict[str, Json]:
    texts = [("", "\n".join(row["text"] for row in rows)) for rows in _files(lines)]
    texts += beside(folder, step)
    left = changed = 0
    for index, (name, text) in enumerate(texts):
        if index % 1_000 == 0:
            progress(f"redacting twice: {index:,} of {len(texts):,}")
        once = redacted(text)
        left += bool(secrets_in(once)) or redacted(once) != once
        changed += bool(name) and once != text
    sets = sorted({name for name, _ in texts if name})
    return {"texts": len(texts), "left": left, "changed": changed, "sets": sets}


def _cost(texts: Sequence[str]) -> dict[str, float]:
    times = []
    for text in texts:
        best = min(_timed(text) for _ in range(5))
        times.append(best * 1e6)
    cuts = statistics.quantiles(times, n=100)
    return {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98]}


def _timed(text: str) -> float:
    start = time.perf_counter()
    redacted(text)
    return time.perf_counter() - start
