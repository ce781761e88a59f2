"""Episodes by where they stand: beside others of their session, and in a span of time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from helix.adapters.sqlite.asking import Asking
from helix.adapters.sqlite.noticed import Episode
from helix.adapters.sqlite.rows import MEMORY_COLUMNS, Row, encode, memory_of, session_of
from helix.model.memory import Memory
from helix.model.moment import to_micros
from helix.model.scope import Realm
from helix.ports.projection import Beside
from helix.rules.thinning import thinned

SIDE_BY_SIDE = 2
"""Sessions that are taken to run side by side when looking for what happened around."""

AROUND = (
    "SELECT m.key, m.id, m.position, m.detail, m.content"
    " FROM json_each(?2) run CROSS JOIN memories m INDEXED BY memories_standing"
    " ON m.place = ?1 AND m.status = 'active'"
    " AND m.position BETWEEN run.key AND run.value AND m.type = 'episode'"
)
"""What lies around others lies in runs: walking them takes half as long as asking for each."""

_EPISODES = f"SELECT {MEMORY_COLUMNS}, m.belief, m.valid_from FROM memories m"
_HAPPENED_BEFORE = (
    f"{_EPISODES} INDEXED BY memories_happened WHERE m.place = ? AND m.valid_from >= ?"
    " AND m.valid_from < ? AND m.valid_from < m.recorded_at AND m.status = 'active'"
    " AND m.type = 'episode' ORDER BY m.valid_from"
)
_HAPPENED_LIVE = (
    f"{_EPISODES} INDEXED BY memories_standing WHERE m.place = ? AND m.status = 'active'"
    " AND m.position >= ? AND m.position < ? AND m.valid_from = m.recorded_at"
    " AND m.type = 'episode' ORDER BY m.position"
)
HAPPENED_BEFORE = f"{_HAPPENED_BEFORE} LIMIT ?"
HAPPENED_BEFORE_LAST = f"{_HAPPENED_BEFORE} DESC LIMIT ?"
HAPPENED_LIVE = f"{_HAPPENED_LIVE} LIMIT ?"
HAPPENED_LIVE_LAST = f"{_HAPPENED_LIVE} DESC LIMIT ?"
RECORDED_AT = "SELECT recorded_at FROM ledger WHERE key = (?1 << 40 | ?2)"
LAST = (
    "SELECT position FROM ledger WHERE key BETWEEN (?1 << 40) AND (?1 << 40 | 0xFFFFFFFFFF)"
    " ORDER BY key DESC LIMIT 1"
)


class _Side(NamedTuple):
    """What happened before a memory (-1), or after it (1)."""

    memory: Memory
    way: int

    def positions(self, span: int) -> range:
        """Return so many positions on this side, from the nearest on."""
        at = self.memory.position
        return range(at + self.way, at + self.way * (span + 1), self.way)


class Episodes(Asking):
    """Implements what of `Projection` tells of episodes near others and in time."""

    def around(
        self, asker: Realm, memories: Sequence[Memory], reach: int
    ) -> Mapping[str, Sequence[Beside]]:
        """See `Projection.around`."""
        visible = set(self._places.visible(asker))
        by_place: dict[int, list[Memory]] = {}
        for memory in memories:
            place = self._places.place(memory.realm)
            if place in visible and memory.circumstances and memory.circumstances.session:
                by_place.setdefault(place, []).append(memory)
        found: dict[str, Sequence[Beside]] = {}
        for place, here in by_place.items():
            found |= self._looked_around(place, here, reach)
        return found

    def _looked_around(
        self, place: int, memories: Sequence[Memory], reach: int
    ) -> dict[str, Sequence[Beside]]:
        sides = [_Side(memory, way) for memory in memories for way in (-1, 1)]
        episodes = self._noticed.episodes.setdefault(place, {})
        self._read_episodes(place, sides, reach)
        near = [_of_session(side, episodes, reach, reach) for side in sides]
        # Sessions that run side by side lie between each other in the ledger, so look a
        # little further than the reach; what lies beyond is too far to be context.
        lonely = [at for at, beside in enumerate(near) if len(beside) < reach]
        span = reach * SIDE_BY_SIDE
        self._read_episodes(place, [sides[at] for at in lonely], span)
        for at in lonely:
            near[at] = _of_session(sides[at], episodes, span, reach)
        return {
            memory.id: before[::-1] + after
            for memory, before, after in zip(memories, near[::2], near[1::2], strict=True)
        }

    def _read_episodes(self, place: int, sides: Iterable[_Side], span: int) -> None:
        known = self._noticed.episodes[place]
        missing = {at for side in sides for at in side.positions(span)} - known.keys()
        if not missing:
            return
        known.update(dict.fromkeys(missing))
        runs = encode({str(first): last for first, last in _runs(sorted(missing)).items()}).decode()
        rows: Iterable[Row] = self._connection.execute(AROUND, (place, runs))
        notice = self._noticed.memory
        for key, memory_id, position, detail, content in rows:
            known[position] = Episode(session_of(detail), Beside(memory_id, content, position))
            notice(key, place, memory_id, content)

    def happened(
        self, asker: Realm, since: datetime, until: datetime, limit: int
    ) -> Sequence[Memory]:
        """See `Projection.happened`."""
        start, end = to_micros(since), to_micros(until)
        tenant = self._places.tenant(asker.tenant)
        if tenant is None:
            return []
        first, last = self._position_at(tenant, start), self._position_at(tenant, end)
        rows: dict[int, Row] = {}
        for place in self._places.visible(asker):
            for statement, bounds in (
                (HAPPENED_BEFORE, (start, end)),
                (HAPPENED_BEFORE_LAST, (start, end)),
                (HAPPENED_LIVE, (first, last)),
                (HAPPENED_LIVE_LAST, (first, last)),
            ):
                found: Iterable[Row] = self._connection.execute(statement, (place, *bounds, limit))
                rows |= {row[0]: row for row in found}
        ordered = sorted(rows.values(), key=lambda row: (row[14], row[6]))
        return [memory_of(row, self._places) for row in thinned(ordered, limit)]

    def _position_at(self, tenant: int, moment: int) -> int:
        # Recorded time rises with positions, so it can be looked up by halving.
        row = self._connection.execute(LAST, (tenant,)).fetchone()
        low, high = 1, (row[0] if row else 0) + 1
        while low < high:
            middle = (low + high) // 2
            found = self._connection.execute(RECORDED_AT, (tenant, middle)).fetchone()
            if found is not None and found[0] < moment:
                low = middle + 1
            else:
                high = middle
        return low


def _runs(positions: Sequence[int]) -> dict[int, int]:
    """Return where the unbroken runs among rising positions begin, and where each ends."""
    runs: dict[int, int] = {}
    first: int | None = None
    for at in positions:
        if first is None or at != runs[first] + 1:
            first = at
        runs[first] = at
    return runs


def _of_session(
    side: _Side, episodes: Mapping[int, Episode | None], span: int, most: int
) -> list[Beside]:
    """Return the nearest episodes of a memory's session on one side of it."""
    around = side.memory.circumstances
    session = around.session if around else ""
    found = []
    for at in side.positions(span):
        episode = episodes.get(at)
        if episode is not None and episode.session == session:
            found.append(episode.told)
            if len(found) == most:
                break
    return found
