"""A process that ends, or may have no more threads, can still write down and ask."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from helix import Helix
from helix.adapters.sqlite import checkpointing
from helix.model.recollection import Recollected
from helix.recall import meanwhile


@pytest.fixture
def no_more_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python since 3.12 refuses them while a process ends, as in what `atexit` calls."""

    def refuse(*_: object) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(meanwhile, "start_new_thread", refuse)


@pytest.mark.usefixtures("no_more_threads")
def test_memory_works_without_threads_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is done beside it waits for another process; what was asked for is done."""
    monkeypatch.setattr(checkpointing, "PAGES_BEFORE", 1)
    with Helix.open(tmp_path / "memory.db", scope="project:p") as memory:
        for number in range(20):
            memory.capture(f"the build broke for reason {number}")
        assert isinstance(memory.recall("why did the build break"), Recollected)
    with Helix.open(tmp_path / "memory.db", scope="project:p") as memory:
        assert memory.upkeep.status().records == 20


def test_what_is_worked_out_without_a_thread_is_the_same(no_more_threads: None) -> None:
    """Also what goes wrong is raised where it is waited for."""
    assert meanwhile.Meanwhile(lambda: 7).result() == 7

    def fail() -> int:
        raise ValueError("no")

    failing = meanwhile.Meanwhile(fail)
    with pytest.raises(ValueError, match="no"):
        failing.result()
