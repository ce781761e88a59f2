"""Changing the embedder of a store under load: killed half-way, resumed, questions all the while.

What is killed is `helix models use`, the command people run. Meanwhile one process asks
without a break and this one captures now and then.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.figures import Check, spread
from benchmarks.served_vectors import served
from benchmarks.showing import progress, verdicts
from benchmarks.texts import Author
from helix import Helix
from helix.app import switching
from helix.ports.jobs import SLEEP

SCOPE = "project:switch"
LOOK_EVERY = 0.1
CAPTURE_EVERY = 5
"""Looks between two captures."""


@dataclass
class Run:
    """A store, what was done to it and what was seen."""

    path: Path
    first: str
    second: str
    captures: list[float] = field(default_factory=list)

    def helix(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a command on the store."""
        return subprocess.Popen(
            [sys.executable, "-m", "helix", *arguments, "--store", str(self.path),
             "--scope", SCOPE, "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment(),
        )  # fmt: skip

    def environment(self) -> dict[str, str]:
        """Return an environment with a home of its own: nobody's settings are read."""
        return {**os.environ, "HELIX_HOME": str(self.path.parent / "home")}

    def watched(
        self, memory: Helix, process: subprocess.Popen[str], kill_at: int | None = None
    ) -> switching.Standing:
        """Capture now and then until the process has ended; kill it once so many are known."""
        looks = 0
        while process.poll() is None:
            found = switching.standing(memory.context)
            if kill_at is not None and found.coming and found.come_so_far >= kill_at:
                process.kill()
                process.communicate()
                break
            looks += 1
            if looks % CAPTURE_EVERY == 0:
                started = time.perf_counter()
                memory.capture(f"switching: look number {looks} saw {found.come_so_far} memories")
                self.captures.append(time.perf_counter() - started)
            if found.coming:
                progress(f"{found.come_so_far:,} of {found.memories:,} memories switched")
            time.sleep(LOOK_EVERY)
        return switching.standing(memory.context)


def run(memories: int, first: str, second: str, seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings as JSON knows them, and as lines."""
    with TemporaryDirectory(prefix="helix-switch-") as folder, served() as settings:
        path = Path(folder) / "memory.db"
        (Path(folder) / "home").mkdir()
        (Path(folder) / "home" / "settings.toml").write_text(settings)
        return _findings(Run(path, first, second), memories, seed)


def _findings(run: Run, memories: int, seed: int) -> tuple[dict[str, object], list[str]]:
    os.environ.update(run.environment())
    with closing(Helix.open(run.path, scope=SCOPE, background=False)) as memory:
        filled = _filled(run, memory, memories, seed)
        asker = _asker(run, seed)
        started = time.monotonic()
        killed = run.helix("models", "use", run.second)
        at_kill = run.watched(memory, killed, kill_at=memories // 2)
        first_seconds = time.monotonic() - started
        resumed = run.helix("models", "use", run.second)
        after = run.watched(memory, resumed)
        second_seconds = time.monotonic() - started - first_seconds
        complaint = resumed.communicate()[1]
        memory.upkeep.enrich()
        asked = json.loads(asker.communicate(input="")[0])
        with memory.context.store.reading() as unit:
            kept, left = dict(unit.enrichment.models()), unit.serving.left_over()
            total = unit.enrichment.lag("").memories
            # A thousand captures make sleep due as well; that is owed, and no part of this.
            waiting = unit.jobs.waiting(memory.context.realm.tenant)
            owed = sum(job.kind != SLEEP for job in waiting)
    checks = [
        Check("killed half-way", killed.returncode, killed.returncode == -signal.SIGKILL),
        Check(
            "the old model served when it was killed",
            at_kill.come_so_far,
            at_kill.serving.startswith(run.first) and at_kill.coming.startswith(run.second),
        ),
        Check("the resumed command ended well", resumed.returncode, resumed.returncode == 0),
        Check(
            "the new model serves", 1, after.serving.startswith(run.second) and not after.coming
        ),
        Check("every memory has its vector", kept.get(after.serving, 0),
              kept == {after.serving: total}),
        Check("nothing of the old model is left", len(left), not left),
        Check("no work on models is owed any more", owed, not owed),
        Check("questions that failed", asked["errors"], not asked["errors"]),
        Check("questions without an answer", asked["asked"] - asked["answered"],
              asked["asked"] == asked["answered"]),
        Check("answers without meaning", asked["answered"] - asked["by_meaning"],
              asked["answered"] == asked["by_meaning"]),
    ]  # fmt: skip
    findings: dict[str, object] = {
        "memories": total, "from": run.first, "to": run.second, **filled,
        "known_when_killed": at_kill.come_so_far,
        "seconds_until_killed": round(first_seconds, 1),
        "seconds_resumed": round(second_seconds, 1),
        "asked_meanwhile": asked, "captures_meanwhile": asdict(spread(run.captures)),
        "complaint": complaint, "checks": [check.plain() for check in checks],
    }  # fmt: skip
    lines = [f"{name:>22}  {value}" for name, value in findings.items() if name != "checks"]
    return findings, [*lines, "", *verdicts(checks)]


def _filled(run: Run, memory: Helix, memories: int, seed: int) -> dict[str, object]:
    author = Author(seed)
    started = time.monotonic()
    for number in range(memories):
        memory.capture(author.episode())
        if number % 1000 == 0:
            progress(f"{number:,} of {memories:,} captured")
    captured = time.monotonic()
    used = run.helix("models", "use", run.first)
    _, complaint = used.communicate()
    if used.returncode:
        raise SystemExit(complaint)
    done = 0

    def note(number: int) -> None:
        nonlocal done
        done += number
        progress(f"{done:,} of {memories:,} embedded with {run.first}")

    memory.upkeep.enrich(note)
    embedded = time.monotonic()
    return {
        "capture_seconds": round(captured - started, 1),
        "first_embedding_seconds": round(embedded - captured, 1),
    }


def _asker(run: Run, seed: int) -> subprocess.Popen[str]:
    process: subprocess.Popen[Any] = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.asker", str(run.path), SCOPE, str(seed)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=run.environment(),
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    return process
