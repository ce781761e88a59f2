"""Killing sweeps: whatever the moment, each conclusion is there whole, or not at all.

A sweep that was killed is also carried on, and must end as an undisturbed one does; and it is
taken back, and everything must stand as it did before.
"""

from __future__ import annotations

import hashlib
import random
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import Check
from benchmarks.living.filling import REALM, fill_for_kills, opened
from benchmarks.living.killed_sweep import DONE, started
from benchmarks.showing import progress, table, verdicts
from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.app.sweeping import KINDS
from helix.model.changes import PutEdge, PutMemory, Step
from helix.model.memory import Status
from helix.ports.projection import Stamp
from helix.ports.store import Unit
from helix.projection.workflow import compared
from helix.testing.clock import SettableClock

EACH = 100
CAP = 20
TENANT = REALM.tenant
STATES = ("before", "partly", "all")


@dataclass(frozen=True)
class Setting:
    """What every kill of one sweep shares."""

    folder: Path
    original: Path
    kind: str
    moment: float

    @property
    def store(self) -> Path:
        """The store that is swept and killed."""
        return self.folder / "killed.db"


@dataclass
class Tally:
    """Where the kills of one sweep hit, and what was wrong afterwards."""

    kills: int = 0
    states: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STATES, 0))
    between: int = 0
    unequal: int = 0
    astray: int = 0


def run(kills: int, seed: int) -> tuple[dict[str, object], list[str]]:
    """Return the findings: per sweep, where the kills hit and whether any was in between."""
    tallies: dict[str, Tally] = {}
    with TemporaryDirectory(prefix="helix-sweeps-") as folder:
        original = Path(folder) / "original.db"
        moment = fill_for_kills(original, EACH, seed).now().timestamp()
        for kind in KINDS:
            tallies[kind] = _killed(Setting(Path(folder), original, kind, moment), kills)
        noticed = _control(Setting(Path(folder), original, "archive", moment))
    between, unequal, astray = (
        sum(getattr(each, what) for each in tallies.values())
        for what in ("between", "unequal", "astray")
    )
    checks = [
        Check("a store broken on purpose is noticed", float(noticed), noticed),
        Check("stores found between two states", between, between == 0),
        Check("stores whose rebuild differs", unequal, unequal == 0),
        Check("sweeps that ended or were taken back otherwise", astray, astray == 0),
    ]
    head = [
        "sweep", "kills", "before", "partly swept", "all swept", "between", "unequal", "astray",
    ]  # fmt: skip
    rows = [
        [kind, each.kills, *each.states.values(), each.between, each.unequal, each.astray]
        for kind, each in tallies.items()
    ]
    findings: dict[str, object] = {
        "rows": [dict(zip(head, row, strict=True)) for row in rows],
        "checks": [each.plain() for each in checks],
    }
    return findings, [*table(head, rows), "", *verdicts(checks)]


def _killed(setting: Setting, kills: int) -> Tally:
    chance = random.Random(setting.kind)
    found = Tally()
    seconds = _whole(setting)
    after, before = _standing(setting), _standing(setting, setting.original)
    while found.kills < kills:
        _copy(setting)
        sweeping = started(setting.store, setting.kind, setting.moment, CAP)
        sweeping.said()
        time.sleep(chance.uniform(0, seconds))
        sweeping.kill()
        found.kills += 1
        done, whole, equal = _examined(setting.store)
        found.states["all" if done >= EACH else "partly" if done else "before"] += 1
        found.between += not whole or done % CAP != 0
        found.unequal += not equal
        found.astray += not _leads_on(setting, before, after)
        progress(f"{setting.kind}: {found.kills} of {kills} kills")
    return found


def _leads_on(setting: Setting, before: str, after: str) -> bool:
    """Return whether a killed sweep can be carried on to its end, and taken back altogether."""

    def carry_on(memory: Helix) -> None:
        memory.life.sweep([setting.kind], everything=True)

    _opened(setting, carry_on)
    ended = _standing(setting) == after

    def take_back(memory: Helix) -> None:
        for each in memory.life.conclusions():
            if each.reason.startswith("sweep"):
                memory.life.revert(each.number)

    _opened(setting, take_back)
    return ended and _standing(setting) == before


def _whole(setting: Setting) -> float:
    _copy(setting)
    sweeping = started(setting.store, setting.kind, setting.moment, CAP)
    sweeping.said()
    began = time.monotonic()
    said = sweeping.said()
    seconds = time.monotonic() - began
    sweeping.wait()
    done, whole, equal = _examined(setting.store)
    if said != DONE or done != EACH or not (whole and equal):
        raise RuntimeError(
            f"an undisturbed {setting.kind} sweep changed {done} of {EACH}: {whole} {equal}"
        )
    return seconds


def _control(setting: Setting) -> bool:
    """Return whether a sweep of which one step is missing would be noticed."""
    _whole(setting)
    after = _standing(setting)
    with closing(SqliteStore(setting.store)) as store, store.writing() as unit:
        entry = list(unit.journal.entries(TENANT))[-1]
        unit.projection.apply(TENANT, entry.change_set.undo[:1], Stamp(entry.recorded_at, None))
    _, whole, equal = _examined(setting.store)
    return not whole and not equal and _standing(setting) != after


def _opened(setting: Setting, work: Callable[[Helix], None]) -> None:
    with closing(SqliteStore(setting.store)) as store:
        work(opened(store, SettableClock(datetime.fromtimestamp(setting.moment, UTC))))


def _standing(setting: Setting, path: Path | None = None) -> str:
    """Return a digest of what is held and linked: ids, statuses and ends, without moments."""
    digest = hashlib.sha256()
    with closing(SqliteStore(path or setting.store)) as store, store.reading() as unit:
        rows = unit.connection.execute(
            "SELECT id, status FROM memories UNION ALL"
            " SELECT id, ended_at IS NULL FROM edges ORDER BY 1"
        )
        for row in rows:
            digest.update(f"{row}\n".encode())
    return digest.hexdigest()


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


def _copy(setting: Setting) -> None:
    for leftover in setting.folder.glob("killed.db*"):
        leftover.unlink()
    shutil.copyfile(setting.original, setting.store)
