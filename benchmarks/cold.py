"""What a fresh process costs: `helix recall` from nothing to its answer, beside Python itself.

Agents' hooks and people at a shell start a process for every question. Time on the clock is
what they feel; time on the processor is noted beside it, since a busy machine stretches only
the former. Files are in the system's cache, as they are for whoever asks twice a day.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Check, Spread, spread
from benchmarks.showing import progress, table, verdicts
from benchmarks.texts import Author
from helix import Helix

SCOPE = "project:benchmark"
WORDS_MS, HYBRID_MS, HELP_MS = 200.0, 900.0, 150.0


@dataclass(frozen=True, slots=True)
class Started:
    """One way to start, and how long it took from nothing to the answer."""

    way: str
    clock: Spread
    cpu: Spread


def run(starts: int, memories: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings as JSON knows them and as lines to print."""
    with TemporaryDirectory(prefix="helix-cold-") as folder:
        path = Path(folder) / "memory.db"
        questions = _filled(path, memories, seed, starts)
        helix = [sys.executable, "-m", "helix"]
        recall = [*helix, "--store", str(path), "--scope", SCOPE, "recall"]
        ways: Mapping[str, tuple[Sequence[str], bool]] = {
            "python -c pass": ([sys.executable, "-c", "pass"], False),
            "helix --help": ([*helix, "--help"], False),
            "helix recall --words-only": ([*recall, "--words-only"], True),
            "helix recall, hybrid": (recall, True),
        }
        taken: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for number in range(starts + 1):
            for way, (command, asks) in ways.items():
                given = [*command, questions[number]] if asks else command
                taken[way].append(_once(given))
            progress(f"{number:,} of {starts:,} starts")
    # The first of each is left out: it may have had to read the files.
    found = [
        Started(way, spread(c for c, _ in times[1:]), spread(cpu for _, cpu in times[1:]))
        for way, times in taken.items()
    ]
    checks = _checks(found)
    findings: dict[str, object] = {
        "seed": seed,
        "starts": starts,
        "memories": memories,
        "ways": [asdict(each) for each in found],
        "checks": [check.plain() for check in checks],
    }
    lines = [
        f"a fresh process, {starts} starts each, in ms; a store of {memories:,} memories",
        *table(
            ("way", "p50", "p95", "max", "cpu p50", "cpu p95"),
            [[s.way, s.clock.p50, s.clock.p95, s.clock.max, s.cpu.p50, s.cpu.p95] for s in found],
        ),
    ]
    return findings, [*lines, "", *verdicts(checks)]


def _filled(path: Path, memories: int, seed: int, starts: int) -> list[str]:
    author = Author(seed)
    with Helix.open(path, scope=SCOPE) as memory:
        for number in range(memories):
            memory.capture(author.episode(), session=f"session-{number // 25}")
            progress(f"{number:,} of {memories:,} captured")
        memory.upkeep.enrich(lambda done: progress(f"{done:,} embedded"))
    return [question for _, question in author.questions(starts + 1)]


def _once(command: Sequence[str]) -> tuple[float, float]:
    """Run a command; return its seconds on the clock and on the processor."""
    before, started = os.times(), time.perf_counter()
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, check=False, env=_environment()
    )
    taken, after = time.perf_counter() - started, os.times()
    if done.returncode not in (0, 1):  # 1: memory does not know
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode()}")
    user = after.children_user - before.children_user
    return taken, user + after.children_system - before.children_system


def _environment() -> dict[str, str]:
    """Return this environment as a user's: an installed program has its bytecode."""
    return {name: v for name, v in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def _checks(found: Sequence[Started]) -> list[Check]:
    by_way = {each.way: each.clock.p50 for each in found}
    targets = {
        "helix --help": HELP_MS,
        "helix recall --words-only": WORDS_MS,
        "helix recall, hybrid": HYBRID_MS,
    }
    return [
        Check(f"{way}: p50 ≤ {limit:g} ms", by_way[way], by_way[way] <= limit)
        for way, limit in targets.items()
    ]
