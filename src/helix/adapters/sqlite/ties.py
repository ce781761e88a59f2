"""What ties memories together by likeness and by name.

Also what is set aside with it, by id, while the projection is folded anew.
"""

from __future__ import annotations

from collections.abc import Iterable

import apsw

from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.rows import Row
from helix.model.scope import Realm
from helix.ports.enrichment import (
    MOST_ABOUT,
    MOST_TIES,
    REFERENCES,
    SIMILAR_TO,
    Enriched,
    Tie,
)

KEEP_LIKENESS = (
    "INSERT OR IGNORE INTO likenesses (memory, model, other, place, cosine)"
    " SELECT key, ?2, ?3, place, ?4 FROM memories WHERE key = ?1"
)
KEEP_NAMING = (
    "INSERT OR IGNORE INTO naming (place, thing, about, memory)"
    " SELECT place, ?2, ?3, key FROM memories WHERE key = ?1"
)
DROP_LIKENESSES = "DELETE FROM likenesses WHERE memory = ? AND model = ?"
RESEMBLED = (
    "SELECT m.id, m.place, l.cosine FROM likenesses l JOIN memories m ON m.key = l.other"
    " WHERE l.memory = ? AND l.model = ? AND m.status <> 'purged'"
)
RESEMBLING = (
    "SELECT m.id, m.place, l.cosine FROM likenesses l INDEXED BY likenesses_others"
    " JOIN memories m ON m.key = l.memory"
    " WHERE l.other = ? AND l.model = ? AND m.status <> 'purged' LIMIT ?"
)
NAMED = "SELECT thing, about FROM naming INDEXED BY naming_memories WHERE memory = ?"
CONCERNED = (
    "SELECT m.id FROM naming n JOIN memories m ON m.key = n.memory"
    " WHERE n.place = ? AND n.thing = ? AND n.about = ? AND m.status <> 'purged' LIMIT ?"
)
KEY_OF = "SELECT key, place FROM memories WHERE tenant = ? AND id = ? AND status <> 'purged'"
BY_ID = "memory:"
_KEPT = "m.id = a.id AND m.content = a.content"
_ASIDE = {
    "aside_novelty": "SELECT m.id, m.content, n.surprise, n.nearest FROM memories m"
    " JOIN novelty n ON n.memory = m.key",
    "aside_likenesses": "SELECT m.id, m.content, l.model, o.id AS other, l.cosine FROM memories m"
    " JOIN likenesses l ON l.memory = m.key JOIN memories o ON o.key = l.other",
    "aside_naming": "SELECT m.id, m.content, n.thing, n.about FROM memories m"
    " JOIN naming n ON n.memory = m.key",
}
_BACK = (
    "INSERT INTO novelty (memory, surprise, nearest)"
    " SELECT m.key, a.surprise, a.nearest FROM temp.aside_novelty a"
    f" JOIN memories m ON m.tenant = ?1 AND {_KEPT}",
    "INSERT INTO likenesses (memory, model, other, place, cosine)"
    " SELECT m.key, a.model, o.key, m.place, a.cosine FROM temp.aside_likenesses a"
    f" JOIN memories m ON m.tenant = ?1 AND {_KEPT}"
    " JOIN memories o ON o.tenant = ?1 AND o.id = a.other",
    "INSERT INTO naming (place, thing, about, memory)"
    " SELECT m.place, a.thing, a.about, m.key FROM temp.aside_naming a"
    f" JOIN memories m ON m.tenant = ?1 AND {_KEPT}",
)


class Ties:
    """Reads and writes inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection, places: Places) -> None:
        """Take the connection and its numbering of realms."""
        self._connection = connection
        self._places = places

    def keep(self, model: int | None, each: Enriched) -> None:
        """Keep what was found out about one memory; the first thing found out stays."""
        for about, things in ((0, each.named), (1, each.about)):
            for thing in things:
                self._connection.execute(KEEP_NAMING, (each.key, thing, about))
        for other, cosine in each.similar:
            self._connection.execute(KEEP_LIKENESS, (each.key, model, other, cosine))

    def drop(self, model: int, keys: Iterable[int]) -> None:
        """Drop what a model found out about memories."""
        for key in keys:
            self._connection.execute(DROP_LIKENESSES, (key, model))

    def set_aside(self, tenant: int | None) -> None:
        """See `Enrichment.set_aside`."""
        self._drop_aside()
        for name, rows in _ASIDE.items():
            statement = f"CREATE TEMP TABLE {name} AS {rows} WHERE m.tenant = ?"
            self._connection.execute(statement, (tenant,))

    def bring_back(self, tenant: int | None) -> None:
        """See `Enrichment.bring_back`."""
        for statement in _BACK:
            self._connection.execute(statement, (tenant,))
        self._drop_aside()

    def _drop_aside(self) -> None:
        for name in _ASIDE:
            self._connection.execute(f"DROP TABLE IF EXISTS temp.{name}")

    def of(self, asker: Realm, model: int | None, memory_id: str) -> list[Tie]:
        """See `Enrichment.ties`."""
        key = self._key(asker, memory_id)
        if key is None:
            return []
        visible = set(self._places.visible(asker))
        found = [
            Tie(memory_id, SIMILAR_TO, other, cosine)
            for other, place, cosine in self._rows(RESEMBLED, key, model)
            if place in visible
        ]
        found += [
            Tie(other, SIMILAR_TO, memory_id, cosine)
            for other, place, cosine in self._rows(RESEMBLING, key, model, MOST_TIES)
            if place in visible
        ]
        found += self._references(asker, key, memory_id)
        return sorted(found, key=lambda tie: (-tie.weight, tie.relation, tie.from_id, tie.to_id))

    def _references(self, asker: Realm, key: int, memory_id: str) -> list[Tie]:
        pairs: dict[tuple[str, str], None] = {}
        for thing, about in self._rows(NAMED, key):
            subjects = self._concerned(asker, thing, about=True)
            if about and len(subjects) <= MOST_ABOUT:
                naming = self._concerned(asker, thing, about=False)
                pairs |= dict.fromkeys((other, memory_id) for other in naming)
            elif not about and thing.startswith(BY_ID):
                other = thing.removeprefix(BY_ID)
                if self._key(asker, other) is not None:
                    pairs[memory_id, other] = None
            elif not about and len(subjects) <= MOST_ABOUT:
                pairs |= dict.fromkeys((memory_id, other) for other in subjects)
        saying = self._concerned(asker, BY_ID + memory_id, about=False)
        pairs |= dict.fromkeys((other, memory_id) for other in saying)
        return [Tie(start, REFERENCES, end, 1.0) for start, end in pairs if start != end]

    def _concerned(self, asker: Realm, thing: str, *, about: bool) -> list[str]:
        limit = MOST_ABOUT + 1 if about else MOST_TIES
        ids: list[str] = []
        for place in self._places.visible(asker):
            ids += [row[0] for row in self._rows(CONCERNED, place, thing, int(about), limit)]
        return ids[:limit]

    def _key(self, asker: Realm, memory_id: str) -> int | None:
        tenant = self._places.tenant(asker.tenant)
        row = self._connection.execute(KEY_OF, (tenant, memory_id)).fetchone()
        if row is None or row[1] not in self._places.visible(asker):
            return None
        return int(row[0])

    def _rows(self, statement: str, *bindings: int | str | None) -> list[Row]:
        return self._connection.execute(statement, bindings).fetchall()
