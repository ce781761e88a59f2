"""What the doors cost: greeting an agent, hooks, and many of everything on one store.

Each start is a cold process of its own. The storm is agents' servers, hooks and commands on
one store at once; afterwards every capture that was acknowledged must be there, nobody may
have failed, and no process may be left.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.figures import Check, Spread, spread
from benchmarks.processes import MEMORIES, filled, greeted, hooked, repository, serving
from benchmarks.storm import Storm

GREETING_MS, TOOL_MS, START_MS, RESIDENT_MS = 1_000.0, 150.0, 250.0, 80.0
GROWTH = 1.3
"""A server may end with this much of the memory it had half-way."""


def run(starts: int, servers: int, storms: int, commands: int, seconds: float) -> Any:
    """Measure and return findings and lines."""
    with tempfile.TemporaryDirectory(prefix="helix-doors-") as place:
        home, folder = Path(place) / "home", Path(place) / "shop"
        home.mkdir()
        repository(folder)
        filled(home, folder)
        spreads: dict[str, Spread] = {}
        work: dict[str, Spread] = {}

        def measured(name: str, does: Callable[[int], float]) -> None:
            taken = [_with_work(does, number) for number in range(starts)]
            spreads[name] = spread(each for each, _ in taken)
            work[name] = spread(each for _, each in taken)

        def greeting(number: int) -> float:
            del number
            return greeted(home, folder)

        measured("greeting", greeting)
        for event in ("PostToolUse", "SessionStart", "UserPromptSubmit"):
            measured(event, partial(hooked, home, folder, event))
        with serving(home):
            for event in ("PostToolUse", "SessionStart"):
                measured(f"{event}, resident", partial(hooked, home, folder, event))
        storm: dict[str, Any] = {}
        if seconds:
            raging = Storm(home, folder, time.monotonic() + seconds)
            storm = {"seconds": seconds, **raging.run(servers, storms, commands)}
    checks = [
        _below("greeting p95 below 1,000 ms", spreads["greeting"], GREETING_MS),
        _below("PostToolUse p95 at most 150 ms", spreads["PostToolUse"], TOOL_MS),
        _below("SessionStart p95 at most 250 ms", spreads["SessionStart"], START_MS),
        *(
            _below(
                f"{event} with a server at most 80 ms", spreads[f"{event}, resident"], RESIDENT_MS
            )
            for event in ("PostToolUse", "SessionStart")
        ),
    ]
    if storm:
        checks += [
            Check("no error in the storm", storm["errors"], storm["errors"] == 0),
            Check("every acknowledged capture is there", storm["missing"], storm["missing"] == 0),
            Check("no process is left", storm["left"], storm["left"] == 0),
            Check("servers' memory stays flat", storm["growth"], storm["growth"] <= GROWTH),
        ]
    findings = {
        "memories": MEMORIES,
        "spreads": {name: vars_of(each) for name, each in spreads.items()},
        "work": {name: vars_of(each) for name, each in work.items()},
        "storm": storm,
        "checks": [each.plain() for each in checks],
    }
    return findings, list(_lines(spreads, work, storm, checks))


def _with_work(does: Callable[[int], float], number: int) -> tuple[float, float]:
    """Return how long a process took by the clock, and how long a processor worked for it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = does(number)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def vars_of(each: Spread) -> dict[str, float]:
    return {name: getattr(each, name) for name in ("count", "p50", "p95", "p99", "max")}


def _below(target: str, measured: Spread, most: float) -> Check:
    return Check(target, measured.p95, measured.p95 <= most)


def _lines(
    spreads: dict[str, Spread], work: dict[str, Spread], storm: dict[str, Any], checks: list[Check]
) -> Iterator[str]:
    yield (
        f"cold processes, a store of {MEMORIES:,} memories, times in ms;"
        f" {os.getloadavg()[0]:.1f} processes waited for {os.cpu_count()} cores"
    )
    for name, each in spreads.items():
        yield (
            f"{name:<24} p50 {each.p50:7.1f}   p95 {each.p95:7.1f}   max {each.max:7.1f}"
            f"   of work p50 {work[name].p50:6.1f}"
        )
    if storm:
        yield "storm: " + ", ".join(f"{key} {value}" for key, value in storm.items())
    for check in checks:
        yield f"{'held  ' if check.held else 'MISSED'}  {check.target}: {check.measured:g}"
