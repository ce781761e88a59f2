"""Notes on their way into the ledger, and the process that carries them is killed."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.faults.looking import SCOPE, assert_whole, begin, hear

from helix import Helix
from helix.model.note import Note
from helix.model.provenance import Origin, Source

NOTES = 400
AGENT = Source("some-agent", Origin.AGENT_INGESTED)


def test_a_killed_settler_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """After every SIGKILL each note is on the scratchpad or in the ledger, and once at the end."""
    path = tmp_path / "memory.db"
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    with Helix.open(path, scope=SCOPE, background=False) as memory:
        realm = memory.context.realm
        with memory.context.store.writing() as unit:
            for number in range(NOTES):
                name = f"note_{number}"
                unit.scratchpad.put(Note(realm, name, f"e{number}", name, AGENT, long_ago))
    chance, kills, between = random.Random(4), 0, 0
    while kills < 200:
        settler = begin("tests.faults.settling", path)
        assert hear(settler) == "ready"
        time.sleep(chance.uniform(0, 0.02))
        settler.kill()
        output, _ = settler.communicate()
        kills += 1
        with Helix.open(path, scope=SCOPE, background=False) as memory:
            with memory.context.store.reading() as unit:
                left = [each.content for each in unit.scratchpad.every(realm.tenant)]
            copied = [each.content for each in memory.list(limit=10_000)]
            assert sorted(left + copied) == sorted(f"note_{number}" for number in range(NOTES))
            between += 0 < len(left) < NOTES
            if not left:
                break
        assert "done" not in output
    assert between >= 3, "the kills must hit in the middle"
    with Helix.open(path, scope=SCOPE, background=False) as memory:
        memory.scratch.settle()
        assert len(memory.list(limit=10_000)) == NOTES
        assert_whole(memory)
