"""Processes that come to the same new store at once share one store."""

from __future__ import annotations

from pathlib import Path

from tests.faults.looking import SCOPE, assert_whole, begin, end, hear, say, told

from helix import Helix

ROUNDS = 20


def test_two_processes_creating_a_store_at_once_get_the_same_one(tmp_path: Path) -> None:
    """Both succeed, neither's first write is lost, and nothing is left beside the store."""
    names = ("first", "second")
    processes = [begin("tests.faults.creating", name) for name in names]
    for process in processes:
        assert hear(process) == "ready"
    for number in range(ROUNDS):
        path = tmp_path / str(number) / "deeper" / "memory.db"
        for process in processes:
            say(process, str(path))
        assert [hear(process) for process in processes] == ["done", "done"]
        with Helix.open(path, scope=SCOPE) as memory:
            assert sorted(told(memory)) == sorted(names)
            assert_whole(memory)
        # Two that close in the same moment may leave the log to the next one, as here.
        assert [each.name for each in path.parent.iterdir()] == [path.name]
    for process in processes:
        end(process)
