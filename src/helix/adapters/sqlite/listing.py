"""What is held as a whole: listed newest first, and counted."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice

from helix.adapters.sqlite.asking import Asking
from helix.adapters.sqlite.rows import MEMORY_COLUMNS, Row, memory_of
from helix.adapters.sqlite.standing import Standing, standing
from helix.model.memory import Memory, Status
from helix.model.question import Standpoint
from helix.model.scope import Realm
from helix.model.types import EPISODE
from helix.rules.validity import statuses_of

COUNT_STANDING = (
    "SELECT status, count(*) FROM memories WHERE place = ? AND status <> 'purged' GROUP BY status"
)
COUNT_CONCLUDED = (
    "SELECT type, status, count(*) FROM memories WHERE place = ? AND type <> 'episode'"
    " AND status <> 'purged' GROUP BY type, status"
)


END = 1 << 62
Bound = tuple[str, list[object]]

OLDER = "m.position < ?"
OF_THE_SAME_AGE = (
    "m.position = ? AND m.key < (SELECT key FROM memories WHERE tenant = ? AND id = ?)"
)
"""What comes after a memory: what is older, and before it what shares its position."""


def listing_statement(
    seen: Standing, status: Status | None, kind: str | None, bound: str = OLDER
) -> str:
    """Return the query that walks one place newest first, by status or by type."""
    index = "memories_standing" if kind in (None, EPISODE) else "memories_concluded"
    by_status = " AND m.status = ?" if index == "memories_standing" and status else ""
    by_type = " AND m.type = ?" if kind else ""
    partial = " AND m.type <> 'episode'" if index == "memories_concluded" else ""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM memories m INDEXED BY {index}{seen.joins}"
        f" WHERE m.place = ?{by_status}{by_type}{partial} AND {bound} AND {seen.where}"
        " ORDER BY m.position DESC, m.key DESC LIMIT ?"
    )


class Listing(Asking):
    """Implements what of `Projection` goes through all that is visible."""

    def listing(
        self,
        asker: Realm,
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
        before: int | Memory | None = None,
        statuses: Sequence[Status] | None = None,
    ) -> Sequence[Memory]:
        """See `Projection.listing`."""
        seen = standing(standpoint, statuses)
        streams = [
            self._walk(seen, place, status, kind, bound, limit)
            for bound in self._bounds(before)
            for place in self._places.visible(asker)
            for status, kind in _walks(standpoint, statuses, types)
        ]
        newest = heapq.merge(*streams, key=lambda row: (-row[6], -row[0]))
        return [memory_of(row, self._places) for row in islice(newest, limit)]

    def counts(self, asker: Realm) -> Sequence[tuple[str, str, str, int]]:
        """See `Projection.counts`."""
        counted = []
        for place in self._places.visible(asker):
            scope = self._places.realm(place).scope
            standing_rows: list[Row] = self._connection.execute(COUNT_STANDING, (place,)).fetchall()
            episodes: dict[str, int] = dict(standing_rows)
            for type_name, status, number in self._connection.execute(COUNT_CONCLUDED, (place,)):
                counted.append((scope, type_name, status, number))
                episodes[status] -= number
            counted += [
                (scope, EPISODE, status, number) for status, number in episodes.items() if number
            ]
        return _summed(counted)

    def _walk(  # noqa: PLR0917 - one private step of `listing`
        self, seen: Standing, place: int, status: Status | None, kind: str | None,
        bound: Bound, limit: int,
    ) -> Iterator[Row]:  # fmt: skip
        by_status = status is not None and kind in (None, EPISODE)
        bindings = [*seen.joins_bindings, place]
        if by_status and status is not None:
            bindings.append(status.value)
        if kind is not None:
            bindings.append(kind)
        where, values = bound
        bindings += [*values, *seen.where_bindings, limit]
        yield from self._connection.execute(listing_statement(seen, status, kind, where), bindings)

    def _bounds(self, before: int | Memory | None) -> list[Bound]:
        if not isinstance(before, Memory):
            return [(OLDER, [END if before is None else before])]
        tenant = self._places.tenant(before.realm.tenant)
        return [
            (OF_THE_SAME_AGE, [before.position, tenant, before.id]),
            (OLDER, [before.position]),
        ]


def _walks(
    standpoint: Standpoint, statuses: Sequence[Status] | None, types: Sequence[str]
) -> Iterator[tuple[Status | None, str | None]]:
    # What is believed now is found by its status; what was believed then may since have
    # taken any status, so all are walked.
    if standpoint.believed_on is None:
        standings = sorted(statuses_of(standpoint.view) if statuses is None else statuses)
    else:
        standings = list(Status)
    for kind in dict.fromkeys(types) or [None]:
        if kind in (None, EPISODE):
            for status in standings:
                yield status, kind
        else:
            yield None, kind


def _summed(counted: list[tuple[str, str, str, int]]) -> list[tuple[str, str, str, int]]:
    totals: dict[tuple[str, str, str], int] = {}
    for scope, type_name, status, number in counted:
        totals[scope, type_name, status] = totals.get((scope, type_name, status), 0) + number
    return [(*key, number) for key, number in sorted(totals.items())]
