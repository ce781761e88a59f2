"""A process that sweeps everything and expects to die: `STORE KIND SECONDS-SINCE-1970 CAP`."""

from __future__ import annotations

import os
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.living.filling import opened
from helix.adapters.sqlite.store import SqliteStore
from helix.app.sweeping import Sweeper
from helix.testing.clock import SettableClock


def main() -> int:
    """Sweep; say when it begins and when it is done."""
    store, kind, moment, cap = sys.argv[1:]
    clock = SettableClock(datetime.fromtimestamp(float(moment), UTC))
    with closing(SqliteStore(Path(store))) as data:
        memory = opened(data, clock)
        memory.life.sweep([kind], dry_run=True)
        os.write(1, b"ready\n")
        # Without rests: a kill while it rests would hit nothing.
        Sweeper(memory.context, memory.life.now, rest=lambda _: None).run(
            [kind], everything=True, cap=int(cap)
        )
        os.write(1, b"done\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
