"""A process that takes a store's write lock and keeps it until a line comes in."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.faults.looking import tell

from helix.adapters.sqlite.store import SqliteStore


def main() -> None:
    store = SqliteStore(Path(sys.argv[1]))
    with store.writing():
        tell("held")
        sys.stdin.readline()
    store.close()


if __name__ == "__main__":
    main()
