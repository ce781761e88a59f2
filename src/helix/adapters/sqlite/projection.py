"""The projection's promises, kept in SQLite: changed as a whole, record after record.

What can be asked of it is in `asking` and beside it, what each change does in `changing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import apsw

from helix.adapters.sqlite.by_words import ByWords
from helix.adapters.sqlite.changing import ENRICHED, RESET, Changing
from helix.adapters.sqlite.episodes import Episodes
from helix.adapters.sqlite.generations import begin_another
from helix.adapters.sqlite.listing import Listing
from helix.adapters.sqlite.noticed import Noticed
from helix.adapters.sqlite.places import Places
from helix.adapters.sqlite.words import WordIndex
from helix.model.changes import Change
from helix.model.errors import Conflict
from helix.ports.projection import Saying, Stamp

CHECKPOINT = "SELECT value FROM counters WHERE name = 'checkpoint' AND owner = ?"
BEGIN = "INSERT INTO counters VALUES ('checkpoint', ?, 1)"
ADVANCE = (
    "UPDATE counters SET value = ?2 WHERE name = 'checkpoint' AND owner = ?1 AND value = ?2 - 1"
)
FORGET_NOVELTY = "DELETE FROM novelty WHERE memory IN (SELECT key FROM memories WHERE tenant = ?)"
_DROP_TOMBS = "DELETE FROM counters WHERE name > 'tomb ' AND name < 'tomb!' AND owner = ?"
_DROP_TRUSTS = "DELETE FROM counters WHERE name > 'trust ' AND name < 'trust!' AND owner = ?"


class SqliteProjection(ByWords, Episodes, Listing):
    """Implements `Projection` inside one connection's transaction."""

    def __init__(
        self, connection: apsw.Connection, places: Places, words: WordIndex, noticed: Noticed
    ) -> None:
        """Take the connection, its numbering of realms, its word indexes and what it has read."""
        super().__init__(connection, places, words, noticed)
        # For what answers nothing; a question left half read would hold its snapshot.
        self._writing = connection.cursor()
        self._carry_out = Changing(connection, places, words).carry_out

    def checkpoint(self, tenant: str) -> int:
        """See `Projection.checkpoint`."""
        row = self._connection.execute(CHECKPOINT, (self._places.tenant(tenant),)).fetchone()
        return 0 if row is None else row[0]

    def apply(self, tenant: str, changes: Sequence[Change], stamp: Stamp) -> bool:
        """See `Projection.apply`."""
        if stamp.position is not None and not self._advance(tenant, stamp.position):
            return False
        self._noticed.forget()
        for change in changes:
            self._carry_out[type(change)](change, stamp)
        return True

    def clear(self, tenant: str) -> None:
        """See `Projection.clear`."""
        number = self._places.tenant(tenant)
        if number is None:
            return
        self._noticed.forget()
        for place in self._places.of_tenant(number):
            self._words.clear(place)
            for table in ("sessions", *ENRICHED):
                self._connection.execute(f"DELETE FROM {table} WHERE place = ?", (place,))
            self._connection.execute(RESET, ("budget", place))
            self._connection.execute(_DROP_TRUSTS, (place,))
        self._connection.execute(RESET, ("checkpoint", number))
        self._connection.execute(FORGET_NOVELTY, (number,))
        self._connection.execute(_DROP_TOMBS, (number,))
        begin_another(self._connection)
        for table in ("past_beliefs", "edges", "uses", "memories"):
            self._connection.execute(f"DELETE FROM {table} WHERE tenant = ?", (number,))

    def contents(self, tenant: str) -> Iterator[str]:
        """See `Projection.contents`."""
        # Loaded here: only who compares whole projections needs it.
        from helix.adapters.sqlite.canonical import contents  # noqa: PLC0415

        yield f"checkpoint {self.checkpoint(tenant)}"
        number = self._places.tenant(tenant)
        if number is not None:
            yield from contents(self._connection, self._places, self._words, number)

    def sayings(self, tenant: str, first: int, last: int | None = None) -> Sequence[Saying]:
        """See `Projection.sayings`."""
        from helix.adapters.sqlite.sayings import sayings  # noqa: PLC0415 - as above

        number = self._places.tenant(tenant)
        if number is None:
            return []
        return list(sayings(self._connection, self._places, number, first, last))

    def _advance(self, tenant: str, position: int) -> bool:
        number = self._places.ensure_tenant(tenant)
        self._writing.execute(ADVANCE, (number, position))
        if self._connection.changes():
            return True
        reached = self.checkpoint(tenant)
        if position <= reached:
            return False
        if reached or position != 1:
            raise Conflict(
                f"position {position} cannot be folded after {reached}",
                code="fold_out_of_order",
                remedy="fold the records in between first",
            )
        self._connection.execute(BEGIN, (number,))
        return True
