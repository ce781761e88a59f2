"""Looking at a store's raw bytes takes nothing from whoever works on it in the same process."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing, suppress

import pytest

from helix.adapters.sqlite import opening, raw_bytes, scouring
from helix.adapters.sqlite.store import SqliteStore

SECOND_WRITER = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
try:
    connection.execute("BEGIN IMMEDIATE")
    print("let in")
except apsw.BusyError:
    print("kept out")
"""


def second_writer(path):
    """Return what another process hears that wants to write at once."""
    done = subprocess.run(
        [sys.executable, "-c", SECOND_WRITER, str(path)], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    "look",
    [
        lambda path: scouring.residue(path, [b"swordfish"]),
        opening.inspect,
        lambda path: SqliteStore(path).close(),
    ],
    ids=["residue", "inspect", "open"],
)
def test_a_writer_is_still_alone_after_somebody_looked(tmp_path, look):
    """Closing any handle of a file lets go of all locks that a process has on it."""
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path)) as store:
        with store.writing():
            assert second_writer(path) == "kept out"
            look(path)
            assert second_writer(path) == "kept out"
        assert second_writer(path) == "let in"


@pytest.mark.parametrize("at", [0, 5, 14, 15, 16, 30])
def test_a_needle_is_found_wherever_it_lies(tmp_path, monkeypatch, at):
    """Also across two of the pieces that a file is read in."""
    monkeypatch.setattr(raw_bytes, "CHUNK", 16)
    path = tmp_path / "file"
    path.write_bytes(b"." * at + b"needle" + b"." * 40)
    assert raw_bytes.holds(path, [b"absent", b"needle"])
    assert not raw_bytes.holds(path, [b"absent", b"needless"])
    assert not raw_bytes.holds(path, [])


def test_an_index_that_is_gone_is_let_go_of(tmp_path):
    """SQLite removes it when the last connection is closed; then nothing is left to keep."""
    for name in ("one.db", "two.db", "three.db"):
        with closing(SqliteStore(tmp_path / name)) as store:
            with store.writing():
                pass
            scouring.residue(store.path, [b"swordfish"])
    assert len(raw_bytes._kept) <= 1


@pytest.mark.parametrize("kind", ["missing", "folder"])
def test_what_cannot_be_read_says_why(tmp_path, kind):
    path = tmp_path / "memory.db"
    with suppress(FileNotFoundError):
        path.mkdir() if kind == "folder" else path.unlink()
    for read in (lambda: raw_bytes.beginning(path, 100), lambda: raw_bytes.holds(path, [b"x"])):
        with pytest.raises(IsADirectoryError if kind == "folder" else FileNotFoundError):
            read()
