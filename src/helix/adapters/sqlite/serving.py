"""Which model serves, kept in SQLite."""

from __future__ import annotations

import apsw

ROLE = "SELECT model FROM roles WHERE role = ?"
GIVE = "INSERT INTO roles VALUES (?, ?) ON CONFLICT (role) DO UPDATE SET model = excluded.model"
ADOPT = "INSERT OR IGNORE INTO roles VALUES ('serving', ?)"
END = "DELETE FROM roles WHERE role = 'coming'"
BEHIND = (
    "SELECT 1 FROM memories WHERE key > coalesce((SELECT reached FROM models WHERE name = ?1), 0)"
    " AND key <= coalesce((SELECT reached FROM models WHERE name = ?2), 0)"
    " AND status <> 'purged' LIMIT 1"
)
LEFT_OVER = (
    "SELECT m.name FROM models m WHERE m.name NOT IN (SELECT r.model FROM roles r)"
    " AND m.dimension > 0 ORDER BY m.key"
)
SERVING, COMING = "serving", "coming"


class SqliteServing:
    """Implements `Serving` inside one connection's transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Take the connection."""
        self._connection = connection

    def current(self) -> str:
        """See `Serving.current`."""
        return self._in(SERVING)

    def coming(self) -> str:
        """See `Serving.coming`."""
        return self._in(COMING)

    def adopt(self, model: str) -> str:
        """See `Serving.adopt`."""
        self._connection.execute(ADOPT, (model,))
        return self.current()

    def prepare(self, model: str) -> None:
        """See `Serving.prepare`."""
        if self.adopt(model) == model:
            self._connection.execute(END)
        else:
            self._connection.execute(GIVE, (COMING, model))

    def take_over(self, model: str) -> bool:
        """See `Serving.take_over`."""
        if self.coming() != model:
            return False
        behind = self._connection.execute(BEHIND, (model, self.current())).fetchone()
        if behind is not None:
            return False
        self._connection.execute(GIVE, (SERVING, model))
        self._connection.execute(END)
        return True

    def left_over(self) -> tuple[str, ...]:
        """See `Serving.left_over`."""
        return tuple(str(row[0]) for row in self._connection.execute(LEFT_OVER))

    def _in(self, role: str) -> str:
        row = self._connection.execute(ROLE, (role,)).fetchone()
        return "" if row is None else row[0]
