"""What the doors cost: greeting an agent, hooks and commands, each a cold process of its own.

Time on the clock is what an agent waits; time on the processor is noted beside it, since a
busy machine stretches only the former. `resident` is with `helix serve` running, `connected`
with an agent's server. `storm` is the other half of this benchmark.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.figures import Check, Spread, spread
from benchmarks.processes import (
    MEMORIES,
    Server,
    asked,
    connected,
    filled,
    hooked,
    repository,
    serving,
)
from benchmarks.showing import progress, verdicts
from benchmarks.storm import Storm, storm_checks

GREETING_MS, LISTED_MS, TOOL_MS, START_MS = 1_000.0, 2_000.0, 150.0, 250.0
RESIDENT_MS, ASKED_MS = 80.0, 200.0
TARGETS = {
    "greeting": GREETING_MS,
    "greeting and tools": LISTED_MS,
    "PostToolUse": TOOL_MS,
    "SessionStart": START_MS,
    "PostToolUse, resident": RESIDENT_MS,
    "SessionStart, resident": RESIDENT_MS,
    "recall --words-only, resident": ASKED_MS,
    "recall, resident": ASKED_MS,
    "PostToolUse, connected": RESIDENT_MS,
    "SessionStart, connected": RESIDENT_MS,
}
"""Milliseconds that the 95th of a hundred starts may take."""

Finding = tuple[dict[str, object], list[str]]


def starts(number: int) -> Finding:
    """Start each door so many times, and return findings and lines."""
    with _place() as (home, folder):
        filled(home, folder)
        ways: dict[str, Callable[[int], float]] = {
            "greeting": partial(_greeted, home, folder, listing=False),
            "greeting and tools": partial(_greeted, home, folder, listing=True),
            "PostToolUse": partial(hooked, home, folder, "PostToolUse"),
            "SessionStart": partial(hooked, home, folder, "SessionStart"),
            "UserPromptSubmit": partial(hooked, home, folder, "UserPromptSubmit"),
            "recall --words-only": partial(asked, home, folder, "--words-only"),
        }
        resident: dict[str, Callable[[int], float]] = {
            "PostToolUse": partial(hooked, home, folder, "PostToolUse"),
            "SessionStart": partial(hooked, home, folder, "SessionStart"),
            "recall --words-only": partial(asked, home, folder, "--words-only"),
            "recall": partial(asked, home, folder),
        }
        taken = {name: _repeated(name, does, number) for name, does in ways.items()}
        with serving(home):
            taken |= {f"{n}, resident": _repeated(n, d, number) for n, d in resident.items()}
        with connected(home, folder):
            taken |= {f"{n}, connected": _repeated(n, d, number) for n, d in resident.items()}
    clock = {name: spread(each for each, _ in times) for name, times in taken.items()}
    work = {name: spread(each for _, each in times) for name, times in taken.items()}
    checks = [
        Check(f"{name}: p95 at most {most:g} ms", clock[name].p95, clock[name].p95 <= most)
        for name, most in TARGETS.items()
    ]
    findings: dict[str, object] = {
        "memories": MEMORIES,
        "starts": number,
        "spreads": {name: _plain(each) for name, each in clock.items()},
        "work": {name: _plain(each) for name, each in work.items()},
        "checks": [each.plain() for each in checks],
    }
    return findings, [*_lines(clock, work), "", *verdicts(checks)]


def storm(servers: int, storms: int, commands: int, seconds: float) -> Finding:
    """Let many of everything work on one store, and return what became of it."""
    with _place() as (home, folder):
        filled(home, folder)
        raging = Storm(home, folder, seconds)
        counted = raging.run(servers, storms, commands)
    checks = storm_checks(counted)
    findings: dict[str, object] = {
        "seconds": seconds, "servers": servers, "storms": storms, "commands": commands,
        **counted, "checks": [each.plain() for each in checks],
    }  # fmt: skip
    lines = [
        f"{servers} servers, {storms} hook storms and {commands} command lines"
        f" on one store for {seconds:g} s",
        *(f"  {name:<14} {_shown(value)}" for name, value in counted.items()),
    ]
    return findings, [*lines, "", *verdicts(checks)]


@contextmanager
def _place() -> Iterator[tuple[Path, Path]]:
    with tempfile.TemporaryDirectory(prefix="helix-doors-") as place:
        home, folder = Path(place) / "home", Path(place) / "shop"
        home.mkdir()
        repository(folder)
        yield home, folder


def _greeted(home: Path, folder: Path, number: int, *, listing: bool) -> float:
    del number
    started = time.perf_counter()
    server = Server(home, folder)
    if listing:
        server.ask("tools/list", {})
    took = time.perf_counter() - started
    server.end()
    return took


def _repeated(name: str, does: Callable[[int], float], number: int) -> list[tuple[float, float]]:
    # The first is left out: it may have had to read files and write bytecode.
    taken = []
    for each in range(number + 1):
        progress(f"{name}: {each} of {number}")
        taken.append(_with_work(does, each))
    return taken[1:]


def _with_work(does: Callable[[int], float], number: int) -> tuple[float, float]:
    """Return how long a process took by the clock, and how long a processor worked for it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = does(number)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _plain(each: Spread) -> dict[str, float]:
    return {name: getattr(each, name) for name in ("count", "p50", "p95", "p99", "max")}


def _lines(clock: dict[str, Spread], work: dict[str, Spread]) -> Iterator[str]:
    yield (
        f"cold processes, a store of {MEMORIES:,} memories, times in ms;"
        f" {os.getloadavg()[0]:.1f} processes waited for {os.cpu_count()} cores"
    )
    for name, each in clock.items():
        yield (
            f"{name:<30} p50 {each.p50:7.1f}   p95 {each.p95:7.1f}   max {each.max:7.1f}"
            f"   of work p50 {work[name].p50:6.1f}"
        )


def _shown(value: Any) -> str:
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
