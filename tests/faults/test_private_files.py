"""Memories are private: no file of a store can be read by another user, at no moment."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.lifting import lift
from tests.faults.looking import SCOPE

from helix import Helix
from helix.adapters.sqlite.store import SqliteStore

PRIVATE = 0o600


@pytest.fixture(autouse=True)
def _generous_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {each.name: stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()}


def test_every_file_of_an_open_store_is_private(path: Path) -> None:
    """The file, its log and the log's index may be read and written by their owner alone."""
    with Helix.open(path, scope=SCOPE) as memory:
        memory.capture("something private")
        assert modes(path.parent) == {
            path.name: PRIVATE,
            f"{path.name}-wal": PRIVATE,
            f"{path.name}-shm": PRIVATE,
        }


def test_a_closed_store_is_one_private_file(filled: Path) -> None:
    """Nothing lies beside it, and it is still private."""
    assert modes(filled.parent) == {filled.name: PRIVATE}


@pytest.fixture
def _no_chmod(monkeypatch: pytest.MonkeyPatch) -> None:
    # A file that is made private later has been readable for a moment.
    monkeypatch.setattr(Path, "chmod", lambda *_: None)


@pytest.mark.usefixtures("_no_chmod")
def test_a_backup_is_private_from_its_first_byte(filled: Path) -> None:
    """A backup made before lifting is never readable by others, not for a moment."""
    backup = lift(filled)
    assert backup is not None
    assert modes(filled.parent)[backup.name] == PRIVATE


@pytest.mark.usefixtures("_no_chmod")
def test_a_copy_is_private_from_its_first_byte(filled: Path) -> None:
    """A copy of the store is as private as the store."""
    store = SqliteStore(filled)
    store.copy_to(filled.with_name("copy.db"))
    store.close()
    assert modes(filled.parent)["copy.db"] == PRIVATE
