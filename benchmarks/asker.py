"""A process that asks one question after another until its stdin ends, and tells how it went.

    python -m benchmarks.asker STORE SCOPE SEED

It says `ready` after the first answer and one JSON document at the end.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict

from benchmarks.figures import spread
from benchmarks.texts import Author
from helix import Helix
from helix.model.errors import HelixError
from helix.model.recollection import Recollected

DISTINCT = 200
PAUSE = 0.02
"""Seconds between two questions: an agent thinks in between, and the machine is shared."""


def main() -> None:
    """Ask until told to stop."""
    path, scope, seed = sys.argv[1:]
    questions = [question for _, question in _author(int(seed)).questions(DISTINCT)]
    over = threading.Event()
    threading.Thread(target=_wait_for_the_end, args=[over], daemon=True).start()
    took: list[float] = []
    found: dict[str, int] = {"answered": 0, "by_meaning": 0, "errors": 0}
    models: dict[str, int] = {}
    with Helix.open(path, scope=scope, background=False) as memory:
        memory.recall(questions[0])
        print("ready", flush=True)
        while not over.is_set():
            started = time.perf_counter()
            try:
                answer = memory.recall(questions[len(took) % DISTINCT])
            except HelixError:
                found["errors"] += 1
                continue
            took.append(time.perf_counter() - started)
            if isinstance(answer, Recollected):
                found["answered"] += 1
                found["by_meaning"] += any(
                    each.because.get("meaning") for each in answer.remembered
                )
            with memory.context.store.reading() as unit:
                serving = unit.serving.current()
            models[serving] = models.get(serving, 0) + 1
            over.wait(PAUSE)
    print(json.dumps({**found, "asked": len(took), "models": models, "ms": asdict(spread(took))}))


def _wait_for_the_end(over: threading.Event) -> None:
    sys.stdin.read()
    over.set()


def _author(seed: int) -> Author:
    author = Author(seed)
    for _ in range(2_000):  # questions are about what was written, so something must have been
        author.episode()
    return author


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main()
