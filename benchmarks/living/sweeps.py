"""Sweeps over stores that grow: what they cost, and what they cost those who work meanwhile."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.figures import Check, Spread, growth_exponent, resident_bytes
from benchmarks.living.filling import START, YEAR, fill, opened
from benchmarks.showing import progress, table, verdicts
from helix.adapters.sqlite.store import SqliteStore
from helix.app.sweeping import Sweeper
from helix.testing.clock import SettableClock

HEAD = [
    "memories", "written s", "looked s", "swept s", "CPU s", "archived", "entries",
    "CPU us/memory", "largest write ms", "RSS MB",
]  # fmt: skip
MOST_EXPONENT = 1.1
MOST_RATIO = 1.5


class Beside(NamedTuple):
    """What captures and recalls cost in processes of their own."""

    capture: Spread
    recall: Spread


def run(sizes: list[int], seconds: float, seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings per size, and the latencies beside a sweep at the largest size."""
    rows, beside = [], {}
    with TemporaryDirectory(prefix="helix-sweeps-") as folder:
        for size in sizes:
            path = Path(folder) / f"{size}.db"
            started = time.monotonic()
            fill(path, size, seed)
            written = time.monotonic() - started
            if size == max(sizes) and seconds:
                beside = _meanwhile(path, seconds)
            rows.append([size, written, *_swept(path)])
            path.unlink()
    # Of processor time: on a shared machine the clock on the wall measures the others as well.
    swept = growth_exponent([(row[0], row[4]) for row in rows])
    target = f"growth exponent of looking and sweeping <= {MOST_EXPONENT}"
    checks = [Check(target, swept, not swept > MOST_EXPONENT)]
    if beside:
        for name in ("capture", "recall"):
            quiet, busy = (getattr(beside[each], name).p95 for each in ("quiet", "sweeping"))
            target = f"{name} p95 while sweeping <= {MOST_RATIO} x quiet"
            checks.append(Check(target, busy / quiet, busy <= MOST_RATIO * quiet))
    lines = table(HEAD, rows)
    for name, each in beside.items():
        for what, found in each._asdict().items():
            lines.append(
                f"{what:>8} {name:<9} p50 {found.p50:7.3f}  p95 {found.p95:7.3f}"
                f"  p99 {found.p99:8.3f}  max {found.max:8.3f} ms  ({found.count:,})"
            )
    findings: dict[str, object] = {
        "rows": [dict(zip(HEAD, row, strict=True)) for row in rows],
        "beside": {
            name: {what: asdict(found) for what, found in each._asdict().items()}
            for name, each in beside.items()
        },
        "checks": [each.plain() for each in checks],
    }
    return findings, [*lines, "", *verdicts(checks)]


def _swept(path: Path) -> list[float]:
    """Look at everything, then sweep everything without rests."""
    clock = SettableClock(START + YEAR)
    with closing(SqliteStore(path)) as store:
        memory = opened(store, clock)
        sweeper = Sweeper(memory.context, memory.life.now, rest=lambda _: None)
        started, busy = time.monotonic(), time.process_time()
        would = sum(each.changed for each in sweeper.run(dry_run=True))
        looked = time.monotonic() - started
        progress(f"looked in {looked:.1f} s: {would:,}")
        started = time.monotonic()
        done = sweeper.run(everything=True)
        swept = time.monotonic() - started
        changed = sum(each.changed for each in done)
        if changed != would:
            raise RuntimeError(f"{would} were proposed, {changed} done")
        entries = sum(len(each.entries) for each in done)
        cpu = time.process_time() - busy
        each = 1e6 * cpu / max(1, changed)
        memory_used = resident_bytes() / 2**20
        return [
            looked,
            swept,
            cpu,
            changed,
            entries,
            each,
            1000 * sweeper.longest_write,
            memory_used,
        ]


def _meanwhile(path: Path, seconds: float) -> dict[str, Beside]:
    """Measure captures and recalls, first quiet, then beside a sweep that goes on and on."""
    found = {"quiet": _beside(path, seconds)}
    sweeping = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.living.sweeping", str(path)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert sweeping.stdout is not None
    sweeping.stdout.readline()
    try:
        found["sweeping"] = _beside(path, seconds)
        if sweeping.poll() is not None:
            raise RuntimeError("the sweep ended before the measuring did; use a larger size")
    finally:
        sweeping.kill()
        sweeping.communicate()
    return found


def _beside(path: Path, seconds: float) -> Beside:
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.living.working", str(path), what, str(seconds)],
            stdout=subprocess.PIPE, text=True,
        )
        for what in Beside._fields
    ]  # fmt: skip
    said = [json.loads(worker.communicate()[0]) for worker in workers]
    return Beside(*(Spread(**each) for each in said))
