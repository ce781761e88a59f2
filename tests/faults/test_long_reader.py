"""Someone who reads for long holds up nobody who writes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.faults.looking import SCOPE

from helix import Helix
from helix.adapters.sqlite import checkpointing
from helix.adapters.sqlite.store import SqliteStore

WORST_SECONDS = 1.0


def test_writers_do_not_wait_for_a_long_reader_when_the_log_is_long(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the log has become, restarting it never makes writers wait for a reader."""
    monkeypatch.setattr(checkpointing, "PAGES_BEFORE", 50)
    monkeypatch.setattr(checkpointing, "PAGES_TOO_MANY", 100)
    with Helix.open(path, scope=SCOPE) as memory:
        memory.capture("the reader sees this one")
        reader = SqliteStore(path)
        worst = 0.0
        with reader.reading() as unit:
            tenant = memory.context.realm.tenant
            assert unit.ledger.head(tenant).position == 1
            for number in range(300):
                started = time.monotonic()
                memory.capture(f"episode {number} while somebody reads")
                worst = max(worst, time.monotonic() - started)
            assert unit.ledger.head(tenant).position == 1
        reader.close()
        assert worst < WORST_SECONDS
