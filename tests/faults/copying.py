"""A process that works on a private copy of a store until a line comes in, or it is killed."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path

from tests.faults.looking import SCOPE, tell

from helix.adapters.sqlite.store import SqliteStore
from helix.model.scope import local_realm


def main() -> None:
    with closing(SqliteStore(Path(sys.argv[1]))) as store, store.snapshot() as copy:
        with copy.writing() as unit:
            unit.projection.clear(local_realm(SCOPE).tenant)
        tell("copied")
        sys.stdin.readline()
    tell("done")


if __name__ == "__main__":
    main()
