"""The vectors of words, kept in SQLite beside those of whole memories.

A trigger lets them go with the vector they belong to (`schema`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import apsw

from helix.adapters.sqlite.rows import MEMORY_COLUMNS, Row
from helix.adapters.sqlite.schema import HALF

KEEP = (
    "INSERT OR IGNORE INTO word_vectors (sequence, words)"
    " SELECT sequence, ?3 FROM vectors WHERE memory = ?1 AND model = ?2"
)
DROP = (
    "DELETE FROM word_vectors WHERE sequence ="
    " (SELECT sequence FROM vectors WHERE memory = ? AND model = ?)"
)
# The index holds the number of the vector; the vector itself is not read.
BY_KEY = (
    "SELECT v.memory, w.words FROM json_each(?) wanted"
    " CROSS JOIN vectors v INDEXED BY vectors_memories"
    " ON v.memory = wanted.value AND v.model = ?"
    " CROSS JOIN word_vectors w ON w.sequence = v.sequence"
)
# What was embedded before this layout of the file, up to a mark that comes down as it is done.
WORDLESS = (
    f"SELECT {MEMORY_COLUMNS}, m.belief FROM vectors v CROSS JOIN memories m ON m.key = v.memory"
    " WHERE v.sequence <= (SELECT value FROM counters WHERE name = 'unworded' AND owner = 0)"
    f" AND v.model = ? AND v.bits = {HALF} AND m.status <> 'purged'"
    " AND NOT EXISTS (SELECT 1 FROM word_vectors w WHERE w.sequence = v.sequence)"
    " ORDER BY v.sequence DESC LIMIT ?"
)
WORDED = (
    # Another process may have come further meanwhile.
    "UPDATE counters SET value ="
    " min(value, (SELECT sequence - 1 FROM vectors WHERE memory = ? AND model = ?))"
    " WHERE name = 'unworded' AND owner = 0"
)
WORDLESS_AGAIN = (
    "UPDATE counters SET value = coalesce((SELECT max(sequence) FROM vectors), value)"
    " WHERE name = 'unworded' AND owner = 0"
)
_BRING_BACK = (
    "INSERT INTO word_vectors (sequence, words) SELECT v.sequence, a.words"
    " FROM temp.aside_vectors a"
    " JOIN memories m ON m.tenant = ? AND m.id = a.id AND m.content = a.content"
    " JOIN vectors v ON v.memory = m.key AND v.model = a.model WHERE a.words IS NOT NULL"
)


class WordVectors:
    """Keeps and reads them inside one connection's transaction; memories go by their keys."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Take the connection."""
        self._connection = connection

    def keep(self, model: int | None, memory: int, words: bytes) -> None:
        """Keep a memory's, unless there are none or they are kept already."""
        if words:
            self._connection.execute(KEEP, (memory, model, words))

    def drop(self, model: int | None, memory: int) -> None:
        """Drop a memory's."""
        self._connection.execute(DROP, (memory, model))

    def of(self, model: int, memories: Iterable[int]) -> Mapping[int, bytes]:
        """Return those of some memories; who has none is left out."""
        rows: Iterable[Row] = self._connection.execute(BY_KEY, (str(list(memories)), model))
        return {row[0]: row[1] for row in rows}

    def wordless(self, model: int | None, limit: int) -> Iterable[Row]:
        """Return the rows of memories that were embedded before there were any, newest first."""
        return self._connection.execute(WORDLESS, (model, limit))

    def give(self, model: int | None, words: Sequence[tuple[int, bytes]]) -> None:
        """Keep those of some memories in the order of `wordless`, and come to the next ones."""
        for memory, body in words:
            self.keep(model, memory, body)
        if words:
            self._connection.execute(WORDED, (words[-1][0], model))

    def bring_back(self, tenant: int | None) -> None:
        """Give those that were set aside with vectors to the vectors that came back."""
        self._connection.execute(_BRING_BACK, (tenant,))
        # They have new numbers; those with words are passed over quickly.
        self._connection.execute(WORDLESS_AGAIN)
