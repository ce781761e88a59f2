"""A process that sweeps a store as the program does, rests included, until it is killed."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from pathlib import Path

from benchmarks.living.filling import START, YEAR, opened
from helix.adapters.sqlite.store import SqliteStore
from helix.testing.clock import SettableClock


def main() -> None:
    """Say that it begins, and sweep."""
    with closing(SqliteStore(Path(sys.argv[1]))) as store:
        memory = opened(store, SettableClock(START + YEAR))
        os.write(1, b"ready\n")
        memory.life.sweep(["archive"], everything=True)


if __name__ == "__main__":
    main()
