"""Vectors that are not as long as their precision says: marked right, or made anew.

A fold that forgot the precision of coarse vectors has left such rows, and damage may. The length
itself tells a precision, so most are only marked; where it tells none, the vector goes and its
memory waits to be embedded again. A vector is looked at once, up to a mark that goes up; `keep`
takes it along, so there is seldom more to look at than what has just come.
"""

from __future__ import annotations

import apsw

from helix.adapters.sqlite.generations import begin_another
from helix.adapters.sqlite.lengths import COARSE, SCALE, lengths
from helix.adapters.sqlite.rows import Row
from helix.adapters.sqlite.schema import HALF

LOOKED_TO = "SELECT value FROM counters WHERE name = 'fitting' AND owner = 0"
LOOK_TO = (
    "INSERT INTO counters VALUES ('fitting', 0, ?)"
    " ON CONFLICT (name, owner) DO UPDATE SET value = excluded.value"
)
NEWEST = "SELECT max(sequence) FROM vectors"
UNFIT = (
    "SELECT v.sequence, v.memory, v.model, m.dimension,"
    " CASE typeof(v.vector) WHEN 'blob' THEN length(v.vector) END"
    " FROM vectors v CROSS JOIN models m ON m.key = v.model WHERE v.sequence > ?"
    f" AND (typeof(v.vector) <> 'blob' OR v.bits NOT IN ({HALF}, {', '.join(map(str, COARSE))})"
    f" OR length(v.vector) <> CASE v.bits WHEN {HALF} THEN m.dimension * {HALF} / 8"
    f" ELSE {SCALE} + (m.dimension * v.bits + 7) / 8 END)"
)
MARK = "UPDATE vectors SET bits = ? WHERE sequence = ?"
WITHOUT_WORDS = "DELETE FROM word_vectors WHERE sequence = ?"
DROP = "DELETE FROM vectors WHERE sequence = ?"
WAIT_AGAIN = "UPDATE models SET reached = min(reached, ? - 1) WHERE key = ?"


class Mending:
    """Looks vectors over inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Take the connection."""
        self._connection = connection

    def owed(self) -> bool:
        """See `Enrichment.unmended`."""
        return self._number(LOOKED_TO) < self._number(NEWEST)

    def mend(self) -> int:
        """See `Enrichment.mend`."""
        after, newest = self._number(LOOKED_TO), self._number(NEWEST)
        if after >= newest:
            return 0
        unfit: list[Row] = self._connection.execute(UNFIT, (after,)).fetchall()
        for sequence, memory, model, dimension, length in unfit:
            told = [bits for bits, each in lengths(dimension).items() if each == length]
            if told:
                self._connection.execute(MARK, (told[0], sequence))
                if told[0] != HALF:
                    # A coarse one has none; taken for a fine one, it may have been given some.
                    self._connection.execute(WITHOUT_WORDS, (sequence,))
            else:
                self._connection.execute(DROP, (sequence,))
                self._connection.execute(WAIT_AGAIN, (memory, model))
        self._connection.execute(LOOK_TO, (newest,))
        if unfit:
            begin_another(self._connection)
        return len(unfit)

    def _number(self, statement: str) -> int:
        row = self._connection.execute(statement).fetchone()
        return 0 if row is None or row[0] is None else int(row[0])
