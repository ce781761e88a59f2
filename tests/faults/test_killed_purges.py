"""A process that purges the ledger by age is killed at random moments."""

from __future__ import annotations

import random
import shutil
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.faults.looking import SCOPE, assert_whole, begin, hear

from helix import Helix
from helix.adapters.sqlite.store import SqliteStore
from helix.model.outcome import Kept
from helix.model.scope import local_realm
from helix.testing.builders import open_memory
from helix.testing.clock import SettableClock

EPISODES = 150
KILLS, MOST_KILLS = 25, 80


def test_a_killed_purge_loses_nothing(tmp_path: Path) -> None:
    """All of it is in the ledger, or all that left it is in an export that matches its seals."""
    base = tmp_path / "base.db"
    clock = SettableClock(datetime.now(UTC) - timedelta(days=400))
    with closing(SqliteStore(base)) as store:
        memory = open_memory(store, local_realm(SCOPE), clock=clock)
        for number in range(EPISODES):
            kept = memory.capture(f"the deploy number {number} went well")
            assert isinstance(kept, Kept)
            memory.life.demote(kept.memory.id)
        memory.remember("we deploy to Hetzner")
    chance = random.Random(8)
    outcomes = {"before": 0, "after": 0}
    # The commit comes late and nobody knows when: each kill is aimed by how the last one came.
    aim = 0.1
    for number in range(MOST_KILLS):
        folder = tmp_path / str(number)
        folder.mkdir()
        path, file = folder / "memory.db", folder / "old.jsonl"
        shutil.copyfile(base, path)
        purger = begin("tests.faults.purging", path, file)
        assert hear(purger) == "ready"
        time.sleep(aim * chance.uniform(0.5, 1.5))
        purger.kill()
        purger.communicate()
        found = _examined(path, file)
        outcomes[found] += 1
        aim *= 1.2 if found == "before" else 0.8
        if sum(outcomes.values()) >= KILLS and min(outcomes.values()) >= 3:
            break
    assert min(outcomes.values()) >= 3, outcomes


def _examined(path: Path, file: Path) -> str:
    with Helix.open(path, scope=SCOPE, background=False) as memory:
        assert_whole(memory)
        held = len(memory.list(statuses=["archived"], limit=10_000))
        if held == EPISODES:
            if file.exists():
                # Written, and killed before the purge: it is whole, and another name goes on.
                assert memory.retaining.check(file).present == 2 * EPISODES
            done = memory.retaining.purge(file.with_name("again.jsonl"), 60)
            assert done is not None
            assert done.memories == EPISODES
            return "before"
        assert held == 0
        assert memory.retaining.check(file).purged == 2 * EPISODES
        assert memory.retaining.restore(file).restored == EPISODES
        assert len(memory.list(statuses=["archived"], limit=10_000)) == EPISODES
        return "after"
