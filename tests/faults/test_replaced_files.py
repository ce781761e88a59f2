"""A store that is deleted, replaced or lifted below whoever has it open."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import apsw
import pytest

from helix import Helix
from helix.adapters.sqlite.schema import VERSION
from helix.model.errors import StoreUnavailable
from helix.model.recollection import Recollected

SCOPE = "project:shop"


def opened(path: Path) -> Helix:
    return Helix.open(path, scope=SCOPE, background=False)


def delete(path: Path) -> None:
    for each in path.parent.glob(path.name + "*"):
        each.unlink()


def said(path: Path) -> set[str]:
    with opened(path) as memory:
        return {each.content for each in memory.list()}


def knows(memory: Helix, word: str) -> bool:
    return isinstance(memory.recall(word), Recollected)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A store that somebody puts in the place of another."""
    other = tmp_path / "other" / "memory.db"
    with opened(other) as memory:
        memory.remember("The heron came from the backup")
    return other


def test_what_is_said_after_a_store_was_replaced_stands_in_the_one_that_is_there(
    path: Path, other: Path
) -> None:
    """And questions are answered from there."""
    with opened(path) as memory:
        memory.remember("The bittern was here before")
        delete(path)
        shutil.copy(other, path)
        assert not knows(memory, "bittern")
        assert knows(memory, "heron")
        memory.remember("The egret came afterwards")
        assert "The egret came afterwards" in said(path)
    assert said(path) == {"The heron came from the backup", "The egret came afterwards"}


def test_whoever_keeps_a_replaced_store_open_takes_nothing_from_the_new_one(
    path: Path, other: Path
) -> None:
    """Letting go of the old one tidies up by name, and the names are those of the new one."""
    with opened(path) as old:
        old.remember("The bittern was here before")
        delete(path)
        shutil.copy(other, path)
        with opened(path) as new:
            new.remember("The crane stands in the log alone")
            assert path.with_name("memory.db-wal").stat().st_size
            old.remember("The egret came afterwards")
    assert len(said(path)) == 3


def test_a_store_that_was_deleted_acknowledges_nothing(path: Path, other: Path) -> None:
    """Neither is one made anew behind the user's back; one that appears is used."""
    with opened(path) as memory:
        memory.remember("The bittern was here before")
        delete(path)
        for ask in (lambda: memory.remember("lost"), lambda: memory.recall("bittern")):
            for _ in range(2):
                with pytest.raises(StoreUnavailable) as refused:
                    ask()
                assert refused.value.code == "store_gone"
        assert not path.exists()
        shutil.copy(other, path)
        memory.remember("The egret came afterwards")
    assert said(path) == {"The heron came from the backup", "The egret came afterwards"}


def test_what_is_deleted_below_a_write_is_not_acknowledged(path: Path) -> None:
    """It went into a file that nobody can reach."""
    with (
        opened(path) as memory,
        pytest.raises(StoreUnavailable) as refused,
        memory.context.store.writing(),
    ):
        delete(path)
    assert refused.value.code == "store_replaced"


def test_half_a_copy_is_refused_until_it_is_whole(path: Path, other: Path) -> None:
    with opened(path) as memory:
        delete(path)
        path.write_bytes(other.read_bytes()[:5000])
        with pytest.raises(StoreUnavailable) as refused:
            memory.remember("too early")
        assert refused.value.code == "store_damaged"
        path.write_bytes(other.read_bytes())
        memory.remember("The egret came afterwards")
    assert len(said(path)) == 2


def test_every_thread_turns_to_the_new_file(path: Path, other: Path) -> None:
    """Each has a connection of its own, and notices by itself."""
    barrier = threading.Barrier(4)
    heard: list[object] = []

    with opened(path) as memory:

        def work(number: int) -> None:
            try:
                memory.remember(f"before {number}")
                barrier.wait(20)
                if number == 0:
                    delete(path)
                    shutil.copy(other, path)
                barrier.wait(20)
                memory.remember(f"after {number}")
                heard.append(knows(memory, "heron"))
            except BaseException as error:  # noqa: BLE001 - looked at below
                heard.append(error)

        threads = [threading.Thread(target=work, args=(each,)) for each in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join(30)
    assert heard == [True] * 4
    assert {each for each in said(path) if each.startswith("after")} == {
        f"after {number}" for number in range(4)
    }


def test_a_relative_store_is_the_same_wherever_the_process_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    with opened(Path("memory.db")) as memory:
        monkeypatch.chdir(tmp_path / "elsewhere")
        memory.remember("The bittern was here before")
    assert said(tmp_path / "memory.db") == {"The bittern was here before"}


def test_a_store_that_a_newer_helix_lifted_is_left_alone(path: Path) -> None:
    """Whoever had it open by then neither writes into it nor answers from it."""
    with opened(path) as memory:
        memory.remember("before")
        newer = apsw.Connection(str(path))
        newer.execute(f"PRAGMA user_version = {VERSION + 1}")
        for ask in (lambda: memory.remember("after"), lambda: memory.recall("before")):
            with pytest.raises(StoreUnavailable) as refused:
                ask()
            assert refused.value.code == "store_too_new"
        newer.execute(f"PRAGMA user_version = {VERSION}")
        newer.close()
        memory.remember("later")
    assert said(path) == {"before", "later"}
