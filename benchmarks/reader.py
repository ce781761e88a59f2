"""A process that opens a store, asks the questions on its stdin and prints its memory in bytes."""

from __future__ import annotations

import json
import sys

from benchmarks.figures import resident_bytes
from benchmarks.opening import words_only
from helix import Helix


def main() -> None:
    """Ask everything, then tell how much memory this took."""
    path, scope, *way = sys.argv[1:]
    opened = Helix.open(path, scope=scope) if way == ["hybrid"] else words_only(path, scope)
    with opened as memory:
        for question in json.load(sys.stdin):
            memory.recall(question)
        print(resident_bytes())


if __name__ == "__main__":
    main()
