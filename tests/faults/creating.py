"""A process that opens each store whose path comes in, and writes its name there."""

from __future__ import annotations

import sys

from tests.faults.looking import SCOPE, tell

from helix import Helix


def main() -> None:
    name = sys.argv[1]
    tell("ready")
    for line in sys.stdin:
        with Helix.open(line.rstrip("\n"), scope=SCOPE) as memory:
            memory.capture(f"{name} was here", event_id=name)
        tell("done")


if __name__ == "__main__":
    main()
