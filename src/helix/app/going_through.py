"""Going through all that is held, however much it is, a page at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from helix.model.memory import Memory, Status
from helix.model.question import Standpoint
from helix.model.scope import Realm
from helix.ports.store import Unit

PAGE = 1_000


def every_one(
    unit: Unit,
    asker: Realm,
    standpoint: Standpoint,
    *,
    types: Sequence[str] = (),
    statuses: Sequence[Status] | None = None,
) -> Iterator[Memory]:
    """Yield every memory that is visible from a realm, newest first."""
    last: Memory | None = None
    while page := unit.projection.listing(
        asker, standpoint, types=types, limit=PAGE, before=last, statuses=statuses
    ):
        yield from page
        last = page[-1]
