"""Whoever works on a private copy of the store is killed: erasing reaches what is left of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.faults.looking import SCOPE, begin, end, hear

from helix import Helix
from helix.adapters.sqlite import snapshots
from helix.adapters.sqlite.store import SqliteStore

SECRET = "zebulon keeps the key of the northern vault"


@pytest.fixture
def told(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store in which somebody is named, and a folder for temporary files."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("HELIX_HOME", str(tmp_path / "home"))
    with Helix.open(path, scope=SCOPE) as memory:
        memory.capture(SECRET)
    return path


def copies(path: Path) -> list[Path]:
    return sorted(path.parent.glob(".*.snapshot*"))


def killed(path: Path) -> list[Path]:
    """Return what is left of a copy whose process was told to end, as a shell does it."""
    process = begin("tests.faults.copying", path)
    assert hear(process) == "copied"
    process.terminate()
    process.communicate()
    return copies(path)


def test_a_copy_lies_beside_its_store_for_its_owner_alone(told: Path, tmp_path: Path) -> None:
    """Nowhere else; it goes when whoever made it is done."""
    process = begin("tests.faults.copying", told)
    assert hear(process) == "copied"
    found = copies(told)
    assert found
    assert {each.stat().st_mode & 0o777 for each in found} == {0o600}
    end(process)
    assert not copies(told)
    assert not list((tmp_path / "tmp").iterdir())


def test_erasing_reaches_the_copy_of_a_killed_process(told: Path) -> None:
    """It says that no byte is left, and none is."""
    left = killed(told)
    assert any(SECRET.encode() in each.read_bytes() for each in left)
    with Helix.open(told, scope=SCOPE) as memory:
        receipt = memory.erasing.about("zebulon")
    assert (receipt.residue, len(receipt.copies_removed)) == ((), 1)
    assert not copies(told)


def test_what_is_being_worked_on_is_left_alone_and_told_of(told: Path) -> None:
    """A copy in use holds what is erased; afterwards nothing does."""
    process = begin("tests.faults.copying", told)
    assert hear(process) == "copied"
    with Helix.open(told, scope=SCOPE) as memory:
        receipt = memory.erasing.about("zebulon")
        assert receipt.copies_removed == ()
        assert any(each.endswith(".snapshot") for each in receipt.residue)
        end(process)
        assert memory.context.store.residue([SECRET.encode()]) == []
        assert not copies(told)


@pytest.mark.parametrize("deed", [SqliteStore.scour, lambda store: store.snapshot().__enter__()])
def test_leftovers_go_when_files_are_scoured_or_copied(
    told: Path, deed: Callable[[SqliteStore], object]
) -> None:
    """One whose lock is gone as well; what the user put beside the store stays."""
    left = killed(told)
    next(each for each in left if each.suffix == ".lock").unlink()
    left += killed(told)
    mine = [told.with_name(f"{told.name}.copy.snapshot"), told.with_name(f".{told.name}.snapshot")]
    mine.append(told.with_name(f".other-{told.name}.0123456789abcdef.snapshot"))
    for each in mine:
        each.write_bytes(SECRET.encode())
    with closing(SqliteStore(told)) as store:
        held = deed(store)
        assert not [each for each in left if each.exists()]
        assert all(each.exists() for each in mine)
        del held


def test_a_lock_that_was_taken_for_a_leftover_is_not_trusted(
    told: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who clears up may come between making a lock and holding it: then another is made."""
    real, swept = snapshots._holds, []

    def swept_before(file, *, unknown):
        if unknown and not swept:
            swept.extend(snapshots.remove_abandoned(told))
        return real(file, unknown=unknown)

    monkeypatch.setattr(snapshots, "_holds", swept_before)
    with closing(SqliteStore(told)) as store, store.snapshot() as copy:
        assert len(swept) == 1
        assert copy.path.name not in swept
        assert snapshots.remove_abandoned(told) == []
    assert not copies(told)
