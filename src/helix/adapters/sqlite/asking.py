"""The side of the projection that is asked: every method filters by realm in its query."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain, islice

import apsw

from helix.adapters.sqlite import many_words
from helix.adapters.sqlite.noticed import Episode, Holding, Noticed
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import (
    EDGE_COLUMNS,
    MEMORY_COLUMNS,
    Row,
    belief_of,
    edge_of,
    encode,
    memory_of,
    session_of,
)
from helix.adapters.sqlite.schema import words_table
from helix.adapters.sqlite.standing import Standing, believed, standing
from helix.adapters.sqlite.words import WordIndex, scored, searches, together, weighed
from helix.model.edge import Edge
from helix.model.memory import Belief, Memory, Status
from helix.model.moment import to_micros
from helix.model.question import Standpoint
from helix.model.scope import Realm
from helix.model.types import EPISODE
from helix.ports.projection import Beside, Groups, Hit
from helix.rules.thinning import thinned
from helix.rules.validity import statuses_of

FEWEST_CANDIDATES = 50
RANKED_PER_ANSWER = 4
"""Rows ranked for each that is read: some of them may be past, forgotten or of another type."""

ENOUGH = 20
"""Rows that common words find together which are enough not to look for fewer of them."""

SIDE_BY_SIDE = 2
"""Sessions that are taken to run side by side when looking for what happened around."""

BUDGET = "SELECT value FROM counters WHERE name = 'budget' AND owner = ?"
BELIEFS = "SELECT belief FROM past_beliefs WHERE memory = ? ORDER BY until_at"
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
COUNT_STANDING = (
    "SELECT status, count(*) FROM memories WHERE place = ? AND status <> 'purged' GROUP BY status"
)
COUNT_CONCLUDED = (
    "SELECT type, status, count(*) FROM memories WHERE place = ? AND type <> 'episode'"
    " AND status <> 'purged' GROUP BY type, status"
)


def by_id_statement(seen: Standing, places: int) -> str:
    """Return the query for one memory among the visible ones."""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM memories m{seen.joins}"
        f" WHERE m.tenant = ? AND m.id = ? AND m.place IN ({_marks(places)}) AND {seen.where}"
    )


def by_ids_statement(seen: Standing, places: int) -> str:
    """Return the query for several memories among the visible ones."""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM json_each(?) wanted"
        f" CROSS JOIN memories m ON m.tenant = ? AND m.id = wanted.value{seen.joins}"
        f" WHERE m.place IN ({_marks(places)}) AND {seen.where}"
    )


def listing_statement(seen: Standing, status: Status | None, kind: str | None) -> str:
    """Return the query that walks one place newest first, by status or by type."""
    index = "memories_standing" if kind in (None, EPISODE) else "memories_concluded"
    by_status = " AND m.status = ?" if index == "memories_standing" and status else ""
    by_type = " AND m.type = ?" if kind else ""
    partial = " AND m.type <> 'episode'" if index == "memories_concluded" else ""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM memories m INDEXED BY {index}{seen.joins}"
        f" WHERE m.place = ?{by_status}{by_type}{partial} AND m.position < ? AND {seen.where}"
        " ORDER BY m.position DESC, m.key DESC LIMIT ?"
    )


def ranked_statement(place: int) -> str:
    """Return the query for the keys of one place's best rows by words, whatever they are."""
    table = words_table(place)
    return (
        f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid >= ?"
        f" ORDER BY bm25({table}, 0.0, 1.0, 0.6) LIMIT ?"
    )


def reading_statement(seen: Standing, keys: int, types: int) -> str:
    """Return the query that reads those of some memories that may answer."""
    by_type = f" AND m.type IN ({_marks(types)})" if types else ""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM memories m NOT INDEXED{seen.joins}"
        f" WHERE m.key IN ({_marks(keys)}) AND m.place = ?{by_type} AND {seen.where}"
    )


def words_statement(place: int, seen: Standing, types: int) -> str:
    """Return the query that ranks all of one place's rows by words that may answer."""
    table = words_table(place)
    by_type = f" AND m.type IN ({_marks(types)})" if types else ""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM {table} CROSS JOIN memories m"
        f" ON m.key = {table}.rowid{seen.joins}"
        f" WHERE {table} MATCH ? AND {table}.rowid >= ? AND m.place = ?{by_type} AND {seen.where}"
        f" ORDER BY bm25({table}, 0.0, 1.0, 0.6) LIMIT ?"
    )


def waiting_statement(seen: Standing, types: int) -> str:
    """Return the query for a place's newest memories, whose words are not indexed yet."""
    by_type = f" AND m.type IN ({_marks(types)})" if types else ""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM memories m NOT INDEXED{seen.joins}"
        f" WHERE m.key > ? AND m.place = ?{by_type} AND {seen.where}"
    )


def neighbours_statement(places: int, relations: int, *, outgoing: bool) -> str:
    """Return the query for the standing edges on one side of a memory."""
    near, other = ("start", "b") if outgoing else ("finish", "a")
    by_relation = f" AND e.relation IN ({_marks(relations)})" if relations else ""
    return (
        f"SELECT {EDGE_COLUMNS} FROM edges e JOIN memories a ON a.key = e.start"
        f" JOIN memories b ON b.key = e.finish WHERE e.{near} = ?{by_relation}"
        f" AND e.created_at <= ? AND (e.ended_at IS NULL OR e.ended_at > ?)"
        f" AND e.place IN ({_marks(places)}) AND {other}.place IN ({_marks(places)})"
        f" AND {other}.status <> 'purged' ORDER BY e.created_at, e.id"
    )


class Asking:
    """Implements the reading half of `Projection`."""

    def __init__(
        self, connection: apsw.Connection, places: Places, words: WordIndex, noticed: Noticed
    ) -> None:
        """Take the connection, its numbering of realms, its word indexes and what it has read."""
        self._noticed = noticed
        self._connection = connection
        self._places = places
        self._words = words

    def memory(
        self, asker: Realm, memory_id: str, believed_on: datetime | None = None
    ) -> Memory | None:
        """See `Projection.memory`."""
        row = self._row(asker, memory_id, believed_on)
        if row is None:
            return None
        self._noticed.rows([row])
        return memory_of(row, self._places)

    def memories(
        self, asker: Realm, memory_ids: Sequence[str], believed_on: datetime | None = None
    ) -> Mapping[str, Memory]:
        """See `Projection.memories`."""
        seen = believed(believed_on)
        places = self._places.visible(asker)
        # The ids come first in the statement, the moment of the belief where it is joined.
        bindings = (
            encode(list(memory_ids)).decode(), self._places.tenant(asker.tenant),
            *seen.joins_bindings, *places, *seen.where_bindings,
        )  # fmt: skip
        statement = by_ids_statement(seen, len(places))
        rows: list[Row] = self._connection.execute(statement, bindings).fetchall()
        self._noticed.rows(rows)
        return {row[2]: memory_of(row, self._places) for row in rows}

    def listing(
        self,
        asker: Realm,
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
        before: int | None = None,
        statuses: Sequence[Status] | None = None,
    ) -> Sequence[Memory]:
        """See `Projection.listing`."""
        seen = standing(standpoint, statuses)
        end = 1 << 62 if before is None else before
        streams = [
            self._walk(seen, place, status, kind, end, limit)
            for place in self._places.visible(asker)
            for status, kind in _walks(standpoint, statuses, types)
        ]
        newest = heapq.merge(*streams, key=lambda row: (-row[6], -row[0]))
        return [memory_of(row, self._places) for row in islice(newest, limit)]

    def by_words(
        self,
        asker: Realm,
        words: Sequence[str],
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
    ) -> Sequence[Hit]:
        """See `Projection.by_words`."""
        phrases = self._words.phrases(words)
        stems = {stem for phrase in phrases.values() for stem in phrase}
        holdings = [self._words.holding(place, stems) for place in self._places.visible(asker)]
        seen = standing(standpoint)
        rows: list[Row] = []
        for holding in holdings:
            rows += self._waiting(holding.place, seen, types, phrases)
            rows += self._searched(holding, seen, types, phrases, max(FEWEST_CANDIDATES, limit))
        self._noticed.rows(rows)
        counted = self._words.counted([row[5] for row in rows], stems)
        ranked = sorted(
            zip(
                scored([[each] for each in counted], phrases, holdings),
                rows,
                counted,
                strict=True,
            ),
            key=lambda each: (-each[0], -each[1][6], each[1][0]),
        )
        return [
            Hit(
                memory_of(row, self._places),
                score,
                tuple(
                    word for word, cut in phrases.items() if self._words.holds(row[5], counts, cut)
                ),
            )
            for score, row, counts in ranked[:limit]
        ]

    def _searched(
        self,
        holding: Holding,
        seen: Standing,
        types: Sequence[str],
        phrases: dict[str, tuple[str, ...]],
        limit: int,
    ) -> list[Row]:
        found: dict[int, Row] = {}
        for search in searches(phrases, holding):
            bounds = (search.match, self._words.newest(search.share))
            found |= self._read_best(holding.place, bounds, seen, types, limit)
            if len(found) >= ENOUGH:
                break
        return list(found.values())

    def _read_best(
        self,
        place: int,
        bounds: tuple[str, int],
        seen: Standing,
        types: Sequence[str],
        limit: int,
    ) -> dict[int, Row]:
        # Ranking keys and reading the best of them spares reading every row that matches. Only
        # where few of the best may answer must all rows be judged before they are ranked.
        most = limit * RANKED_PER_ANSWER
        best = self._ranked(place, bounds, most)
        found: dict[int, Row] = {}
        for start in range(0, len(best), limit):
            keys = best[start : start + limit]
            bindings = (*seen.joins_bindings, *keys, place, *types, *seen.where_bindings)
            statement = reading_statement(seen, len(keys), len(types))
            rows: Iterable[Row] = self._connection.execute(statement, bindings)
            found |= {row[0]: row for row in rows}
            if len(found) >= limit:
                return found
        if len(best) == most:
            statement = words_statement(place, seen, len(types))
            bindings = (*seen.joins_bindings, *bounds, place, *types, *seen.where_bindings, limit)
            found = {row[0]: row for row in self._connection.execute(statement, bindings)}
        return found

    def _ranked(self, place: int, bounds: tuple[str, int], most: int) -> list[int]:
        # A question is asked from two views, the current one and the archive's: ranked once.
        wanted, known = self._noticed.ranked.get((place, *bounds), (0, []))
        if wanted < most:
            rows: Iterable[Row] = self._connection.execute(ranked_statement(place), (*bounds, most))
            known = [row[0] for row in rows]
            self._noticed.ranked[place, *bounds] = (most, known)
        return known[:most]

    def _waiting(
        self,
        place: int,
        seen: Standing,
        types: Sequence[str],
        phrases: Mapping[str, tuple[str, ...]],
    ) -> list[Row]:
        bindings = (
            *seen.joins_bindings, self._words.indexed(), place, *types, *seen.where_bindings
        )  # fmt: skip
        rows: Iterable[Row] = self._connection.execute(
            waiting_statement(seen, len(types)), bindings
        )
        return [row for row in rows if self._words.matches(row[5], phrases.values())]

    def word_scores(
        self, asker: Realm, words: Sequence[str], kinds: Sequence[Groups]
    ) -> Sequence[Sequence[float]]:
        """See `Projection.word_scores`."""
        phrases = self._words.phrases(words)
        stems = {stem for phrase in phrases.values() for stem in phrase}
        holdings = [self._words.holding(place, stems) for place in self._places.visible(asker)]
        texts = list(dict.fromkeys(chain.from_iterable(chain.from_iterable(kinds))))
        if many_words.is_at_hand():
            weights, average = weighed(phrases, holdings)
            counts = many_words.Counts(self._words.numbers_of(texts), weights)
            return [counts.scores(groups, average * together(groups)) for groups in kinds]
        counted = dict(zip(texts, self._words.counted(texts, stems), strict=True))
        return [
            scored([[counted[text] for text in group] for group in groups], phrases, holdings)
            for groups in kinds
        ]

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
            near = self._looked_around(place, here, reach, reach)
            lonely = [each for each in here if len(near[each.id]) < 2 * reach]
            # Sessions that run side by side lie between each other in the ledger, so look a
            # little further than the reach; what lies beyond is too far to be context.
            found |= near | self._looked_around(place, lonely, reach, reach * SIDE_BY_SIDE)
        return found

    def _looked_around(
        self, place: int, memories: Sequence[Memory], reach: int, span: int
    ) -> dict[str, Sequence[Beside]]:
        episodes = self._episodes_near(place, {each.position for each in memories}, span)
        found: dict[str, Sequence[Beside]] = {}
        for memory in memories:
            session = memory.circumstances.session if memory.circumstances else ""
            at = memory.position
            before = _of_session(session, episodes, range(at - 1, at - span - 1, -1), reach)
            before.reverse()
            after = _of_session(session, episodes, range(at + 1, at + span + 1), reach)
            found[memory.id] = before + after
        return found

    def _episodes_near(
        self, place: int, positions: set[int], span: int
    ) -> Mapping[int, Episode | None]:
        known = self._noticed.episodes.setdefault(place, {})
        wanted = {at for each in positions for at in range(each - span, each + span + 1)}
        missing = wanted - known.keys()
        known.update(dict.fromkeys(missing))
        runs = encode({str(first): last for first, last in _runs(sorted(missing)).items()}).decode()
        rows: Iterable[Row] = self._connection.execute(AROUND, (place, runs))
        for key, memory_id, position, detail, content in rows:
            known[position] = Episode(session_of(detail), Beside(memory_id, content, position))
            self._noticed.memory(key, place, memory_id, content)
        return known

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

    def neighbours(
        self,
        asker: Realm,
        memory_id: str,
        *,
        relations: Sequence[str] = (),
        believed_on: datetime | None = None,
    ) -> Sequence[Edge]:
        """See `Projection.neighbours`."""
        row = self._row(asker, memory_id, believed_on)
        if row is None:
            return []
        moment = (1 << 62) if believed_on is None else to_micros(believed_on)
        places = self._places.visible(asker)
        bindings = (row[0], *relations, moment, moment, *places, *places)
        found = {}
        for outgoing in (True, False):
            statement = neighbours_statement(len(places), len(relations), outgoing=outgoing)
            for edge_row in self._connection.execute(statement, bindings):
                found[edge_row[1]] = edge_row
        return [edge_of(edge_row, self._places) for edge_row in found.values()]

    def beliefs(self, asker: Realm, memory_id: str) -> Sequence[Belief]:
        """See `Projection.beliefs`."""
        row = self._row(asker, memory_id, None)
        if row is None:
            return []
        past = self._connection.execute(BELIEFS, (row[0],))
        return [*(belief_of(each[0]) for each in past), belief_of(row[13])]

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

    def importance_budget(self, realm: Realm) -> int:
        """See `Projection.importance_budget`."""
        row = self._connection.execute(BUDGET, (self._places.place(realm),)).fetchone()
        return 0 if row is None else row[0]

    def _row(self, asker: Realm, memory_id: str, believed_on: datetime | None) -> Row | None:
        seen = believed(believed_on)
        places = self._places.visible(asker)
        bindings = (
            *seen.joins_bindings, self._places.tenant(asker.tenant), memory_id, *places,
            *seen.where_bindings,
        )  # fmt: skip
        return self._connection.execute(by_id_statement(seen, len(places)), bindings).fetchone()

    def _walk(  # noqa: PLR0917 - one private step of `listing`
        self, seen: Standing, place: int, status: Status | None, kind: str | None,
        end: int, limit: int,
    ) -> Iterator[Row]:  # fmt: skip
        by_status = status is not None and kind in (None, EPISODE)
        bindings = [*seen.joins_bindings, place]
        if by_status and status is not None:
            bindings.append(status.value)
        if kind is not None:
            bindings.append(kind)
        bindings += [end, *seen.where_bindings, limit]
        yield from self._connection.execute(listing_statement(seen, status, kind), bindings)


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
    session: str, episodes: Mapping[int, Episode | None], places: range, most: int
) -> list[Beside]:
    """Return the first episodes of a session at some positions, in the order of these."""
    found = []
    for at in places:
        episode = episodes.get(at)
        if episode is not None and episode.session == session:
            found.append(episode.told)
            if len(found) == most:
                break
    return found


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


def _marks(count: int) -> str:
    return ", ".join("?" * count)
