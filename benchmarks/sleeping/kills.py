"""`python -m benchmarks sleep-kills`: SIGKILL during sleep, at every boundary and at random.

    python -m benchmarks.sleeping.kills sleep STORE [PASS]

sleeps over a store in a process of its own; with PASS it kills itself when that pass is
through, with a signal nobody can catch.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from benchmarks.figures import Check
from benchmarks.showing import progress, verdicts
from benchmarks.sleeping.lives import episodes

SCOPE = "project:kills"
LEASE = timedelta(milliseconds=200)
"""Short, so that the next process need not wait long for the dead one's lease."""

MOST_ROUNDS = 200


def run(kills: int, size: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings and the lines that tell them."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        filled = fill(home / "filled.db", size, seed)
        whole, seconds = _uninterrupted(filled, home / "whole.db")
        boundaries = [
            name for name in _passes() if at_boundary(filled, home / f"{name}.db", name) != whole
        ]
        differing, done = 0, 0
        while done < kills:
            progress(f"{done} of {kills} processes killed")
            path = home / f"random-{done}.db"
            found, killed = at_random(filled, path, seconds, chance, kills - done)
            differing += found != whole
            done += killed
            for each in home.glob(f"{path.name}*"):
                each.unlink()
    checks = [
        Check("killed at every pass boundary: the same result", len(boundaries), not boundaries),
        Check(f"{done} kills at random moments: the same result", differing, not differing),
        Check("the uninterrupted run concluded something", len(whole), len(whole) > size / 100),
    ]
    findings: dict[str, object] = {
        "kills": done, "boundaries": list(_passes()), "differing": differing,
        "checks": [check.plain() for check in checks],
    }  # fmt: skip
    return findings, [f"{size:,} episodes, {len(whole)} rows concluded", *verdicts(checks)]


def fill(path: Path, size: int, seed: int) -> Path:
    """Return a store with episodes that nobody has slept over."""
    from helix import Helix

    with Helix.open(path, scope=SCOPE) as memory:
        for text, circumstances in episodes(size, seed):
            memory.capture(text, **circumstances)  # type: ignore[arg-type]
        memory.remember("we use postgres 14")
        memory.remember("we use postgres 15")
    return path


def at_boundary(filled: Path, path: Path, name: str) -> list[str]:
    """Return what is concluded when the sleeper dies after one pass and another goes on."""
    _copy(filled, path)
    killed = _start(path, name)
    assert killed.wait() == -signal.SIGKILL, (name, killed.returncode)
    assert _slept(path)
    return concluded(path)


def at_random(
    filled: Path, path: Path, seconds: float, chance: random.Random, most: int
) -> tuple[list[str], int]:
    """Return what is concluded by sleepers that die at random moments, and how many died."""
    _copy(filled, path)
    killed = 0
    for _ in range(MOST_ROUNDS):
        sleeper = _start(path)
        if killed < most:
            try:
                sleeper.wait(chance.uniform(0.2, seconds))
            except subprocess.TimeoutExpired:
                sleeper.kill()
                killed += 1
        if sleeper.wait() == 0:
            return concluded(path), killed
        # Later deaths come later, so that every pass is hit.
    raise AssertionError("it never came to its end")


def concluded(path: Path) -> list[str]:
    """Return everything that was concluded, without the moments at which it was."""
    from helix.adapters.sqlite.store import SqliteStore
    from helix.model.memory import Status
    from helix.model.question import Standpoint, View
    from helix.model.scope import local_realm

    realm = local_realm(SCOPE)
    with closing(SqliteStore(path)) as store, store.reading() as unit:
        head = unit.ledger.head(realm.tenant)
        held = unit.projection.listing(
            realm, Standpoint(View.HISTORY, head.recorded_at), limit=1_000_000,
            statuses=list(Status),
        )  # fmt: skip
        lines = [
            f"{m.id} {m.content} {m.status} {m.belief.confidence} {m.belief.doubts}"
            f" {[p.position for p in m.belief.provenance]}"
            for m in held
            if m.type != "episode"
        ]
        lines += [
            f"{e.id} {e.from_id} {e.relation} {e.to_id}"
            for m in held
            if m.type != "episode"
            for e in unit.projection.neighbours(realm, m.id)
        ]
    return sorted(set(lines))


def _uninterrupted(filled: Path, path: Path) -> tuple[list[str], float]:
    _copy(filled, path)
    began = time.perf_counter()
    assert _slept(path)
    return concluded(path), time.perf_counter() - began


def _slept(path: Path) -> bool:
    """Sleep until it is done; the lease of a dead one has to run out first."""
    return any(_start(path).wait() == 0 for _ in range(20))


def _start(path: Path, name: str = "") -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "benchmarks.sleeping.kills", "sleep", str(path), name]
    return subprocess.Popen(command)


def _copy(filled: Path, path: Path) -> None:
    for each in filled.parent.glob(f"{filled.name}*"):
        shutil.copy(each, path.with_name(each.name.replace(filled.name, path.name)))


def _passes() -> Iterator[str]:
    from helix.sleep.passes import DREAM_CYCLE

    return iter([each.name for each in DREAM_CYCLE])


def main() -> int:
    """Sleep; 0 if the run came to its end, 1 if somebody else holds the lease."""
    from helix.adapters.sqlite.store import SqliteStore
    from helix.app.chance import SystemClock
    from helix.model.scope import local_realm
    from helix.sleep.queue import Slept, sleep_now
    from helix.sleep.workflow import Sleeper

    _, _, path, fatal = sys.argv

    def watch(name: str) -> None:
        if name == fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    with closing(SqliteStore(Path(path))) as store:
        sleeper = Sleeper(store, SystemClock(), watch=watch)
        done = sleep_now(sleeper, local_realm(SCOPE), "manual", f"pid:{os.getpid()}", LEASE)
    return 0 if isinstance(done, Slept) else 1


if __name__ == "__main__":
    raise SystemExit(main())
