"""What memories say, by where they stand in the ledger: for comparing, not for answering."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from helix.adapters.sqlite.faults import damaged
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import Row
from helix.model.memory import Status
from helix.ports.projection import Saying

_OF_PLACE = (
    "SELECT m.id, m.type, m.place, m.position, m.content FROM memories m"
    " INDEXED BY memories_standing WHERE m.place = ?"
    f" AND m.status IN ({', '.join(repr(status.value) for status in Status)})"
)
BETWEEN = f"{_OF_PLACE} AND m.position BETWEEN ? AND ?"
# Also what is no number: for SQLite, text comes after all of them.
FROM_ON = f"{_OF_PLACE} AND m.position >= ?"

_WHOLE = (str, str, int, int, str)


def sayings(
    connection: apsw.Connection, places: Places, tenant: int, first: int, last: int | None
) -> Iterator[Saying]:
    """Yield what the memories of a tenant between two positions say."""
    statement, bounds = (FROM_ON, (first,)) if last is None else (BETWEEN, (first, last))
    try:
        for place in places.of_tenant(tenant):
            for row in connection.execute(statement, (place, *bounds)):
                yield _saying(row, places)
    except UnicodeDecodeError as error:
        raise damaged("the text of a memory") from error


def _saying(row: Row, places: Places) -> Saying:
    if tuple(map(type, row)) != _WHOLE:
        raise damaged(f"memory {row[0]!r}")
    return Saying(row[0], row[1], places.realm(row[2]), row[3], row[4])
