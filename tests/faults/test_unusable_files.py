"""What is not a store, or no longer a whole one, is refused by name and left as it is."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest
from tests.faults.looking import SCOPE, folder_state

from helix import Helix
from helix.adapters.sqlite.schema import APPLICATION_ID, VERSION
from helix.model.errors import HelixError, StoreUnavailable


def refusal(path: Path) -> StoreUnavailable:
    """Return the error with which a file is refused; fail if anything in its folder changed."""
    before = folder_state(path.parent)
    with pytest.raises(StoreUnavailable) as caught:
        Helix.open(path, scope=SCOPE)
    assert folder_state(path.parent) == before
    assert caught.value.remedy
    assert str(path) in caught.value.message
    return caught.value


@pytest.mark.parametrize("length", [1, 16, 99])
def test_a_piece_shorter_than_a_header_is_no_store(filled: Path, length: int) -> None:
    """A file cut off within its first hundred bytes cannot be told from any other file."""
    filled.write_bytes(filled.read_bytes()[:length])
    assert refusal(filled).code == "not_a_store"


@pytest.mark.parametrize("share", [0.0, 0.01, 0.25, 0.5, 0.9, 0.99])
def test_a_store_cut_short_is_refused(filled: Path, share: float) -> None:
    """A store that ends before its own header says it does is never opened and never healed."""
    whole = filled.read_bytes()
    filled.write_bytes(whole[: max(100, int(share * len(whole)))])
    assert refusal(filled).code == "store_damaged"


@pytest.mark.parametrize("missing", [1, 4096])
def test_a_store_without_its_last_bytes_is_refused(filled: Path, missing: int) -> None:
    """One byte is enough to notice."""
    filled.write_bytes(filled.read_bytes()[:-missing])
    assert refusal(filled).code == "store_damaged"


def test_an_empty_file_is_not_taken_for_a_new_store(path: Path) -> None:
    """Where a file is, somebody put it there; only where none is, a store is created."""
    path.touch()
    assert refusal(path).code == "not_a_store"


@pytest.mark.parametrize("size", [100, 5_000, 100_000])
def test_garbage_is_refused(path: Path, size: int) -> None:
    """Bytes that are no database are not opened, and not overwritten."""
    path.write_bytes(random.Random(size).randbytes(size))
    assert refusal(path).code == "not_a_store"


def test_garbage_behind_a_good_header_is_reported_as_damage(filled: Path) -> None:
    """A file that begins like a store and goes on as noise never leaks a driver's exception."""
    whole = filled.read_bytes()
    filled.write_bytes(whole[:100] + random.Random(1).randbytes(len(whole) - 100))
    assert refusal(filled).code == "store_damaged"


def test_a_folder_in_the_place_of_the_store_is_refused(path: Path) -> None:
    """A path that leads to a folder is said to be unreadable, not turned into a traceback."""
    path.mkdir()
    with pytest.raises(StoreUnavailable) as caught:
        Helix.open(path, scope=SCOPE)
    assert caught.value.code == "store_unopenable"
    assert list(path.parent.iterdir()) == [path]


def test_a_path_through_a_file_is_refused(filled: Path) -> None:
    """A parent that is a file cannot hold a store, and is told so in Helix's words."""
    before = folder_state(filled.parent)
    with pytest.raises(StoreUnavailable) as caught:
        Helix.open(filled / "memory.db", scope=SCOPE)
    assert caught.value.code == "store_unopenable"
    assert folder_state(filled.parent) == before


def sqlite_file(path: Path, *statements: str) -> None:
    with closing(apsw.Connection(str(path))) as connection:
        for statement in statements:
            connection.execute(statement).fetchall()


def test_another_programs_database_is_refused(path: Path) -> None:
    """A SQLite file without the mark of a store is somebody else's."""
    sqlite_file(path, "CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('mine')")
    assert refusal(path).code == "not_a_store"


def test_another_programs_database_in_wal_mode_is_refused(path: Path) -> None:
    """Looking at it does not even create the files beside it."""
    sqlite_file(path, "PRAGMA journal_mode = WAL", "CREATE TABLE notes (text)")
    assert refusal(path).code == "not_a_store"


@pytest.mark.parametrize("ahead", [1, 100])
def test_a_newer_store_is_not_touched(filled: Path, ahead: int) -> None:
    """What a newer Helix wrote is refused before SQLite so much as opens it."""
    sqlite_file(filled, f"PRAGMA user_version = {VERSION + ahead}")
    assert refusal(filled).code == "store_too_new"
    assert [each.name for each in filled.parent.iterdir()] == [filled.name]


def test_a_newer_store_that_is_being_written_is_not_touched(filled: Path) -> None:
    """The version may so far stand in the log alone; the refusal is the same."""
    with closing(apsw.Connection(str(filled))) as newer:
        newer.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
        newer.execute(f"PRAGMA user_version = {VERSION + 1}")
        before = filled.read_bytes()
        with pytest.raises(StoreUnavailable) as caught:
            Helix.open(filled, scope=SCOPE)
        assert caught.value.code == "store_too_new"
        assert filled.read_bytes() == before


def test_a_marked_file_without_tables_is_reported_in_helix_words(path: Path) -> None:
    """The right mark on a file that holds nothing else is damage, not a driver's exception."""
    sqlite_file(
        path, f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {VERSION}",
        "CREATE TABLE something (else_)",
    )  # fmt: skip
    with pytest.raises(HelixError), Helix.open(path, scope=SCOPE) as memory:
        memory.capture("anything")


def everything(memory: Helix) -> list[Callable[[], object]]:
    return [
        lambda: memory.recall("parser input branch"),
        lambda: memory.list(limit=100),
        lambda: memory.history.log(limit=100),
        memory.upkeep.verify,
        memory.upkeep.status,
        lambda: memory.upkeep.rebuild(check_only=True),
        lambda: memory.capture("one more episode"),
        lambda: memory.remember("one more fact"),
    ]


@pytest.mark.parametrize("seed", range(12))
def test_damage_inside_never_leaks_a_drivers_exception(filled: Path, seed: int) -> None:
    """Whatever page is overwritten, every question ends in an answer or in Helix's own error."""
    chance = random.Random(seed)
    content = bytearray(filled.read_bytes())
    page = chance.randrange(1, len(content) // 4096) * 4096
    content[page : page + 4096] = chance.randbytes(4096)
    filled.write_bytes(content)
    try:
        memory = Helix.open(filled, scope=SCOPE)
    except HelixError:
        return
    with memory:
        for ask in everything(memory):
            with suppress(HelixError):
                ask()
