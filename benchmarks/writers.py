"""Many processes that capture as fast as they can: throughput, worst waits, the log's length."""

from __future__ import annotations

import subprocess
import sys
import time
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.capturing import SCOPE
from benchmarks.figures import Check, log_bytes, spread
from benchmarks.showing import progress, table, verdicts
from helix import Helix

WORST_MS = 1000.0
SLOW_MS = 50.0
"""A commit that did a checkpoint's work would take this long and more."""

SAMPLE_SECONDS = 0.1
BOUNDS_MS = (0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
_SALT = slice(16, 20)  # of the header of SQLite's write-ahead log


@dataclass(frozen=True, slots=True)
class Moment:
    """The store's files at one moment of the run."""

    seconds: float
    log_bytes: int
    log_salt: int
    file_changed_ns: int


@dataclass(frozen=True, slots=True)
class Log:
    """How the write-ahead log behaved."""

    max_bytes: int
    last_bytes: int
    starts: int
    file_writes_seen: int
    second_half_max_over_first: float


def run(processes: int, seconds: float, seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings as JSON knows them and as lines to print."""
    with TemporaryDirectory(prefix="helix-writers-") as folder:
        store = Path(folder) / "memory.db"
        Helix.open(store, scope=SCOPE).close()
        running = [_started(Path(folder), number, seconds, seed) for number in range(processes)]
        moments = _watched(running, store, seconds)
        errors = [complaint for process in running if (complaint := _ended(process))]
        taken = [_taken(Path(folder) / f"{number}.seconds") for number in range(processes)]
    return _findings(taken, errors, moments, seconds, seed)


def _started(folder: Path, number: int, seconds: float, seed: int) -> subprocess.Popen[str]:
    arguments = (f"w{number}", str(seed), str(seconds), str(folder / f"{number}.seconds"))
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.capturing", str(folder / "memory.db"), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _watched(running: Sequence[subprocess.Popen[str]], store: Path, seconds: float) -> list[Moment]:
    """Let all begin together and look at the files until all have ended."""
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()
    for process in running:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    moments = []
    started = time.monotonic()
    while any(process.poll() is None for process in running):
        passed = time.monotonic() - started
        moments.append(_moment(store, passed))
        progress(f"{passed:.0f} of {seconds:g} s, log {moments[-1].log_bytes / 1e6:.1f} MB")
        time.sleep(SAMPLE_SECONDS)
    return [moment for moment in moments if moment.seconds <= seconds]


def _moment(store: Path, passed: float) -> Moment:
    return Moment(passed, log_bytes(store), _log_salt(store), store.stat().st_mtime_ns)


def _log_salt(store: Path) -> int:
    # SQLite raises this number by one whenever it starts the log anew.
    try:
        with store.with_name(store.name + "-wal").open("rb") as log:
            return int.from_bytes(log.read(32)[_SALT], "big")
    except FileNotFoundError:
        return 0


def _ended(process: subprocess.Popen[str]) -> str:
    _, complaint = process.communicate()
    return complaint or (f"ended with {process.returncode}" if process.returncode else "")


def _taken(path: Path) -> array[float]:
    taken = array("d")
    if path.exists():
        taken.frombytes(path.read_bytes())
    return taken


def _findings(
    taken: Sequence[array[float]],
    errors: Sequence[str],
    moments: Sequence[Moment],
    seconds: float,
    seed: int,
) -> tuple[dict[str, object], list[str]]:
    everything = sorted(duration for each in taken for duration in each)
    whole = spread(everything)
    slow = len(everything) - bisect_left(everything, SLOW_MS / 1000)
    log = _log(moments)
    each = [{"captures": len(t), "per_second": round(len(t) / seconds, 1), **asdict(spread(t))}
            for t in taken]  # fmt: skip
    checks = [
        Check("0 errors", float(len(errors)), not errors),
        Check(f"worst capture < {WORST_MS:g} ms", whole.max, whole.max < WORST_MS),
    ]
    findings: dict[str, object] = {
        "processes": len(taken),
        "seconds": seconds,
        "seed": seed,
        "captures": whole.count,
        "per_second": round(whole.count / seconds, 1),
        "errors": len(errors),
        "capture": asdict(whole),
        "slower_than_50_ms": slow,
        "histogram_ms": _histogram(everything),
        "by_process": each,
        "log": asdict(log),
        "log_over_time": [(round(m.seconds, 1), m.log_bytes) for m in moments[::10]],
        "checks": [check.plain() for check in checks],
    }
    return findings, _lines(findings, each, log, [*verdicts(checks), *errors])


def _log(moments: Sequence[Moment]) -> Log:
    lengths = [moment.log_bytes for moment in moments] or [0]
    salts = [moment.log_salt for moment in moments if moment.log_salt] or [0]
    half = max(1, len(lengths) // 2)
    first, second = max(lengths[:half]), max(lengths[half:] or [0])
    return Log(
        max_bytes=max(lengths),
        last_bytes=lengths[-1],
        starts=(salts[-1] - salts[0]) % 2**32,
        file_writes_seen=sum(a.file_changed_ns != b.file_changed_ns for a, b in pairwise(moments)),
        second_half_max_over_first=round(second / max(first, 1), 2),
    )


def _histogram(ordered: Sequence[float]) -> dict[str, int]:
    """Return how many captures took up to each bound, and beyond the last."""
    reached = [bisect_left(ordered, bound / 1000) for bound in BOUNDS_MS]
    counts = [after - before for before, after in pairwise([0, *reached, len(ordered)])]
    names = [*(f"< {bound:g}" for bound in BOUNDS_MS), f">= {BOUNDS_MS[-1]:g}"]
    return dict(zip(names, counts, strict=True))


def _lines(
    findings: dict[str, object],
    each: Sequence[dict[str, object]],
    log: Log,
    verdict: Sequence[str],
) -> list[str]:
    histogram = findings["histogram_ms"]
    assert isinstance(histogram, dict)
    names = ("captures", "per_second", "p50", "p99", "max")
    rows = [(f"w{number}", *(one[name] for name in names)) for number, one in enumerate(each)]
    return [
        f"{findings['captures']:,} captures by {findings['processes']} processes:"
        f" {findings['per_second']} per second",
        "",
        *table(("process", *names), rows),
        "",
        *table(("ms", "captures"), list(histogram.items())),
        "",
        f"log: at most {log.max_bytes / 1e6:.1f} MB, {log.last_bytes / 1e6:.1f} MB at the end,"
        f" started anew {log.starts} times, longest in the second half"
        f" {log.second_half_max_over_first:g} times that of the first",
        f"the file itself was seen to change {log.file_writes_seen} times (checkpoints)",
        f"captures slower than {SLOW_MS:g} ms: {findings['slower_than_50_ms']}",
        "",
        *verdict,
    ]
