"""`python -m benchmarks sleep-scale`: how long sleep takes as a history grows, and who waits.

One project's episodes as agents produce them, by chance from a seed: mostly one-off
observations, some lessons told again and again in varying words, some talk, some sessions
of commands. Another process captures and recalls meanwhile, and its waiting is compared
with the same work while nobody sleeps. All episodes are embedded before, with static vectors:
who measures sleep must not measure the work of embedding 100,000 texts beside it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from time import perf_counter

from benchmarks.figures import Check, growth_exponent
from benchmarks.showing import progress, table, verdicts

LIMIT_SECONDS = 600.0
LIMIT_BYTES = 1 << 30
LIMIT_EXPONENT = 1.15
LIMIT_SLOWER = 1.5
WARMED_UP = 20
"""Rounds before anything is measured."""


def run(sizes: Sequence[int], seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings and the lines that tell them."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "settings.toml").write_text('[embedder]\nmodel = "static-256"\n')
        for size in sizes:
            progress(f"capturing {size:,} episodes")
            path = Path(folder) / f"memory-{size}.db"
            _child("fill", path, size, seed)
            quiet = _child("foreground", path, 400, seed)
            progress(f"sleeping over {size:,} episodes")
            beside = _start("foreground", path, 1_000_000, seed + 1)
            _has_begun(beside)
            slept = _child("sleep", path, size, seed)
            busy = _stopped(beside)
            rows.append((size, slept, quiet, busy))
    return _told(rows)


def _told(rows: list[tuple[int, dict[str, float], dict[str, float], dict[str, float]]]) -> (
    tuple[dict[str, object], list[str]]
):  # fmt: skip
    exponent = growth_exponent([(size, slept["seconds"]) for size, slept, _, _ in rows])
    size, slept, quiet, busy = rows[-1]
    seconds = slept["seconds"]
    capture, recall = (busy[f"{what}_p95"] / quiet[f"{what}_p95"] for what in ("capture", "recall"))
    checks = [
        Check(f"{size:,} episodes in under 10 minutes", seconds, seconds < LIMIT_SECONDS),
        Check("memory below 1 GB", slept["bytes"] / 2**20, slept["bytes"] < LIMIT_BYTES),
        Check("growth exponent at most 1.15", exponent, exponent <= LIMIT_EXPONENT),
        Check("capture p95 at most 1.5 x quiet", capture, capture <= LIMIT_SLOWER),
        Check("recall p95 at most 1.5 x quiet", recall, recall <= LIMIT_SLOWER),
    ]  # fmt: skip
    head = (
        "episodes",
        "seconds",
        "MB",
        "concluded",
        "capture p95 ms",
        "asleep",
        "recall p95 ms",
        "asleep",
        "longest capture",
    )
    lines = table(
        head,
        [
            (size, s["seconds"], s["bytes"] / 2**20, s["applied"], q["capture_p95"],
             b["capture_p95"], q["recall_p95"], b["recall_p95"], b["capture_most"])
            for size, s, q, b in rows
        ],
    )  # fmt: skip
    findings: dict[str, object] = {
        "sizes": [{"size": size, "sleep": s, "quiet": q, "asleep": b} for size, s, q, b in rows],
        "exponent": exponent,
        "checks": [check.plain() for check in checks],
    }
    return findings, [*lines, *verdicts(checks)]


def _start(what: str, path: Path, size: int, seed: int) -> subprocess.Popen[str]:
    command = [
        sys.executable,
        "-m",
        "benchmarks.sleeping.scale",
        what,
        str(path),
        str(size),
        str(seed),
    ]
    environment = os.environ | {"HELIX_HOME": str(path.parent)}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True, env=environment
    )


def _child(what: str, path: Path, size: int, seed: int) -> dict[str, float]:
    out, _ = _start(what, path, size, seed).communicate()
    return dict(json.loads(out))


def _has_begun(process: subprocess.Popen[str]) -> None:
    """Wait until somebody works beside the sleeper: its start is not what is measured."""
    assert process.stdout is not None
    process.stdout.readline()


def _stopped(process: subprocess.Popen[str]) -> dict[str, float]:
    out, _ = process.communicate("enough\n")
    return dict(json.loads(out))


# --- in a process of its own --------------------------------------------------------------


def _fill(path: Path, size: int, seed: int) -> dict[str, float]:
    from benchmarks.sleeping.lives import episodes
    from helix import Helix

    with Helix.open(path, scope="project:scale") as memory:
        for text, circumstances in episodes(size, seed):
            memory.capture(text, **circumstances)  # type: ignore[arg-type]
        memory.upkeep.enrich()
    return {"episodes": size}


def _foreground(path: Path, rounds: int, seed: int) -> dict[str, float]:
    """Capture and recall at an easy pace until told to stop; return how long each took."""
    import select
    import time

    from benchmarks.figures import spread
    from benchmarks.texts import Author
    from helix import Helix

    captures, recalls = [], []
    author = Author(seed)
    with Helix.open(path, scope="project:scale") as memory:
        for number in range(rounds):
            if number == WARMED_UP and rounds > 1_000:
                print("begun", flush=True)
            text = author.episode()
            began = perf_counter()
            memory.capture(text)
            captures.append(perf_counter() - began)
            began = perf_counter()
            memory.recall(text[:60])
            recalls.append(perf_counter() - began)
            if select.select([sys.stdin], [], [], 0)[0] and rounds > 1_000:
                break
            time.sleep(0.005)
    told = {"rounds": float(len(captures))}
    for what, taken in (("capture", captures[WARMED_UP:]), ("recall", recalls[WARMED_UP:])):
        told |= {f"{what}_p50": spread(taken).p50, f"{what}_p95": spread(taken).p95,
                 f"{what}_most": max(taken) * 1000}  # fmt: skip
    return told


def _sleep(path: Path, size: int, seed: int) -> dict[str, float]:
    import resource

    from helix import Helix
    from helix.sleep.queue import Slept

    with Helix.open(path, scope="project:scale", background=False) as memory:
        memory.sleeping.step_aside()  # as `helix sleep` does, and the child of a server
        began = perf_counter()
        done = memory.sleeping.sleep(budget=timedelta(hours=2))
        seconds = perf_counter() - began
    assert isinstance(done, Slept), done
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = used.ru_maxrss * 1024
    return {
        "seconds": seconds, "bytes": float(peak), "applied": float(done.run.applied),
        "cpu_seconds": used.ru_utime + used.ru_stime,
        **{f"{each.name}_seconds": each.seconds for each in done.run.passes},
    }  # fmt: skip


if __name__ == "__main__":
    what, path, size, seed = sys.argv[1:]
    ways = {"fill": _fill, "foreground": _foreground, "sleep": _sleep}
    print(json.dumps(ways[what](Path(path), int(size), int(seed))))
