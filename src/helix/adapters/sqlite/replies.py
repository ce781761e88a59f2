"""Replies of a language model, kept in SQLite."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import apsw

from helix.adapters.sqlite.places import Places
from helix.model.moment import to_micros
from helix.ports.language_model import Reply

KEPT = "SELECT body, tokens FROM replies WHERE tenant = ? AND question = ? AND model = ?"
KEEP = (
    "INSERT INTO replies (tenant, question, model, at, tokens, body) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (tenant, question, model) DO UPDATE SET at = excluded.at,"
    " tokens = tokens + excluded.tokens, body = excluded.body"
)
SPENT = "SELECT coalesce(sum(tokens), 0) FROM replies WHERE tenant = ? AND at >= ?"
ANY_OF = (
    "SELECT 1 FROM replies INDEXED BY replies_models"
    " WHERE tenant = ? AND model = ? AND body IS NOT NULL LIMIT 1"
)
TEXTS = "SELECT body FROM replies WHERE tenant = ? AND body IS NOT NULL ORDER BY question, model"
CLEAR = "UPDATE replies SET body = NULL WHERE tenant = ? AND body IS NOT NULL"


class SqliteReplies:
    """Implements `Replies` inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection, places: Places) -> None:
        """Take the connection and its numbering of realms."""
        self._connection = connection
        self._places = places

    def kept(self, tenant: str, key: str, model: str) -> Reply | None:
        """See `Replies.kept`."""
        bindings = (self._places.tenant(tenant), key, model)
        row = self._connection.execute(KEPT, bindings).fetchone()
        return None if row is None or row[0] is None else Reply(row[0], row[1])

    def keep(self, tenant: str, key: str, model: str, reply: Reply, now: datetime) -> None:
        """See `Replies.keep`."""
        number = self._places.ensure_tenant(tenant)
        bindings = (number, key, model, to_micros(now), reply.tokens, reply.text)
        self._connection.execute(KEEP, bindings)

    def spent(self, tenant: str, since: datetime) -> int:
        """See `Replies.spent`."""
        bindings = (self._places.tenant(tenant), to_micros(since))
        row = self._connection.execute(SPENT, bindings).fetchone()
        assert row is not None  # an aggregate always has a row
        return int(row[0])

    def any_of(self, tenant: str, model: str) -> bool:
        """See `Replies.any_of`."""
        bindings = (self._places.tenant(tenant), model)
        return self._connection.execute(ANY_OF, bindings).fetchone() is not None

    def texts(self, tenant: str) -> Sequence[str]:
        """See `Replies.texts`."""
        rows = self._connection.execute(TEXTS, (self._places.tenant(tenant),))
        return [row[0] for row in rows]

    def clear(self, tenant: str) -> None:
        """See `Replies.clear`."""
        self._connection.execute(CLEAR, (self._places.tenant(tenant),))
