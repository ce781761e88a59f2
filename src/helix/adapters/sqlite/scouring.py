"""Erased means gone: from free pages, from the log, and from copies that Helix made.

SQLite only marks what is deleted as free, and its log keeps what was written before. `VACUUM`
writes the live rows anew and gives the free pages back; then the log is emptied. Copies made
before a migration hold what the store held then, so they are removed, and so are those that a
killed process left behind.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from glob import escape
from pathlib import Path

import apsw

from helix.adapters.sqlite import raw_bytes, snapshots
from helix.model.errors import StoreUnavailable

MAGIC = "SQLite format 3"
"""How a file of SQLite begins."""

PATIENCE = 10.0
NAP = 0.02
"""Seconds to wait for a log that is in use, and between two tries."""


def scour(connection: apsw.Connection, path: Path) -> list[str]:
    """Write the file anew, empty its log, remove old copies; return the names of those."""
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("VACUUM")
    try:
        _empty_log(connection, path)
    finally:
        connection.execute("PRAGMA secure_delete = OFF")
    removed = []
    for copy in backups(path):
        copy.unlink(missing_ok=True)
        removed.append(copy.name)
    return removed + snapshots.remove_abandoned(path)


def _empty_log(connection: apsw.Connection, path: Path) -> None:
    # Another checkpoint may be under way, this process's own among them.
    until = time.monotonic() + PATIENCE
    while True:
        try:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.BusyError as error:
            if time.monotonic() > until:
                raise StoreUnavailable(
                    f"the log of {path} is in use, and still holds what was erased",
                    code="log_in_use",
                    remedy="close what else has the store open, then run `helix scrub`",
                ) from error
            time.sleep(NAP)
        else:
            return


def backups(path: Path) -> list[Path]:
    """Return the copies that Helix made of a store before it changed its layout."""
    return sorted(path.parent.glob(f"{escape(path.name)}.v*.backup*"))


def layout(connection: apsw.Connection) -> bytes:
    """Return what stands in every file of this layout, whatever a store holds."""
    rows = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return "\n".join([MAGIC, *(str(row[0]) for row in rows)]).encode()


def residue(path: Path, needles: Sequence[bytes]) -> list[str]:
    """Return the names of the store's files whose raw bytes hold one of the needles."""
    wanted = [needle for needle in needles if needle]
    return [each.name for each in _files(path) if _holds(each, wanted)]


def _files(path: Path) -> Iterator[Path]:
    # Everything of this name: the file, its log and index, drafts, copies.
    yield from sorted(each for each in path.parent.glob(f"*{escape(path.name)}*") if each.is_file())


def _holds(path: Path, needles: Sequence[bytes]) -> bool:
    try:
        return raw_bytes.holds(path, needles)
    except FileNotFoundError:  # whoever worked on a copy is done with it
        return False
