"""Killing sweeps: whatever the moment, each conclusion is there whole, or not at all."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Check
from benchmarks.living.filling import REALM, fill_for_kills
from benchmarks.showing import progress, table, verdicts
from helix.adapters.sqlite.store import SqliteStore
from helix.app.sweeping import KINDS
from helix.model.changes import PutEdge, PutMemory, Step
from helix.model.memory import Status
from helix.ports.projection import Stamp
from helix.ports.store import Unit
from helix.projection.workflow import compared

EACH = 300
CAP = 60
TENANT = REALM.tenant


def run(kills: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings: per sweep, where the kills hit and whether any was in between."""
    rows, between, unequal = [], 0, 0
    with TemporaryDirectory(prefix="helix-sweeps-") as folder:
        original = Path(folder) / "original.db"
        clock = fill_for_kills(original, EACH, seed)
        for kind in KINDS:
            found = _killed(Path(folder), original, kind, kills, clock.now().timestamp())
            between += found["between"]
            unequal += found["unequal"]
            rows.append([kind, *found.values()])
        noticed = _control(Path(folder), original, clock.now().timestamp())
    checks = [
        Check("a store broken on purpose is noticed", float(noticed), noticed),
        Check("stores found between two states", between, between == 0),
        Check("stores whose rebuild differs", unequal, unequal == 0),
    ]
    head = ["sweep", "kills", "before", "partly swept", "all swept", "between", "unequal"]
    findings: dict[str, object] = {
        "rows": [dict(zip(head, row, strict=True)) for row in rows],
        "checks": [each.plain() for each in checks],
    }
    return findings, [*table(head, rows), "", *verdicts(checks)]


def _killed(
    folder: Path, original: Path, kind: str, kills: int, moment: float
) -> dict[str, int]:  # fmt: skip
    chance = random.Random(kind)
    found = dict.fromkeys(("kills", "before", "partly", "all", "between", "unequal"), 0)
    seconds = _whole(folder, original, kind, moment)
    while found["kills"] < kills:
        store = _copied(folder, original)
        process = _started(store, kind, moment)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.uniform(0, seconds))
        process.kill()
        process.communicate()
        found["kills"] += 1
        done, whole, equal = _examined(store)
        state = "all" if done >= EACH else "partly" if done else "before"
        found[state] += 1
        found["between"] += not whole
        found["unequal"] += not equal
        progress(f"{kind}: {found['kills']} of {kills} kills")
    return found


def _whole(folder: Path, original: Path, kind: str, moment: float) -> float:
    store = _copied(folder, original)
    process = _started(store, kind, moment)
    assert process.stdout is not None
    process.stdout.readline()
    started = time.monotonic()
    said = process.stdout.readline()
    seconds = time.monotonic() - started
    process.communicate()
    done, whole, equal = _examined(store)
    if said != "done\n" or done != EACH or not (whole and equal):
        raise RuntimeError(f"an undisturbed {kind} sweep changed {done} of {EACH}: {whole} {equal}")
    return seconds


def _control(folder: Path, original: Path, moment: float) -> bool:
    """Return whether a sweep of which one step is missing would be noticed."""
    _whole(folder, original, "archive", moment)
    with closing(SqliteStore(folder / "killed.db")) as store, store.writing() as unit:
        entry = list(unit.journal.entries(TENANT))[-1]
        unit.projection.apply(TENANT, entry.change_set.undo[:1], Stamp(entry.recorded_at, None))
    _, whole, equal = _examined(folder / "killed.db")
    return not whole and not equal


def _examined(path: Path) -> tuple[int, bool, bool]:
    """Return how much was swept, whether every conclusion is there whole, and a rebuild equal."""
    with closing(SqliteStore(path)) as store:
        with store.reading() as unit:
            entries = list(unit.journal.entries(TENANT))[1:]
            done = sum(len(each.change_set.undo) for each in entries)
            promoted = any(isinstance(c, PutMemory) for e in entries for c in e.change_set.changes)
            holds = all(_stands(unit, c) for e in entries for c in e.change_set.changes)
            swept = {
                getattr(c, "memory_id", "")
                for e in entries
                for c in e.change_set.changes
                if isinstance(c, Step)
            }
            archived = {
                life.memory_id
                for _, life in unit.lives.page(REALM, (-1, -1), 1_000_000, Status.ARCHIVED)
            }
        equal = tuple(compared(store, TENANT)) == ()
    return (done // 2 if promoted else done), holds and swept == archived, equal


def _stands(unit: Unit, change: object) -> bool:
    if isinstance(change, PutEdge):
        edge = unit.projection.edge(TENANT, change.edge.id)
        return edge is not None and edge.ended_at == change.edge.ended_at
    if isinstance(change, PutMemory):
        return unit.projection.held(TENANT, change.memory.id) is not None
    return True


def _copied(folder: Path, original: Path) -> Path:
    store = folder / "killed.db"
    for leftover in folder.glob("killed.db*"):
        leftover.unlink()
    shutil.copyfile(original, store)
    return store


def _started(store: Path, kind: str, moment: float) -> subprocess.Popen[str]:
    arguments = [str(store), kind, str(moment), str(CAP)]
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.living.killed_sweep", *arguments],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
