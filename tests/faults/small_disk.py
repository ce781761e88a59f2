"""A process whose files may not grow: `python -m tests.faults.small_disk STORE ROOM`.

ROOM is how many bytes the store's largest file may still grow. It prints each event id that
was kept, then the code of the refusal, then, with the limit lifted, `again` and one more id.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

from tests.faults.looking import SCOPE, tell

from helix import Helix
from helix.model.errors import StoreUnavailable


def main() -> None:
    store, room = Path(sys.argv[1]), int(sys.argv[2])
    with Helix.open(store, scope=SCOPE) as memory:
        memory.capture("before the disk ran out of space", event_id="before")
        tell("before")
        largest = max(each.stat().st_size for each in store.parent.iterdir())
        _limit(largest + room)
        tell(_fill(memory))
        _limit(resource.RLIM_INFINITY)
        memory.capture("after there was space again", event_id="after")
        tell("again\nafter")


def _fill(memory: Helix) -> str:
    for number in range(100_000):
        try:
            memory.capture(f"episode {number} " + "about the disk " * 20, event_id=f"ev{number}")
        except StoreUnavailable as error:
            return error.code if error.remedy else "no remedy"
        tell(f"ev{number}")
    return "never full"


def _limit(size: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))


if __name__ == "__main__":
    main()
