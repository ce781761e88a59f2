"""A process that exports and purges what is old, until it is killed or done."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.faults.looking import SCOPE, tell

from helix import Helix


def main() -> None:
    with Helix.open(Path(sys.argv[1]), scope=SCOPE, background=False) as memory:
        tell("ready")
        memory.retaining.purge(Path(sys.argv[2]), 60)
        tell("done")


if __name__ == "__main__":
    main()
