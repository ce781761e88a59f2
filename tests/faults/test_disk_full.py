"""A full disk is said so, costs nothing that was kept, and is over once there is space."""

from __future__ import annotations

import threading
from pathlib import Path

import apsw
import pytest
from tests.faults.looking import SCOPE, assert_whole, begin, end, hear, told

from helix import Helix
from helix.adapters.sqlite import checkpointing
from helix.adapters.sqlite.store import SqliteStore
from helix.model.errors import StoreUnavailable
from helix.model.recollection import Recollected

LONG = "a long episode about a disk that is running out of space, " * 20


def connection_of(memory: Helix) -> apsw.Connection:
    store = memory.context.store
    assert isinstance(store, SqliteStore)
    with store.reading() as unit:
        return unit.connection


def capture_until_refused(memory: Helix) -> tuple[list[str], StoreUnavailable]:
    kept = []
    for number in range(10_000):
        try:
            memory.capture(f"{number}: {LONG}", event_id=f"ev{number}")
        except StoreUnavailable as error:
            return kept, error
        kept.append(f"ev{number}")
    raise AssertionError("the store was never full")


def test_a_store_that_cannot_grow_refuses_whole_and_keeps_what_it_has(path: Path) -> None:
    """When SQLite finds no page left, the write is refused by name and nothing of it remains."""
    with Helix.open(path, scope=SCOPE) as memory:
        memory.capture("the first episode", event_id="first")
        connection = connection_of(memory)
        connection.pragma("max_page_count", int(connection.pragma("page_count")) + 12)
        kept, refusal = capture_until_refused(memory)
        assert refusal.code == "disk_full"
        assert refusal.remedy
        assert kept
        assert told(memory) == ["first", *kept]
        assert isinstance(memory.recall("which disk is running out of space?"), Recollected)
        assert_whole(memory)


def test_writing_works_again_once_there_is_space(path: Path) -> None:
    """The same open memory takes the refused event when the disk has space again."""
    with Helix.open(path, scope=SCOPE) as memory:
        connection = connection_of(memory)
        connection.pragma("max_page_count", int(connection.pragma("page_count")) + 40)
        kept, _ = capture_until_refused(memory)
        connection.pragma("max_page_count", 1_000_000)
        memory.capture(f"{len(kept)}: {LONG}", event_id=f"ev{len(kept)}")
        assert told(memory) == [*kept, f"ev{len(kept)}"]
        assert_whole(memory)


@pytest.mark.parametrize("room", [0, 3_000, 20_000, 400_000])
def test_a_file_that_may_not_grow_is_reported_and_loses_nothing(path: Path, room: int) -> None:
    """An error of the operating system while writing leaves exactly what was acknowledged."""
    process = begin("tests.faults.small_disk", path, room)
    acknowledged = []
    while (line := hear(process)) not in ("disk_full", "store_io_error"):
        acknowledged.append(line)
    assert [hear(process), hear(process)] == ["again", "after"]
    end(process)
    with Helix.open(path, scope=SCOPE) as memory:
        assert told(memory) == [*acknowledged, "after"]
        assert_whole(memory)


def test_the_log_is_still_moved_after_the_disk_was_full_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkpoint that finds no space gives up for now, not for ever."""
    monkeypatch.setattr(checkpointing, "PAGES_BEFORE", 1)
    moved = threading.Event()
    tries: list[str] = []
    real = checkpointing.Checkpointer._checkpoint

    def full_at_first(self: checkpointing.Checkpointer, connection: apsw.Connection) -> None:
        tries.append("try")
        if len(tries) == 1:
            raise apsw.FullError("no space")
        real(self, connection)
        moved.set()

    monkeypatch.setattr(checkpointing.Checkpointer, "_checkpoint", full_at_first)
    with Helix.open(path, scope=SCOPE) as memory:
        for number in range(200):
            memory.capture(f"episode {number}")
            if moved.wait(timeout=0.02):
                break
        assert moved.is_set()
