"""Finding by words: the best rows of every visible place, ranked and read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from helix.adapters.sqlite import many_words
from helix.adapters.sqlite.asking import Asking, reading_statement
from helix.adapters.sqlite.noticed import Holding
from helix.adapters.sqlite.rows import MEMORY_COLUMNS, Row, memory_of
from helix.adapters.sqlite.schema import words_table
from helix.adapters.sqlite.standing import Standing, marks, standing
from helix.adapters.sqlite.words import scored, searches, together, weighed
from helix.model.question import Standpoint
from helix.model.scope import Realm
from helix.ports.projection import Groups, Hit

FEWEST_CANDIDATES = 50
RANKED_PER_ANSWER = 4
"""Rows ranked for each that is read: some of them may be past, forgotten or of another type."""

ENOUGH = 20
"""Rows that common words find together which are enough not to look for fewer of them."""


def ranked_statement(place: int) -> str:
    """Return the query for the keys of one place's best rows by words, whatever they are."""
    table = words_table(place)
    return (
        f"SELECT rowid FROM {table} WHERE {table} MATCH ? AND rowid >= ?"
        f" ORDER BY bm25({table}, 0.0, 1.0, 0.6) LIMIT ?"
    )


def words_statement(place: int, seen: Standing, types: int) -> str:
    """Return the query that ranks all of one place's rows by words that may answer."""
    table = words_table(place)
    by_type = f" AND m.type IN ({marks(types)})" if types else ""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM {table} CROSS JOIN memories m"
        f" ON m.key = {table}.rowid{seen.joins}"
        f" WHERE {table} MATCH ? AND {table}.rowid >= ? AND m.place = ?{by_type} AND {seen.where}"
        f" ORDER BY bm25({table}, 0.0, 1.0, 0.6) LIMIT ?"
    )


def waiting_statement(seen: Standing, types: int) -> str:
    """Return the query for a place's newest memories, whose words are not indexed yet."""
    by_type = f" AND m.type IN ({marks(types)})" if types else ""
    return (
        f"SELECT {MEMORY_COLUMNS}, {seen.belief} FROM memories m NOT INDEXED{seen.joins}"
        f" WHERE m.key > ? AND m.place = ?{by_type} AND {seen.where}"
    )


class ByWords(Asking):
    """Implements what of `Projection` takes words."""

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
