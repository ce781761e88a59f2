"""The layout of the file, version by version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

import apsw

APPLICATION_ID = 0x48454C58
"""Marks a SQLite file as a Helix store ("HELX")."""

VERSION = 9
"""The layout this Helix writes. Raise it together with an entry in `MIGRATIONS`."""

HALF = 16
"""Bits a dimension of a vector as it came: half precision."""

Migration = Callable[[apsw.Connection], None]


LEDGER = """
CREATE TABLE ledger (
    key         INTEGER PRIMARY KEY, -- tenant << 40 | position: one number, so rows are appended
    tenant      INTEGER NOT NULL,
    position    INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    kind        TEXT NOT NULL,
    version     INTEGER NOT NULL,
    event_id    TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    digest      BLOB NOT NULL,
    previous    BLOB NOT NULL,
    seal        BLOB NOT NULL,
    salt        BLOB,                -- the payload: NULL once it is erased
    body        BLOB
);
CREATE UNIQUE INDEX ledger_events ON ledger (tenant, event_id);
CREATE INDEX ledger_places ON ledger (place, position);
CREATE TRIGGER ledger_keeps_records BEFORE UPDATE OF
    key, tenant, position, place, kind, version, event_id, recorded_at, digest, previous, seal
    ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_only_erases BEFORE UPDATE OF salt, body ON ledger
    WHEN NEW.salt IS NOT NULL OR NEW.body IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'a payload can only be erased'); END;
CREATE TRIGGER ledger_loses_nothing BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
"""

RUNS = """
CREATE TABLE runs (            -- runs of sleep, each with its reports
    tenant     INTEGER NOT NULL,
    number     INTEGER NOT NULL,
    place      INTEGER NOT NULL,
    state      TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    body       BLOB NOT NULL,
    PRIMARY KEY (tenant, number)
) WITHOUT ROWID;
CREATE INDEX runs_places ON runs (place, state, number);
CREATE TABLE replies (         -- of a language model, by what was asked; a cache, and the bill
    tenant   INTEGER NOT NULL,
    question TEXT NOT NULL,
    model    TEXT NOT NULL,
    at       INTEGER NOT NULL,
    tokens   INTEGER NOT NULL,
    body     TEXT,
    PRIMARY KEY (tenant, question, model)
) WITHOUT ROWID;
CREATE INDEX replies_models ON replies (tenant, model) WHERE body IS NOT NULL;
CREATE INDEX replies_days ON replies (tenant, at, tokens);
"""

STEMS = """
CREATE TABLE stems (           -- the words of indexed memories as numbers: see `stems`
    memory  INTEGER PRIMARY KEY,
    numbers BLOB NOT NULL
);
"""

LIVES = """
CREATE TABLE uses (            -- folded: one row for each act that used a memory
    memory   INTEGER NOT NULL,
    position INTEGER NOT NULL,
    tenant   INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    quality  INTEGER NOT NULL,
    origin   TEXT NOT NULL,
    PRIMARY KEY (memory, position)
) WITHOUT ROWID;
CREATE INDEX uses_acts ON uses (tenant, position);
CREATE TABLE surfaced (        -- a statistic, by id: a rebuild gives memories new keys
    tenant   INTEGER NOT NULL,
    id       TEXT NOT NULL,
    number   INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
) WITHOUT ROWID;
CREATE TABLE novelty (         -- how far a memory lay from what was known when it was embedded
    memory   INTEGER PRIMARY KEY,
    surprise REAL NOT NULL,
    nearest  REAL              -- the cosine distance to the nearest; NULL for the first of all
);
CREATE INDEX memories_expiring ON memories (place, expires_at)
    WHERE expires_at IS NOT NULL AND status = 'active';
CREATE INDEX edges_likenesses ON edges (place, created_at, start)
    WHERE relation = 'similar_to' AND ended_at IS NULL;
"""

SERVING = """
CREATE TABLE roles (           -- which model serves, and which is to take over
    role  TEXT PRIMARY KEY,
    model TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE likenesses (      -- an earlier memory that one resembles
    memory INTEGER NOT NULL,
    model  INTEGER NOT NULL,
    other  INTEGER NOT NULL,
    place  INTEGER NOT NULL,
    cosine REAL NOT NULL,
    PRIMARY KEY (memory, model, other)
) WITHOUT ROWID;
CREATE INDEX likenesses_others ON likenesses (other, model);
CREATE TABLE naming (          -- things memories name, or are about, that others may be about
    place  INTEGER NOT NULL,
    thing  TEXT NOT NULL,
    about  INTEGER NOT NULL,
    memory INTEGER NOT NULL,
    PRIMARY KEY (place, thing, about, memory)
) WITHOUT ROWID;
CREATE INDEX naming_memories ON naming (memory);
"""

NOTES = """
CREATE TABLE notes (           -- the scratchpad: beside the record, and folded from nothing
    tenant          INTEGER NOT NULL,
    id              TEXT NOT NULL,
    place           INTEGER NOT NULL,
    since           INTEGER NOT NULL, -- when it was written or, once dropped, when that was
    event_id        TEXT NOT NULL,
    content         TEXT NOT NULL,
    agent           TEXT NOT NULL,
    origin          TEXT NOT NULL,
    ref             TEXT NOT NULL,
    extractor       TEXT NOT NULL,
    noted_at        INTEGER NOT NULL,
    session         TEXT NOT NULL,
    importance_hint REAL,
    reads           INTEGER NOT NULL,
    dropped_at      INTEGER,
    PRIMARY KEY (tenant, id)
) WITHOUT ROWID;
CREATE INDEX notes_places ON notes (place, noted_at, id);
CREATE INDEX notes_ages ON notes (tenant, since, id);
"""

PURGES = """
CREATE INDEX ledger_purges ON ledger (tenant, position) WHERE kind = 'purged';
"""

WORD_VECTORS = """
CREATE TABLE word_vectors (    -- of the words that tell, one bit a dimension: rules.word_by_word
    sequence INTEGER PRIMARY KEY, -- of the vector of the whole, with which they go
    words    BLOB NOT NULL
);
CREATE TRIGGER vectors_take_their_words AFTER DELETE ON vectors
BEGIN DELETE FROM word_vectors WHERE sequence = old.sequence; END;
"""

TABLES = f"""
CREATE TABLE tenants (
    key  INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE places (          -- a realm, numbered: what every row carries
    key    INTEGER PRIMARY KEY,
    tenant INTEGER NOT NULL,
    owner  TEXT NOT NULL,
    scope  TEXT NOT NULL,
    UNIQUE (tenant, owner, scope)
);
{LEDGER}CREATE TABLE counters (        -- checkpoints by tenant, importance budgets by place, words
    name  TEXT NOT NULL,
    owner INTEGER NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (name, owner)
) WITHOUT ROWID;
CREATE TABLE memories (        -- columns that filter come first: they are read for every match
    key             INTEGER PRIMARY KEY AUTOINCREMENT, -- never given again: vectors name it
    tenant          INTEGER NOT NULL,
    place           INTEGER NOT NULL,
    status          TEXT NOT NULL,
    valid_from      INTEGER NOT NULL,
    valid_to        INTEGER,
    expires_at      INTEGER,
    recorded_at     INTEGER NOT NULL,
    type            TEXT NOT NULL,
    position        INTEGER NOT NULL,
    id              TEXT NOT NULL,
    shape           TEXT NOT NULL,
    fingerprint     TEXT NOT NULL,
    parent_event_id TEXT NOT NULL,
    importance_base REAL NOT NULL,
    importance_hint REAL,
    belief          BLOB NOT NULL,
    detail          BLOB NOT NULL,
    content         TEXT NOT NULL
);
CREATE UNIQUE INDEX memories_ids ON memories (tenant, id);
CREATE INDEX memories_standing ON memories (place, status, position);
CREATE INDEX memories_concluded ON memories (place, type, position) WHERE type <> 'episode';
CREATE INDEX memories_alike ON memories (place, fingerprint) WHERE fingerprint <> '';
CREATE INDEX memories_happened ON memories (place, valid_from)  -- live captures are not in it
    WHERE valid_from < recorded_at;
CREATE INDEX memories_awaiting ON memories (tenant, parent_event_id, position)
    WHERE parent_event_id <> '';
CREATE TABLE past_beliefs (
    memory         INTEGER NOT NULL,
    until_at       INTEGER NOT NULL,
    tenant         INTEGER NOT NULL,
    until_position INTEGER,
    status         TEXT NOT NULL,
    valid_from     INTEGER NOT NULL,
    valid_to       INTEGER,
    belief         BLOB NOT NULL,
    PRIMARY KEY (memory, until_at)
) WITHOUT ROWID;
CREATE INDEX past_beliefs_ends ON past_beliefs (tenant, until_position);
CREATE TABLE edges (
    tenant     INTEGER NOT NULL,
    place      INTEGER NOT NULL,
    id         TEXT NOT NULL,
    start      INTEGER NOT NULL,
    finish     INTEGER NOT NULL,
    relation   TEXT NOT NULL,
    weight     REAL NOT NULL,
    created_at INTEGER NOT NULL,
    position   INTEGER NOT NULL,
    ended_at   INTEGER,
    ended_by   INTEGER,
    source     BLOB NOT NULL,
    PRIMARY KEY (tenant, id)
) WITHOUT ROWID;
CREATE INDEX edges_starts ON edges (start);
CREATE INDEX edges_finishes ON edges (finish);
CREATE INDEX edges_ends ON edges (tenant, ended_by) WHERE ended_by IS NOT NULL;
CREATE TABLE sessions (
    place        INTEGER NOT NULL,
    id           TEXT NOT NULL,
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER,
    agent        TEXT NOT NULL,
    episodes     INTEGER NOT NULL,
    last_episode TEXT NOT NULL,
    PRIMARY KEY (place, id)
) WITHOUT ROWID;
{STEMS}CREATE TABLE models (          -- embedders, and up to which memory each has come
    key       INTEGER PRIMARY KEY,
    name      TEXT NOT NULL UNIQUE,
    dimension INTEGER NOT NULL,
    reached   INTEGER NOT NULL
);
CREATE TABLE vectors (         -- half precision, or fewer `bits` (rules.precision)
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    memory   INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    model    INTEGER NOT NULL,
    vector   BLOB NOT NULL,
    bits     INTEGER NOT NULL DEFAULT {HALF}
);
CREATE UNIQUE INDEX vectors_memories ON vectors (memory, model);
CREATE INDEX vectors_places ON vectors (place, model, sequence);
CREATE TABLE mentions (
    place  INTEGER NOT NULL,
    entity TEXT NOT NULL,
    memory INTEGER NOT NULL,
    PRIMARY KEY (place, entity, memory)
) WITHOUT ROWID;
CREATE INDEX mentions_memories ON mentions (memory);
CREATE TABLE jobs (
    key          INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant       INTEGER NOT NULL,
    place        INTEGER NOT NULL,
    kind         TEXT NOT NULL,
    reason       TEXT NOT NULL,
    enqueued_at  INTEGER NOT NULL,
    due_at       INTEGER NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    leased_by    TEXT NOT NULL DEFAULT '',
    leased_until INTEGER,
    last_error   TEXT NOT NULL DEFAULT '',
    dead         INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX jobs_due ON jobs (dead, due_at, key);
CREATE INDEX jobs_places ON jobs (place, kind) WHERE dead = 0;
CREATE INDEX jobs_tenants ON jobs (tenant, dead, due_at);
CREATE TABLE journal (
    tenant      INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    after       INTEGER NOT NULL,
    reverts     INTEGER,
    body        BLOB NOT NULL,
    seal        BLOB NOT NULL DEFAULT x'', -- over this and the entry before: rules.sealing
    PRIMARY KEY (tenant, number)
) WITHOUT ROWID;
CREATE INDEX journal_reverts ON journal (tenant, reverts) WHERE reverts IS NOT NULL;
{LIVES}{RUNS}{SERVING}{NOTES}{PURGES}{WORD_VECTORS}"""


def _second(connection: apsw.Connection) -> None:
    """Put payloads into the ledger's own rows, and let the newest words wait for their index."""
    connection.execute("ALTER TABLE ledger RENAME TO ledger_before")
    connection.execute("DROP INDEX ledger_events; DROP INDEX ledger_places")
    connection.execute("DROP TRIGGER ledger_keeps_records; DROP TRIGGER ledger_loses_nothing")
    connection.execute(LEDGER)
    connection.execute(
        "INSERT INTO ledger SELECT l.tenant << 40 | l.position, l.tenant, l.position, l.place,"
        " l.kind, l.version, l.event_id, l.recorded_at, l.digest, l.previous, l.seal, p.salt,"
        " p.body FROM ledger_before l LEFT JOIN payloads p ON p.key = (l.tenant << 40 | l.position)"
        " ORDER BY l.tenant, l.position"
    )
    connection.execute("DROP TABLE ledger_before; DROP TABLE payloads")
    connection.execute(
        "CREATE INDEX memories_happened ON memories (place, valid_from)"
        " WHERE valid_from < recorded_at"
    )
    connection.execute(
        "INSERT INTO counters SELECT 'words', 0, max(key) FROM memories HAVING max(key) > 0"
    )


def _third(connection: apsw.Connection) -> None:
    """Make room for uses and for what was shown, and let vectors be kept coarsely."""
    connection.execute(LIVES)
    connection.execute(f"ALTER TABLE vectors ADD COLUMN bits INTEGER NOT NULL DEFAULT {HALF}")


def _fourth(connection: apsw.Connection) -> None:
    """Keep the stems of what is indexed; scoring counts them."""
    from helix.adapters.sqlite.words import WordIndex  # noqa: PLC0415 - it builds on the layout

    connection.execute(STEMS)
    WordIndex(connection).number_all()


def _fifth(connection: apsw.Connection) -> None:
    """Remember runs of sleep, and what a language model replied."""
    connection.execute(RUNS)


def _sixth(connection: apsw.Connection) -> None:
    """Note which model serves: of those a store may hold, the one with the most vectors."""
    connection.execute(SERVING)
    connection.execute(
        "INSERT INTO roles SELECT 'serving', m.name FROM models m WHERE m.dimension > 0"
        " ORDER BY (SELECT count(*) FROM vectors v WHERE v.model = m.key) DESC, m.key LIMIT 1"
    )


def _seventh(connection: apsw.Connection) -> None:
    """Seal what was concluded so far."""
    from helix.adapters.sqlite.journal import sealed_again  # noqa: PLC0415 - as above

    connection.execute("ALTER TABLE journal ADD COLUMN seal BLOB NOT NULL DEFAULT x''")
    for (tenant,) in connection.execute("SELECT key FROM tenants").fetchall():
        sealed_again(connection, cast("int", tenant))


def _eighth(connection: apsw.Connection) -> None:
    """Make room for a scratchpad, and find what left the ledger by age."""
    connection.execute(NOTES)
    connection.execute(PURGES)


def _ninth(connection: apsw.Connection) -> None:
    """Keep the vectors of words; those of what is embedded already are made in the background."""
    connection.execute(WORD_VECTORS)
    connection.execute(
        "INSERT INTO counters SELECT 'unworded', 0, max(sequence) FROM vectors"
        " HAVING max(sequence) > 0"
    )


MIGRATIONS: Mapping[int, Migration] = {
    1: _second,
    2: _third,
    3: _fourth,
    4: _fifth,
    5: _sixth,
    6: _seventh,
    7: _eighth,
    8: _ninth,
}
"""Version to the step that lifts a file to the next one."""

TOKENIZER = "porter unicode61 remove_diacritics 2 tokenchars _"
"""How words are cut: stems, without accents; the underscore belongs to the word."""


def words_table(place: int) -> str:
    """Return the name of a place's word index.

    Each place has its own: another project's words can neither be read nor shift the
    statistics of this one, and a search costs what its own scope holds.
    """
    return f"words_{place}"


def words_ddl(place: int) -> str:
    """Return the statement that creates a place's word index.

    `mark` holds the same word in every row, so that a query can make other words optional.
    """
    return (
        f"CREATE VIRTUAL TABLE {words_table(place)} USING fts5("
        f"mark, text, parts, content='', contentless_delete=1, tokenize=\"{TOKENIZER}\")"
    )
