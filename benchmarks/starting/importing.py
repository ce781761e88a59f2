"""A long history and many transcripts through `helix import`: killed half-way, resumed, repeated.

The command runs as a process of its own and is killed with SIGKILL. Afterwards every commit
must be there exactly once; importing again must add nothing to the ledger.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.figures import Check
from benchmarks.processes import environment, helix
from benchmarks.showing import progress, verdicts
from benchmarks.starting import sources

LOOKED_EVERY = 0.2
Told = dict[str, Any]


def run(data: Path, name: str, most: int | None) -> tuple[dict[str, object], list[str]]:
    """Import and return findings and lines."""
    with tempfile.TemporaryDirectory(prefix="helix-import-") as place:
        home, folder = Path(place) / "home", Path(place) / "history"
        home.mkdir()
        progress("writing the repository")
        commits = sources.history(data, name)[:most]
        sources.repository(folder, commits)
        ids = sources.ids(folder)
        half = _killed(home, folder, len(ids) // 2)
        resumed = _imported(home, folder, "git")
        again = _imported(home, folder, "git")
        whole = _held(home, folder, ids)
        clean = Path(place) / "clean"
        clean.mkdir()
        at_once = _imported(clean, folder, "git")
        paths = sources.transcripts(data, folder / "transcripts")
        read = _imported(home, folder, *map(str, paths))
        reread = _imported(home, folder, *map(str, paths))
    checks = [
        Check("killed half-way", half, 0 < half < len(ids)),
        Check("every commit is there", whole["there"], whole["there"] == len(ids)),
        Check("none is there twice", whole["episodes"], whole["episodes"] == whole["there"]),
        Check("the same history again adds nothing", again["added"], again["added"] == 0),
        Check("the same transcripts again add nothing", reread["added"], reread["added"] == 0),
        Check("transcripts gave episodes", read["added"], read["added"] > 0),
        Check("every seal verifies", float(whole["sound"]), whole["sound"]),
    ]
    findings: dict[str, object] = {
        "history": name, "commits": len(commits), "read": len(ids), "killed_at": half,
        "resumed": resumed, "again": again, "at_once": at_once,
        "commits_per_second": round(len(ids) / at_once["seconds"], 1),
        "transcripts": {"files": len(paths), "first": read, "again": reread},
        "held": whole, "checks": [each.plain() for each in checks],
    }  # fmt: skip
    return findings, [*_lines(findings), "", *verdicts(checks)]


def _killed(home: Path, folder: Path, at: int) -> int:
    """Begin to import, and kill it when about so many commits are kept; return how many."""
    process = subprocess.Popen(
        helix("import", "git", "--json"), env=environment(home), cwd=folder,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while process.poll() is None and (kept := _records(home)) < at:
        progress(f"{kept:,} of {at:,} before it is killed")
        time.sleep(LOOKED_EVERY)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return _held_count(home, folder)


def _imported(home: Path, folder: Path, *what: str) -> Told:
    progress(f"importing {what[0][-40:]}")
    before, started = _records(home), time.perf_counter()
    done = subprocess.run(
        helix("import", *what, "--json"), env=environment(home), cwd=folder,
        capture_output=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(done.stderr.decode())
    took = time.perf_counter() - started
    told = json.loads(done.stdout)
    return {
        "seconds": round(took, 1), "added": _records(home) - before,
        **{key: told[key] for key in ("kept", "known", "refused") if key in told},
    }  # fmt: skip


def _records(home: Path) -> int:
    from helix import Helix

    if not (home / "memory.db").exists():
        return 0
    with Helix.open(home / "memory.db", scope="global", background=False) as memory:
        return memory.upkeep.status().records


def _held_count(home: Path, folder: Path) -> int:
    from helix import Helix

    with Helix.open(home / "memory.db", folder=folder, background=False) as memory:
        counts = memory.upkeep.status().counts
    return sum(number for _, kind, _, number in counts if kind == "episode")


def _held(home: Path, folder: Path, ids: list[str]) -> Told:
    from helix import Helix
    from helix.connect.importing.knowing import event_id
    from helix.ledger.verifying import Sound

    with Helix.open(home / "memory.db", folder=folder, background=False) as memory:
        events = [event_id(f"git:{each}", memory.context.realm) for each in ids]
        there = sum(memory.by_event(each) is not None for each in events)
        sound = isinstance(memory.upkeep.verify(), Sound)
    return {"there": there, "episodes": _held_count(home, folder), "sound": sound}


def _lines(findings: dict[str, Any]) -> list[str]:
    told = findings["transcripts"]
    return [
        f"{findings['history']}: {findings['commits']:,} commits, {findings['read']:,} to read",
        f"at once: {findings['at_once']['seconds']:,} s,"
        f" {findings['commits_per_second']:,} commits a second, while"
        f" {os.getloadavg()[0]:.1f} processes waited for {os.cpu_count()} cores",
        f"killed at {findings['killed_at']:,}; resumed: {findings['resumed']}",
        f"again: {findings['again']}",
        f"{told['files']} transcripts: {told['first']}",
        f"again: {told['again']}",
    ]
