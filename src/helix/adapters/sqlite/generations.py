"""How often vectors went or changed otherwise than by being added.

An index in memory goes by a watermark and sees only what is added. Other processes have such
indexes too, so this is counted in the file: an index of another generation is read anew.
"""

from __future__ import annotations

import apsw

GENERATION = "SELECT value FROM counters WHERE name = 'vectors' AND owner = 0"
NEXT_GENERATION = (
    "INSERT INTO counters VALUES ('vectors', 0, 1)"
    " ON CONFLICT (name, owner) DO UPDATE SET value = value + 1"
)


def generation(connection: apsw.Connection) -> int:
    """Return the generation of the vectors that this transaction sees."""
    row = connection.execute(GENERATION).fetchone()
    return 0 if row is None else int(row[0])


def begin_another(connection: apsw.Connection) -> None:
    """Let every index be read anew once this transaction is kept; nobody sees it if it is not."""
    connection.execute(NEXT_GENERATION)
