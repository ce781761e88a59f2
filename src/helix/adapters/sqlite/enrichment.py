"""Vectors and mentions, kept in SQLite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import apsw

from helix.adapters.sqlite.asking import reading_statement
from helix.adapters.sqlite.lengths import readable
from helix.adapters.sqlite.mending import Mending
from helix.adapters.sqlite.noticed import Noticed
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import MEMORY_COLUMNS, Row, encode, memory_of
from helix.adapters.sqlite.schema import HALF
from helix.adapters.sqlite.standing import standing
from helix.adapters.sqlite.ties import Ties
from helix.adapters.sqlite.word_vectors import WordVectors
from helix.model.memory import Memory
from helix.model.moment import from_micros
from helix.model.question import Standpoint
from helix.model.scope import Realm
from helix.ports.embedder import unlike
from helix.ports.enrichment import Enriched, Held, Lag, Novelty, Tie

if TYPE_CHECKING:
    from helix.adapters.sqlite.meaning import MeaningIndex
    from helix.rules.similarity import Vectors

DROPPED = "dropped "
MODEL = "SELECT key FROM models WHERE name = ?"
ENSURE_MODEL = (
    # It has none while nothing but words was read under its name.
    "INSERT INTO models (name, dimension, reached) VALUES (?, ?, 0)"
    " ON CONFLICT (name) DO UPDATE SET dimension = excluded.dimension WHERE dimension = 0"
)
REACHED = "SELECT reached FROM models WHERE name = ?"
REACH = "UPDATE models SET reached = ?2 WHERE name = ?1 AND reached < ?2"
WAITING = (
    f"SELECT {MEMORY_COLUMNS}, m.belief FROM memories m"
    " WHERE m.key > ? AND m.status <> 'purged' ORDER BY m.key LIMIT ?"
)
BEHIND = "SELECT count(*), min(recorded_at) FROM memories WHERE key > ? AND status <> 'purged'"
KEEP_VECTOR = (
    "INSERT OR IGNORE INTO vectors (memory, place, model, vector)"
    " SELECT key, place, ?2, ?3 FROM memories WHERE key = ?1"
)
KEEP_MENTION = (
    "INSERT OR IGNORE INTO mentions (place, entity, memory)"
    " SELECT place, ?2, key FROM memories WHERE key = ?1"
)
MODELS = (
    "SELECT m.name, (SELECT count(*) FROM vectors v WHERE v.model = m.key) FROM models m"
    f" WHERE m.name NOT GLOB '{DROPPED}[0-9]*' ORDER BY m.key"
)
# The row stays under another name: were its number given again, indexes in other processes
# would take the vectors of two models for those of one.
SET_ASIDE = (
    f"UPDATE models SET name = '{DROPPED}' || key WHERE name = ?"
    f" AND name NOT GLOB '{DROPPED}[0-9]*' RETURNING name"
)
DROP_SOME = (
    "DELETE FROM vectors WHERE sequence IN (SELECT sequence FROM vectors INDEXED BY vectors_places"
    " WHERE place = ? AND model = ? LIMIT ?) RETURNING memory"
)
DROP_DONE = "UPDATE models SET dimension = 0, reached = 0 WHERE name = ?"
MENTIONS_OF = (
    "SELECT n.entity FROM memories m JOIN mentions n INDEXED BY mentions_memories"
    " ON n.memory = m.key WHERE m.tenant = ? AND m.id = ?"
)
MENTIONING = (
    "SELECT m.id FROM mentions n JOIN memories m ON m.key = n.memory"
    " WHERE n.place = ? AND n.entity = ? AND m.status <> 'purged' LIMIT ?"
)
VECTORS_OF = (
    "SELECT m.id, m.place, v.vector, v.bits FROM json_each(?3) wanted"
    " CROSS JOIN memories m ON m.tenant = ?1 AND m.id = wanted.value AND m.status <> 'purged'"
    " CROSS JOIN vectors v ON v.memory = m.key AND v.model = ?2"
)
VECTORS_BY_KEY = (
    "SELECT v.memory, v.vector, v.bits FROM json_each(?) wanted"
    " CROSS JOIN vectors v ON v.memory = wanted.value AND v.model = ?"
)
KEEP_NOVELTY = (
    # The first measure counts: a memory is new once.
    "INSERT OR IGNORE INTO novelty SELECT key, ?2, ?3 FROM memories WHERE key = ?1"
)
NOVELTY = "SELECT surprise, nearest FROM novelty WHERE memory = ?"
KEPT_OF = VECTORS_OF.replace("m.place, v.vector", "m.place, m.key, v.vector")
PRECISIONS = (
    "SELECT bits, count(*), sum(length(vector)) FROM vectors INDEXED BY vectors_places"
    " WHERE place = ? AND model = ? GROUP BY bits ORDER BY bits DESC"
)
REPLACE_VECTOR = "UPDATE vectors SET vector = ?, bits = ? WHERE memory = ? AND model = ?"
DIMENSION = "SELECT dimension FROM models WHERE name = ?"
KEY_OF = "SELECT key, place FROM memories WHERE tenant = ? AND id = ? AND status <> 'purged'"
_ASIDE_VECTORS = (
    "CREATE TEMP TABLE aside_vectors AS SELECT m.id, m.content, v.model, v.vector, v.bits, w.words"
    " FROM memories m JOIN vectors v ON v.memory = m.key"
    " LEFT JOIN word_vectors w ON w.sequence = v.sequence WHERE m.tenant = ?"
)
_ASIDE_MENTIONS = (
    "CREATE TEMP TABLE aside_mentions AS SELECT m.id, m.content, n.entity"
    " FROM memories m JOIN mentions n ON n.memory = m.key WHERE m.tenant = ?"
)
_BACK_VECTORS = (
    "INSERT INTO vectors (memory, place, model, vector, bits)"
    " SELECT m.key, m.place, a.model, a.vector, a.bits FROM temp.aside_vectors a"
    " JOIN memories m ON m.tenant = ? AND m.id = a.id AND m.content = a.content ORDER BY m.key"
)
_BACK_MENTIONS = (
    "INSERT OR IGNORE INTO mentions (place, entity, memory)"
    " SELECT m.place, a.entity, m.key FROM temp.aside_mentions a"
    " JOIN memories m ON m.tenant = ? AND m.id = a.id AND m.content = a.content"
)
# A model has come as far as there is no gap. Where it keeps no vectors at all, nothing can be
# told from them, and what it finds out is found out again.
_REACH_AGAIN = (
    "UPDATE models SET reached = coalesce((SELECT min(m.key) - 1 FROM memories m"
    " WHERE m.key > models.reached AND NOT EXISTS"
    " (SELECT 1 FROM vectors v WHERE v.memory = m.key AND v.model = models.key)),"
    " (SELECT max(key) FROM memories), reached)"
    " WHERE EXISTS (SELECT 1 FROM vectors v WHERE v.model = models.key)"
)
MOST_TRIES = 4


class SqliteEnrichment:
    """Implements `Enrichment` inside one connection's transaction."""

    def __init__(
        self,
        connection: apsw.Connection,
        places: Places,
        index: Callable[[], MeaningIndex],
        noticed: Noticed,
    ) -> None:
        """Take the connection, its numbering, a way to the vector indexes and what was read.

        The indexes bring numpy, which takes longer to load than a recall by words.
        """
        self._noticed = noticed
        self._connection = connection
        self._places = places
        self._index = index
        self._ties = Ties(connection, places)
        self._words = WordVectors(connection)
        self._mending = Mending(connection)

    def waiting(self, model: str, limit: int) -> Sequence[tuple[int, Memory]]:
        """See `Enrichment.waiting`."""
        rows: Iterable[Row] = self._connection.execute(WAITING, (self._reached(model), limit))
        return [(row[0], memory_of(row, self._places)) for row in rows]

    def keep(self, model: str, dimension: int, enriched: Sequence[Enriched]) -> None:
        """See `Enrichment.keep`."""
        self._connection.execute(ENSURE_MODEL, (model, dimension))
        if dimension:
            self._expect(model, dimension)
        number = self._model(model)
        for each in enriched:
            if each.vector:
                self._connection.execute(KEEP_VECTOR, (each.key, number, each.vector))
            self._words.keep(number, each.key, each.words)
            if each.novelty is not None:
                found = each.novelty
                self._connection.execute(KEEP_NOVELTY, (each.key, found.surprise, found.nearest))
            for entity in each.entities:
                self._connection.execute(KEEP_MENTION, (each.key, entity))
            self._ties.keep(number, each)
        if enriched:
            self._connection.execute(REACH, (model, max(each.key for each in enriched)))
        self._mending.mend()

    def unmended(self) -> bool:
        """See `Enrichment.unmended`."""
        return self._mending.owed()

    def mend(self) -> int:
        """See `Enrichment.mend`."""
        return self._mending.mend()

    def lag(self, model: str) -> Lag:
        """See `Enrichment.lag`."""
        row = self._connection.execute(BEHIND, (self._reached(model),)).fetchone()
        assert row is not None  # an aggregate always has a row
        return Lag(row[0], None if row[1] is None else from_micros(row[1]))

    def models(self) -> Sequence[tuple[str, int]]:
        """See `Enrichment.models`."""
        rows: list[Row] = self._connection.execute(MODELS).fetchall()
        return [(row[0], row[1]) for row in rows]

    def drop(self, model: str, at_most: int | None = None) -> bool:
        """See `Enrichment.drop`."""
        aside: list[Row] = self._connection.execute(SET_ASIDE, (model,)).fetchall()
        name = aside[0][0] if aside else model
        number = self._model(name)
        if number is None:
            return True
        room = -1 if at_most is None else at_most
        for place in self._places.every():
            if room == 0:
                return False
            gone: list[Row] = self._connection.execute(DROP_SOME, (place, number, room)).fetchall()
            self._ties.drop(number, [row[0] for row in gone])
            room -= len(gone) if room > 0 else 0
        if room == 0:
            return False
        self._connection.execute(DROP_DONE, (name,))
        self._index().forget()
        return True

    def set_aside(self, tenant: str) -> None:
        """See `Enrichment.set_aside`."""
        number = self._places.tenant(tenant)
        self._drop_aside()
        # Temporary tables lie in memory: nothing of an erased text reaches another file.
        self._connection.execute(_ASIDE_VECTORS, (number,))
        self._connection.execute(_ASIDE_MENTIONS, (number,))
        self._ties.set_aside(number)

    def bring_back(self, tenant: str) -> None:
        """See `Enrichment.bring_back`."""
        number = self._places.tenant(tenant)
        self._connection.execute(_BACK_VECTORS, (number,))
        self._mending.mend()
        self._words.bring_back(number)
        self._connection.execute(_BACK_MENTIONS, (number,))
        self._connection.execute(_REACH_AGAIN)
        self._ties.bring_back(number)
        self._drop_aside()

    def _drop_aside(self) -> None:
        self._connection.execute("DROP TABLE IF EXISTS temp.aside_vectors")
        self._connection.execute("DROP TABLE IF EXISTS temp.aside_mentions")

    def ahead(self, asker: Realm, model: str) -> Callable[[Vectors], None]:
        """See `Enrichment.ahead`."""
        number = self._model(model)
        if number is None:
            return lambda _: None
        places, dimension = self._places.visible(asker), self._dimension(model)
        compare = self._index().ahead(self._connection, places, number, dimension)
        # What is of another length is refused where it is asked for.
        return lambda asked: compare(asked) if len(asked) == dimension else None

    def by_meaning(
        self,
        asker: Realm,
        model: str,
        asked: Vectors,
        standpoint: Standpoint,
        *,
        types: Sequence[str] = (),
        limit: int = 50,
    ) -> Sequence[tuple[Memory, float]]:
        """See `Enrichment.by_meaning`."""
        number = self._model(model)
        if number is None:
            return []
        self._expect(model, len(asked))
        found: list[tuple[Memory, float]] = []
        for place in self._places.visible(asker):
            found += self._of_place(place, number, asked, standpoint, types, limit)
        found.sort(key=lambda pair: (-pair[1], pair[0].position))
        return found[:limit]

    def vectors_of(
        self, asker: Realm, model: str, memory_ids: Sequence[str]
    ) -> Mapping[str, Vectors]:
        """See `Enrichment.vectors_of`."""
        held = self.held_of(asker, model, memory_ids)
        return {memory_id: each.vector for memory_id, each in held.items()}

    def held_of(self, asker: Realm, model: str, memory_ids: Sequence[str]) -> Mapping[str, Held]:
        """See `Enrichment.held_of`."""
        from helix.rules import precision  # noqa: PLC0415 - see `__init__`

        number = self._model(model)
        if number is None:
            return {}
        dimension = self._dimension(model)
        held: dict[str, Held] = {}
        read: list[Row] = []
        unread = set(memory_ids)
        visible = self._places.visible(asker)
        for place, known in self._noticed.keys(memory_ids, visible).items():
            unread.difference_update(known.values())
            kept = self._index().held(self._connection, place, number, dimension, list(known))
            if kept is not None:
                each = zip(kept[0].tolist(), kept[1], kept[2].tolist(), strict=True)
                held |= {known[key]: Held(vector, bits) for key, vector, bits in each}
                continue
            bindings: tuple[object, ...] = (str(list(known)), number)
            rows: Iterable[Row] = self._connection.execute(VECTORS_BY_KEY, bindings)
            read += [(known[key], vector, bits) for key, vector, bits in rows]
        if unread:
            bindings = (self._places.tenant(asker.tenant), number, _listed(sorted(unread)))
            rows = self._connection.execute(VECTORS_OF, bindings)
            read += [(row[0], row[2], row[3]) for row in rows if row[1] in visible]
        if read := readable(read, dimension):
            ids, bodies, bits = zip(*read, strict=True)
            vectors = precision.read(bodies, bits, dimension)
            held |= {each: Held(*rest) for each, *rest in zip(ids, vectors, bits, strict=True)}
        return held

    def words_of(self, asker: Realm, model: str, memory_ids: Sequence[str]) -> Mapping[str, bytes]:
        """See `Enrichment.words_of`."""
        number = self._model(model)
        if number is None:
            return {}
        id_of = self._keys(asker, memory_ids)
        return {id_of[key]: words for key, words in self._words.of(number, id_of).items()}

    def wordless(self, model: str, limit: int) -> Sequence[tuple[int, Memory]]:
        """See `Enrichment.wordless`."""
        rows = self._words.wordless(self._model(model), limit)
        return [(row[0], memory_of(row, self._places)) for row in rows]

    def keep_words(self, model: str, words: Sequence[tuple[int, bytes]]) -> None:
        """See `Enrichment.keep_words`."""
        self._words.give(self._model(model), words)

    def novelty_of(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, Novelty]:
        """See `Enrichment.novelty_of`."""
        found = {}
        for memory_id in memory_ids:
            key = self._visible_key(asker, memory_id)
            row = key and self._connection.execute(NOVELTY, (key,)).fetchone()
            if row:
                found[memory_id] = Novelty(*row)
        return found

    def precisions(self, realm: Realm, model: str) -> Sequence[tuple[int, int, int]]:
        """See `Enrichment.precisions`."""
        bindings = (self._places.place(realm), self._model(model))
        rows: list[Row] = self._connection.execute(PRECISIONS, bindings).fetchall()
        return [(row[0], row[1], row[2]) for row in rows]

    def bits_of(self, realm: Realm, model: str, memory_ids: Sequence[str]) -> Mapping[str, int]:
        """See `Enrichment.bits_of`."""
        return {row[0]: row[4] for row in self._of_realm(realm, model, memory_ids)}

    def coarsen(self, realm: Realm, model: str, bits: Mapping[str, int]) -> int:
        """See `Enrichment.coarsen`."""
        from helix.rules import precision  # noqa: PLC0415 - see `__init__`

        number, dimension = self._model(model), self._dimension(model)
        place = self._places.place(realm)
        if number is None or place is None:
            return 0
        held = readable(self._of_realm(realm, model, list(bits)), dimension)
        rows = [row for row in held if row[4] > bits[row[0]]]
        for wanted in {bits[row[0]] for row in rows}:
            chosen = [row for row in rows if bits[row[0]] == wanted]
            before = [row[3] for row in chosen], [row[4] for row in chosen]
            vectors = precision.read(*before, dimension)
            bodies = precision.coarse(vectors, wanted)
            for row, body in zip(chosen, bodies, strict=True):
                self._connection.execute(REPLACE_VECTOR, (body, wanted, row[2], number))
                self._words.drop(number, row[2])
            coarser = precision.fine(bodies, wanted, dimension)
            self._index().replace(place, number, [row[2] for row in chosen], coarser, wanted)
        return len(rows)

    def refine(self, realm: Realm, model: str, vectors: Mapping[str, tuple[bytes, bytes]]) -> None:
        """See `Enrichment.refine`."""
        number = self._model(model)
        for row in self._of_realm(realm, model, list(vectors)):
            vector, words = vectors[row[0]]
            self._expect(model, len(vector) * 8 // HALF)
            self._connection.execute(REPLACE_VECTOR, (vector, HALF, row[2], number))
            self._words.keep(number, row[2], words)
        # What was read coarsely before is read again.
        self._index().forget()

    def entities_of(self, asker: Realm, memory_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `Enrichment.entities_of`."""
        tenant = self._places.tenant(asker.tenant)
        found: dict[str, tuple[str, ...]] = {}
        for memory_id in memory_ids:
            if self._visible_key(asker, memory_id) is not None:
                rows: list[Row] = self._connection.execute(
                    MENTIONS_OF, (tenant, memory_id)
                ).fetchall()
                found[memory_id] = tuple(row[0] for row in rows)
        return found

    def mentioning(
        self, asker: Realm, entities: Sequence[str], at_most: int
    ) -> Mapping[str, Sequence[str]]:
        """See `Enrichment.mentioning`."""
        found: dict[str, Sequence[str]] = {}
        places = self._places.visible(asker)
        for entity in entities:
            ids: list[str] = []
            for place in places:
                rows: list[Row] = self._connection.execute(
                    MENTIONING, (place, entity, at_most + 1)
                ).fetchall()
                ids += [row[0] for row in rows]
            if len(ids) <= at_most:
                found[entity] = ids
        return found

    def nearest(
        self, realm: Realm, model: str, asked: Vectors, count: int
    ) -> Sequence[Sequence[tuple[int, float]]]:
        """See `Enrichment.nearest`."""
        number, place = self._model(model), self._places.place(realm)
        if number is None or place is None:
            return [[] for _ in asked]
        self._expect(model, asked.shape[1])
        found = self._index().nearest_of_each(self._connection, place, number, asked, count)
        return [sorted(near, key=lambda each: (-each[1], each[0]))[:count] for near in found]

    def ties(self, asker: Realm, model: str, memory_id: str) -> Sequence[Tie]:
        """See `Enrichment.ties`."""
        return self._ties.of(asker, self._model(model), memory_id)

    def _of_place(  # noqa: PLR0917 - one private step of `by_meaning`
        self, place: int, model: int, asked: Vectors, standpoint: Standpoint,
        types: Sequence[str], limit: int,
    ) -> list[tuple[Memory, float]]:  # fmt: skip
        # What may answer is judged by the row; if too many of the nearest may not, look wider.
        wanted = limit
        for _ in range(MOST_TRIES):
            nearest = self._index().nearest(self._connection, place, model, asked, wanted)
            kept = self._answering(place, nearest, standpoint, types)
            if len(kept) >= limit or len(nearest) < wanted:
                break
            wanted *= 4
        return kept[:limit]

    def _answering(
        self,
        place: int,
        nearest: list[tuple[int, float]],
        standpoint: Standpoint,
        types: Sequence[str],
    ) -> list[tuple[Memory, float]]:
        if not nearest:
            return []
        seen = standing(standpoint)
        keys = [key for key, _ in nearest]
        bindings = (*seen.joins_bindings, *keys, place, *types, *seen.where_bindings)
        statement = reading_statement(seen, len(keys), len(types))
        rows: list[Row] = self._connection.execute(statement, bindings).fetchall()
        self._noticed.rows(rows)
        found = {row[0]: memory_of(row, self._places) for row in rows}
        return [(found[key], cosine) for key, cosine in nearest if key in found]

    def _of_realm(self, realm: Realm, model: str, memory_ids: Sequence[str]) -> list[Row]:
        bindings = (self._places.tenant(realm.tenant), self._model(model), _listed(memory_ids))
        rows: Iterable[Row] = self._connection.execute(KEPT_OF, bindings)
        place = self._places.place(realm)
        return [row for row in rows if row[1] == place]

    def _expect(self, model: str, numbers: int) -> None:
        kept = self._dimension(model)
        if kept not in (0, numbers):
            raise unlike(numbers, kept)

    def _dimension(self, model: str) -> int:
        row = self._connection.execute(DIMENSION, (model,)).fetchone()
        return 0 if row is None else row[0]

    def _reached(self, model: str) -> int:
        row = self._connection.execute(REACHED, (model,)).fetchone()
        return 0 if row is None else row[0]

    def _model(self, name: str) -> int | None:
        row = self._connection.execute(MODEL, (name,)).fetchone()
        return None if row is None else row[0]

    def _keys(self, asker: Realm, memory_ids: Sequence[str]) -> dict[int, str]:
        """Return the ids of visible memories by their keys."""
        unread = set(memory_ids)
        found: dict[int, str] = {}
        for known in self._noticed.keys(memory_ids, self._places.visible(asker)).values():
            found |= known
            unread.difference_update(known.values())
        for memory_id in sorted(unread):
            key = self._visible_key(asker, memory_id)
            if key is not None:
                found[key] = memory_id
        return found

    def _visible_key(self, asker: Realm, memory_id: str) -> int | None:
        tenant = self._places.tenant(asker.tenant)
        row = self._connection.execute(KEY_OF, (tenant, memory_id)).fetchone()
        if row is None or row[1] not in self._places.visible(asker):
            return None
        return int(row[0])


def _listed(texts: Sequence[str]) -> str:
    return encode(texts).decode()
