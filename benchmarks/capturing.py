"""A process that captures as fast as it can, once told to start.

    python -m benchmarks.capturing STORE NAME SEED SECONDS OUT

Prints `ready` when the store is open, begins when a line comes in, and leaves the seconds
each capture took in OUT as an array of doubles.
"""

from __future__ import annotations

import sys
import time
import traceback
from array import array
from pathlib import Path

from benchmarks.texts import Author
from helix import Helix

SCOPE = "project:writers"


def capture(memory: Helix, author: Author, seconds: float) -> array[float]:
    """Return how long each capture took, in order."""
    taken = array("d")
    ended = time.perf_counter()
    until = ended + seconds
    while ended < until:
        text = author.episode()
        started = time.perf_counter()
        memory.capture(text)
        ended = time.perf_counter()
        taken.append(ended - started)
    return taken


def main() -> int:
    """Capture; whatever goes wrong is told on stderr."""
    store, name, seed, seconds, out = sys.argv[1:]
    author = Author(f"{seed} {name}")
    try:
        with Helix.open(store, scope=SCOPE, agent=name, background=False) as memory:
            print("ready", flush=True)
            sys.stdin.readline()
            taken = capture(memory, author, float(seconds))
    except Exception:  # noqa: BLE001 - every fault is a finding, whatever it is
        traceback.print_exc()
        return 1
    with Path(out).open("wb") as file:
        taken.tofile(file)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
