"""Somebody who writes into a store's file without asking Helix."""

from __future__ import annotations

import apsw


class Intruder:
    """Writes into a store's file without asking Helix."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {name}")

    def does(self, statement: str, *bindings: object) -> None:
        self._connection.execute(statement, bindings)
        assert self._connection.changes() > 0, "the intruder missed"

    def rewrites(self, position: int, old: str, new: str) -> None:
        """Replace words in a payload."""
        self.does(
            "UPDATE ledger SET body = CAST(replace(body, ?, ?) AS BLOB) WHERE position = ?",
            old, new, position,
        )  # fmt: skip

    def cuts(self, left: int) -> None:
        """Take the end off the ledger, payloads and all."""
        self.does("DELETE FROM ledger WHERE position > ?", left)

    def swaps(self, table: str, column: str, first: int, second: int) -> None:
        self._connection.execute(f"UPDATE {table} SET {column} = -{first} WHERE {column} = {first}")
        self.does(f"UPDATE {table} SET {column} = {first} WHERE {column} = {second}")
        self.does(f"UPDATE {table} SET {column} = {second} WHERE {column} = -{first}")

    def swaps_payloads(self, first: int, second: int) -> None:
        self.does(
            "UPDATE ledger SET (salt, body) = (SELECT o.salt, o.body FROM ledger o"
            f" WHERE o.position = {first + second} - ledger.position)"
            f" WHERE position IN ({first}, {second})"
        )
