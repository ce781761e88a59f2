"""A process that settles notes one by one, until it is killed or nothing is left."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.faults.looking import SCOPE, tell

from helix import Helix
from helix.app import scratching


def main() -> None:
    scratching.AT_ONCE = 1
    with Helix.open(Path(sys.argv[1]), scope=SCOPE, background=False) as memory:
        tell("ready")
        memory.scratch.settle()
        tell("done")


if __name__ == "__main__":
    main()
