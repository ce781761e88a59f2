"""What captures and questions cost as one store grows, beside bare SQLite in the same run."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.bare import Bare
from benchmarks.figures import Check, growth_exponent
from benchmarks.growth import Growth, Mark, Stage
from benchmarks.showing import table, verdicts
from benchmarks.texts import KINDS

CAPTURE_MS, CAPTURE_RATIO = 1.0, 4.0
RECALL_MS, RECALL_AT = 40.0, 100_000
GROWTH = 1.05


def run(sizes: Sequence[int], questions: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings as JSON knows them and as lines to print."""
    with TemporaryDirectory(prefix="helix-scale-") as folder:
        growth = Growth(Path(folder), seed, questions)
        try:
            stages = list(_stages(growth, sizes))
        finally:
            growth.close()
    marks = [mark for mark in growth.marks if mark.size >= min(sizes)]
    exponents = _exponents(marks, stages)
    checks = [*_checks(stages), _growth_check(sizes, exponents["capture"])]
    findings: dict[str, object] = {
        "seed": seed,
        "questions": questions,
        "baseline": " ".join((sys.modules[Bare.__module__].__doc__ or "").split()),
        "stages": [asdict(stage) for stage in stages],
        "growth_exponents": {name: round(value, 4) for name, value in exponents.items()},
        "checks": [check.plain() for check in checks],
    }
    lines = [*_lines(stages), "", "growth exponents (cumulative capture time, recall p50)"]
    lines += table(list(exponents), [list(exponents.values())])
    return findings, [*lines, "", *verdicts(checks)]


def _exponents(marks: Sequence[Mark], stages: Sequence[Stage]) -> dict[str, float]:
    return {
        "capture": growth_exponent([(mark.size, mark.seconds) for mark in marks]),
        "capture_cpu": growth_exponent([(mark.size, mark.cpu_seconds) for mark in marks]),
        "bare_capture": growth_exponent([(mark.size, mark.bare_seconds) for mark in marks]),
        "recall_p50": growth_exponent([(stage.size, stage.recall.p50) for stage in stages]),
        "bare_recall_p50": growth_exponent([(s.size, s.bare_recall.p50) for s in stages]),
    }


def _stages(growth: Growth, sizes: Sequence[int]) -> Iterator[Stage]:
    for size in sorted(sizes):
        growth.grow(size)
        yield growth.measured()


def _checks(stages: Sequence[Stage]) -> Iterator[Check]:
    for stage in stages:
        at = f"at {stage.size:,}"
        p50, ratio = stage.capture.p50, stage.capture_ratio_p50
        yield Check(f"capture p50 < {CAPTURE_MS:g} ms {at}", p50, p50 < CAPTURE_MS)
        yield Check(
            f"capture p50 ≤ {CAPTURE_RATIO:g} times bare {at}", ratio, ratio <= CAPTURE_RATIO
        )
        if stage.size == RECALL_AT:
            p95 = stage.recall.p95
            yield Check(f"recall p95 < {RECALL_MS:g} ms {at}", p95, p95 < RECALL_MS)


def _growth_check(sizes: Sequence[int], exponent: float) -> Check:
    over = f"{min(sizes):,} to {max(sizes):,}"
    return Check(
        f"growth exponent of capture ≤ {GROWTH} over {over}", round(exponent, 4), exponent <= GROWTH
    )


def _lines(stages: Sequence[Stage]) -> list[str]:
    return [
        "capture in ms (the window since the size before)",
        *table(
            ("memories", "p50", "cpu p50", "p95", "p99", "max", "bare p50", "bare p99", "ratio",
             "total s"),
            [_capture_row(stage) for stage in stages],
        ),
        "",
        "recall by words in ms",
        *table(
            ("memories", "p50", "p95", "p99", "cpu p50", "cpu p95", "bare p50", "bare p95",
             *(f"{kind} p95" for kind in KINDS), "answered"),
            [_recall_row(stage) for stage in stages],
        ),
        "",
        "size in MB (reader: a fresh process after asking the questions)",
        *table(
            ("memories", "file", "bytes each", "log", "bare file", "this process", "reader"),
            [_size_row(stage) for stage in stages],
        ),
    ]  # fmt: skip


def _capture_row(stage: Stage) -> list[object]:
    ours, bare = stage.capture, stage.bare_capture
    return [
        stage.size, ours.p50, stage.capture_cpu_p50, ours.p95, ours.p99, ours.max,
        bare.p50, bare.p99, stage.capture_ratio_p50, stage.capture_seconds_so_far,
    ]  # fmt: skip


def _recall_row(stage: Stage) -> list[object]:
    ours, cpu, bare = stage.recall, stage.recall_cpu, stage.bare_recall
    return [
        stage.size, ours.p50, ours.p95, ours.p99, cpu.p50, cpu.p95, bare.p50, bare.p95,
        *(stage.recall_by_kind[kind].p95 for kind in KINDS), stage.answered,
    ]  # fmt: skip


def _size_row(stage: Stage) -> list[object]:
    megabytes = [
        each / 1e6
        for each in (
            stage.log_bytes, stage.bare_file_bytes, stage.process_bytes, stage.reader_bytes,
        )
    ]  # fmt: skip
    return [stage.size, stage.file_bytes / 1e6, stage.bytes_per_memory, *megabytes]
