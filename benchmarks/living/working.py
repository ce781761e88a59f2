"""A process that captures or asks at an agent's pace: `STORE capture|recall SECONDS`."""

from __future__ import annotations

import json
import sys
import time
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

from benchmarks.figures import spread
from benchmarks.living.filling import START, YEAR, opened
from benchmarks.texts import Author
from helix.adapters.sqlite.store import SqliteStore
from helix.testing.clock import SettableClock

PAUSE = {"capture": 0.005, "recall": 0.02}
"""Seconds between two of them: busy, and not so busy that they measure each other."""


def main() -> None:
    """Work, and print how long each took, in milliseconds."""
    path, what, seconds = sys.argv[1:]
    author = Author(hash(what) % 1000)
    took = []
    with closing(SqliteStore(Path(path))) as store:
        memory = opened(store, SettableClock(START + YEAR))
        texts = [author.episode() for _ in range(50)]
        memory.recall(texts[0])
        until = time.monotonic() + float(seconds)
        number = 0
        while time.monotonic() < until:
            number += 1
            started = time.monotonic()
            if what == "capture":
                memory.capture(f"{texts[number % 50]} {number}", event_id=f"{what}{time.time_ns()}")
            else:
                memory.recall(" ".join(texts[number % 50].split()[:6]))
            took.append(time.monotonic() - started)
            time.sleep(PAUSE[what])
        memory.close()
    print(json.dumps(asdict(spread(took))))


if __name__ == "__main__":
    main()
