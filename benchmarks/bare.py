"""The yardstick: the least that SQLite must do to keep a text and find its words.

One table row with the text and one FTS5 row with the same text, in one transaction, with
the same pragmas, cache and tokenizer as a Helix store. No ledger, no seals, no scopes, no
validity, no derived words. The write-ahead log is moved by `settle`, which is not timed,
so the yardstick never pays for it.
"""

from __future__ import annotations

import re
from pathlib import Path

import apsw

from helix.adapters.sqlite.schema import TOKENIZER
from helix.adapters.sqlite.store import CACHE_KIB, STATEMENTS_KEPT
from helix.rules.words import STOP_WORDS

_WORD = re.compile(r"\w+")


class Bare:
    """A bare SQLite file with a word index."""

    def __init__(self, path: Path) -> None:
        self._connection = apsw.Connection(str(path), statementcachesize=STATEMENTS_KEPT)
        self._connection.execute(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
            f" PRAGMA cache_size = -{CACHE_KIB}; PRAGMA temp_store = MEMORY;"
            " PRAGMA wal_autocheckpoint = 0;"
            " CREATE TABLE IF NOT EXISTS texts (key INTEGER PRIMARY KEY, text TEXT NOT NULL);"
            " CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5("
            f"text, content='', contentless_delete=1, tokenize=\"{TOKENIZER}\")"
        ).fetchall()  # a pragma that answers holds up the rest until its row is read

    def keep(self, text: str) -> None:
        """Write one text and its words."""
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        run("INSERT INTO texts (text) VALUES (?)", (text,))
        key = self._connection.last_insert_rowid()
        run("INSERT INTO words (rowid, text) VALUES (?, ?)", (key, text))
        run("COMMIT")

    def ask(self, question: str, limit: int = 10) -> list[str]:
        """Return the best texts that hold any of the question's words."""
        words = dict.fromkeys(_WORD.findall(question.lower()))
        wanted = [f'"{word}"' for word in words if word not in STOP_WORDS]
        rows = self._connection.execute(
            "SELECT t.text FROM (SELECT rowid AS key FROM words WHERE words MATCH ?"
            " ORDER BY rank LIMIT ?) best JOIN texts t USING (key)",
            (" OR ".join(wanted), limit),
        )
        return [str(row[0]) for row in rows]

    def size(self) -> int:
        """Return how many texts were kept."""
        row = self._connection.execute("SELECT max(key) FROM texts").fetchone()
        return int(row[0] or 0) if row else 0

    def settle(self) -> None:
        """Move the write-ahead log into the file and begin it anew, in the space it has."""
        self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)

    def close(self) -> None:
        self._connection.close()
