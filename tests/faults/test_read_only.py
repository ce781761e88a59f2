"""Who may not write can still read, and is told so when trying to write."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from tests.faults.as_nobody import NOBODY
from tests.faults.looking import SCOPE, begin, folder_state, hear

from helix import Helix

pytestmark = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0,
    reason="becoming a user without rights takes root; permissions bind everyone else anyway",
)

SAID = "The invoices are rounded in the billing service"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A store in a folder that other users can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="helix-read-only-"))
    folder.chmod(0o755)
    # Without a model: nobody may read the files of one that root has installed.
    (folder / "home").mkdir()
    (folder / "home" / "settings.toml").write_text('[embedder]\nmodel = "none"\n')
    monkeypatch.setenv("HELIX_HOME", str(folder / "home"))
    path = folder / "store" / "memory.db"
    path.parent.mkdir(mode=0o755)
    with Helix.open(path, scope=SCOPE) as memory:
        memory.remember(SAID)
    yield path
    shutil.rmtree(folder)


def as_nobody(store: Path, question: str = "where are invoices rounded?") -> dict[str, str]:
    process = begin("tests.faults.as_nobody", store, question)
    found: dict[str, str] = json.loads(hear(process))
    process.communicate()
    return found


def test_a_file_and_a_folder_that_may_not_be_written_can_be_read(store: Path) -> None:
    """A store that belongs to somebody else answers, and refuses writes by name."""
    store.chmod(0o444)
    store.parent.chmod(0o555)
    before = folder_state(store.parent)
    assert as_nobody(store) == {"read": SAID, "wrote": "store_read_only"}
    assert folder_state(store.parent) == before


def test_a_file_that_may_not_be_written_in_a_folder_that_may(store: Path) -> None:
    """A write-protected file is respected even where its folder would allow replacing it."""
    store.chmod(0o444)
    os.chown(store.parent, NOBODY, NOBODY)
    before = store.read_bytes()
    assert as_nobody(store) == {"read": SAID, "wrote": "store_read_only"}
    assert store.read_bytes() == before


def test_a_folder_that_may_not_be_written_makes_its_store_read_only(store: Path) -> None:
    """SQLite needs to write beside the file; where it cannot, reading must still work."""
    os.chown(store, NOBODY, NOBODY)
    store.chmod(0o600)
    store.parent.chmod(0o555)
    before = folder_state(store.parent)
    assert as_nobody(store) == {"read": SAID, "wrote": "store_read_only"}
    assert folder_state(store.parent) == before


def test_a_copy_in_a_folder_that_may_not_be_written_can_be_read(store: Path) -> None:
    """Also where it does not keep its journal as a store does, and cannot be made to."""
    with closing(apsw.Connection(str(store))) as connection:
        connection.pragma("journal_mode", "delete")
    os.chown(store, NOBODY, NOBODY)
    store.chmod(0o600)
    store.parent.chmod(0o555)
    before = folder_state(store.parent)
    assert as_nobody(store) == {"read": SAID, "wrote": "store_read_only"}
    assert folder_state(store.parent) == before


def test_a_reader_without_rights_sees_what_a_writer_has_just_written(store: Path) -> None:
    """While its owner has the store open, a reader sees the newest state, not the file's last."""
    with Helix.open(store, scope=SCOPE) as memory:
        memory.capture("the flux capacitor was recalibrated")
        for each in store.parent.iterdir():
            each.chmod(0o444)
        found = as_nobody(store, "flux capacitor?")
    assert found == {"read": "the flux capacitor was recalibrated", "wrote": "store_read_only"}


def test_a_file_that_may_not_even_be_read_is_refused_by_name(store: Path) -> None:
    """Whose store it is stays private: no reading, no guessing, a clear word."""
    store.chmod(0o600)
    assert as_nobody(store) == {"unopenable": "store_unopenable"}


def test_a_store_cannot_be_created_where_nobody_may_write(store: Path) -> None:
    """A folder that may not be written holds no new store, and the error says so."""
    store.parent.chmod(0o555)
    assert as_nobody(store.with_name("new.db")) == {"unopenable": "store_unopenable"}
    assert as_nobody(store.parent / "new" / "new.db") == {"unopenable": "store_unopenable"}


def crashed_copy(store: Path, *, without: str = "") -> Path:
    """Return a folder as a killed writer leaves it, which cannot be written any more."""
    folder = store.parent / "crashed"
    with Helix.open(store, scope=SCOPE) as memory:
        memory.capture("the flux capacitor was recalibrated")
        shutil.copytree(store.parent, folder)
    if without:
        (folder / (store.name + without)).unlink()
    for each in folder.iterdir():
        each.chmod(0o444)
    folder.chmod(0o555)
    return folder / store.name


def test_what_a_killed_writer_left_in_the_log_can_be_read_without_rights(store: Path) -> None:
    """The write-ahead log is part of the store, also for those who cannot move it into the file."""
    found = as_nobody(crashed_copy(store), "flux capacitor?")
    assert found == {"read": "the flux capacitor was recalibrated", "wrote": "store_read_only"}


def test_a_log_that_cannot_be_read_is_not_passed_over_in_silence(store: Path) -> None:
    """Without the index of its log a store is refused rather than read without its last writes."""
    found = as_nobody(crashed_copy(store, without="-shm"), "flux capacitor?")
    assert found in (
        {"unopenable": "store_unopenable"},
        {"read": "the flux capacitor was recalibrated", "wrote": "store_read_only"},
    )


def test_a_sound_store_is_no_fault_where_it_may_not_be_written(store: Path) -> None:
    """An examination reads it as answers do, and a private copy lies elsewhere."""
    os.chown(store, NOBODY, NOBODY)
    store.parent.chmod(0o555)
    assert "faults" not in as_nobody(store)
