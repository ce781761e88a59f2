"""A process that lifts a store to an invented next layout: each store whose path comes in.

With `--cut-short` it ends in the middle of the first, as a hook does at its deadline.
"""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path

import apsw
from tests.faults.looking import tell

from helix.adapters.sqlite import opening, schema

NEXT = schema.VERSION + 1


def add_moods(connection: apsw.Connection) -> None:
    """Lift by one: running it twice would fail, since the table is there then."""
    connection.execute("CREATE TABLE moods (memory INTEGER PRIMARY KEY, mood TEXT NOT NULL)")
    connection.execute("INSERT INTO moods SELECT key, 'calm' FROM memories")


MIGRATIONS = {schema.VERSION: add_moods}


def end_here(connection: apsw.Connection) -> None:
    """Lift half, and be gone."""
    add_moods(connection)
    tell("cut short")
    os._exit(0)


def lift(path: Path, step: schema.Migration = add_moods) -> Path | None:
    """Bring a store to the invented layout as `SqliteStore` brings one to the real one."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        connection.set_busy_timeout(5_000)
        return opening.lift(connection, path, {schema.VERSION: step}, NEXT)


def main() -> None:
    tell("ready")
    for line in sys.stdin:
        step = end_here if "--cut-short" in sys.argv else add_moods
        backup = lift(Path(line.rstrip("\n")), step)
        tell(backup.name if backup else "nothing to do")


if __name__ == "__main__":
    main()
