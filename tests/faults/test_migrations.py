"""Lifting a store to a newer layout: a backup first, then all of it or nothing."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from tests.faults.lifting import MIGRATIONS, NEXT, lift
from tests.faults.looking import SCOPE, assert_whole, begin, end, hear, say, told

from helix import Helix
from helix.adapters.sqlite import opening, schema, words
from helix.adapters.sqlite.store import SqliteStore
from helix.enrichment.words import BATCH, give_words
from helix.model.errors import StoreUnavailable
from helix.model.note import Noted
from helix.model.outcome import Kept
from helix.ports.enrichment import Enriched
from helix.testing.builders import open_memory
from helix.testing.embedders import TellingWordBags


def version_of(path: Path) -> int:
    with closing(apsw.Connection(str(path))) as connection:
        return int(connection.pragma("user_version"))


def contents_of(path: Path) -> list[str]:
    with Helix.open(path, scope=SCOPE) as memory:
        return [each.content for each in memory.list(limit=100)]


def test_a_backup_is_made_before_lifting_and_is_a_whole_store(filled: Path) -> None:
    """The old layout stays beside the new one, private, and opens as the store it was."""
    before, events = contents_of(filled), told_by(filled)
    backup = lift(filled)
    assert backup is not None
    assert version_of(filled) == NEXT
    assert version_of(backup) == schema.VERSION
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert contents_of(backup) == before
    assert told_by(backup) == events
    with Helix.open(backup, scope=SCOPE) as memory:
        assert_whole(memory)
        memory.capture("the backup takes writes like any store")


def test_a_backup_in_the_place_of_its_store_is_lifted_as_the_store_was(tmp_path: Path) -> None:
    """Whoever puts it back goes on with it."""
    path = tmp_path / "old.db"
    with Helix.open(path, scope=SCOPE) as memory:
        memory.remember("This project deploys from the branch main")
    as_of_the_eighth(path)
    for _ in range(3):
        assert contents_of(path) == ["This project deploys from the branch main"]
        assert version_of(path) == schema.VERSION
        (backup,) = tmp_path.glob("*.backup")
        assert version_of(backup) == 8
        backup.replace(path)


def as_of_the_eighth(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(BEFORE_WORDS + "PRAGMA user_version = 8")


def test_a_store_is_lifted_however_it_keeps_its_journal(filled: Path) -> None:
    """Not every file system has what a write-ahead log needs."""
    with closing(apsw.Connection(str(filled))) as connection:
        connection.pragma("journal_mode", "delete")
    backup = lift(filled)
    assert backup is not None
    assert (version_of(backup), version_of(filled)) == (schema.VERSION, NEXT)


def test_a_copy_put_in_place_takes_writes_beside_a_reader(filled: Path) -> None:
    """As any store does: whoever reads does not hold up who writes."""
    path = filled.with_name("copy.db")
    with closing(SqliteStore(filled)) as store:
        store.copy_to(path)
    with closing(SqliteStore(path)) as store, closing(SqliteStore(path, patience=0.1)) as other:
        reader, writer = open_memory(store), open_memory(other)
        with store.reading() as unit:
            assert unit.ledger.head(reader.context.realm.tenant).position
            assert isinstance(writer.capture("written beside a reader"), Kept)


def test_a_copy_that_somebody_reads_is_opened_as_it_is(filled: Path) -> None:
    """How it keeps its journal cannot be changed below a reader; the next time it is."""
    with closing(apsw.Connection(str(filled))) as connection:
        connection.pragma("journal_mode", "delete")
        connection.execute("BEGIN")
        assert connection.execute("SELECT count(*) FROM memories").get == 31
        with closing(SqliteStore(filled, patience=0.01)) as store, store.reading() as unit:
            assert unit.connection.pragma("journal_mode") == "delete"
        connection.execute("COMMIT")
    with closing(SqliteStore(filled)) as store, store.reading() as unit:
        assert unit.connection.pragma("journal_mode") == "wal"


def told_by(path: Path) -> list[str]:
    with Helix.open(path, scope=SCOPE) as memory:
        return told(memory)


def test_every_row_passes_through_the_step(filled: Path) -> None:
    """The step sees the store's rows, and what it made of them is kept."""
    lift(filled)
    with closing(apsw.Connection(str(filled))) as connection:
        memories = connection.execute("SELECT count(*) FROM memories").get
        assert connection.execute("SELECT count(*) FROM moods").get == memories == 31


def test_lifting_again_does_nothing(filled: Path) -> None:
    """A store of the newest layout is left alone, and no second backup is made."""
    lift(filled)
    listing = sorted(filled.parent.iterdir())
    assert lift(filled) is None
    assert sorted(filled.parent.iterdir()) == listing


def _half_way(connection: apsw.Connection) -> None:
    connection.execute("CREATE TABLE moods (memory INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM memories")
    raise RuntimeError("the step does not work out")


def _bad_sql(connection: apsw.Connection) -> None:
    connection.execute("ALTER TABLE memories DROP COLUMN content")
    connection.execute("INSERT INTO nowhere VALUES (1)")


@pytest.mark.parametrize("step", [_half_way, _bad_sql])
def test_a_step_that_fails_leaves_the_old_layout(
    filled: Path, step: Callable[[apsw.Connection], None]
) -> None:
    """Half a migration is none: version, tables and rows are those of before."""
    before = contents_of(filled)
    with closing(apsw.Connection(str(filled))) as connection:
        with pytest.raises((RuntimeError, apsw.SQLError)):
            opening.lift(connection, filled, {schema.VERSION: step}, NEXT)
        assert not connection.in_transaction
    assert version_of(filled) == schema.VERSION
    assert contents_of(filled) == before
    with Helix.open(filled, scope=SCOPE) as memory:
        assert_whole(memory)


def test_a_step_that_fails_leaves_no_backup(filled: Path) -> None:
    """The store is what it was; however often it is tried, nothing piles up beside it."""
    for _ in range(3):
        with pytest.raises(RuntimeError):
            lift(filled, _half_way)
    assert list(filled.parent.iterdir()) == [filled]


def test_lifting_that_is_cut_short_again_and_again_leaves_one_backup(filled: Path) -> None:
    """And none that looks whole before the store is lifted; the next one clears it away."""
    before = contents_of(filled)
    for _ in range(3):
        process = begin("tests.faults.lifting", "--cut-short")
        assert hear(process) == "ready"
        say(process, str(filled))
        assert hear(process) == "cut short"
        end(process)
        assert len(copies_beside(filled)) == 1
        assert not list(filled.parent.glob("*.backup"))
    assert version_of(filled) == schema.VERSION
    backup = lift(filled)
    assert copies_beside(filled) == [backup]
    assert backup is not None
    assert contents_of(backup) == before


def copies_beside(path: Path) -> list[Path]:
    return [each for each in path.parent.iterdir() if ".backup" in each.name]


def test_what_a_cut_short_lifting_left_is_erased_like_any_copy(filled: Path) -> None:
    """An erasure knows it by its name."""
    process = begin("tests.faults.lifting", "--cut-short")
    assert hear(process) == "ready"
    say(process, str(filled))
    assert hear(process) == "cut short"
    end(process)
    (left,) = copies_beside(filled)
    with Helix.open(filled, scope=SCOPE) as memory:
        assert memory.context.store.residue([b"deploys from the branch"])
        (fact,) = [each for each in memory.list(limit=99) if each.type != "episode"]
        receipt = memory.erasing.memory(fact.id)
    assert receipt.copies_removed == (left.name,)
    assert copies_beside(filled) == []


def test_an_earlier_backup_is_left_alone(filled: Path) -> None:
    """It may be of another state: somebody put the store back and went on with it."""
    earlier = filled.with_name(f"{filled.name}.v{schema.VERSION}-20260101T000000-abcd.backup")
    with closing(SqliteStore(filled)) as store:
        store.copy_to(earlier)
    held = earlier.read_bytes()
    backup = lift(filled)
    assert sorted(copies_beside(filled), key=str) == sorted([earlier, backup], key=str)
    assert earlier.read_bytes() == held


def test_a_chain_of_steps_is_kept_whole_or_not_at_all(filled: Path) -> None:
    """If the second of two steps fails, the first is undone as well."""
    steps = {**MIGRATIONS, NEXT: _half_way}
    with closing(apsw.Connection(str(filled))) as connection:
        with pytest.raises((RuntimeError, apsw.SQLError)):
            opening.lift(connection, filled, steps, NEXT + 1)
        tables = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'moods'").get
        assert tables == 0
    assert version_of(filled) == schema.VERSION


def test_a_store_lifted_meanwhile_is_not_backed_up_under_the_old_name(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another process is faster, no backup claims to be the old layout and holds the new."""
    real = opening._version
    looked: list[int] = []

    def overtaken(connection: apsw.Connection) -> int:
        found = real(connection)
        looked.append(found)
        if len(looked) == 1:
            lift(filled)
        return found

    monkeypatch.setattr(opening, "_version", overtaken)
    with closing(apsw.Connection(str(filled))) as connection:
        assert opening.lift(connection, filled, MIGRATIONS, NEXT) is None
    (backup,) = filled.parent.glob("*.backup")
    assert version_of(backup) == schema.VERSION


def test_a_backup_holds_everything_that_was_written_before_the_step(filled: Path) -> None:
    """What another process writes until the store is locked for lifting is in the backup too."""
    with closing(apsw.Connection(str(filled))) as connection:

        def somebody_writes(_cursor: apsw.Cursor, statement: str, _bindings: object) -> bool:
            if statement.startswith("BEGIN"):
                with closing(apsw.Connection(str(filled))) as writer:
                    writer.execute("INSERT INTO tenants (name) VALUES ('at the last moment')")
            return True

        connection.exec_trace = somebody_writes
        backup = opening.lift(connection, filled, MIGRATIONS, NEXT)
    assert backup is not None
    assert "at the last moment" in tenants_of(filled)
    assert tenants_of(backup) == tenants_of(filled)


def tenants_of(path: Path) -> list[str]:
    with closing(apsw.Connection(str(path))) as connection:
        return [row[0] for row in connection.execute("SELECT name FROM tenants ORDER BY name")]


def test_a_backup_that_cannot_be_finished_leaves_nothing_behind(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a backup nothing is lifted, and half a backup does not stay."""
    nowhere = filled.parent / "no such folder" / "backup"
    monkeypatch.setattr(opening, "_backup_path", lambda *_: nowhere)
    listing = sorted(filled.parent.iterdir())
    with pytest.raises(StoreUnavailable, match="cannot be created"):
        lift(filled)
    assert sorted(filled.parent.iterdir()) == listing
    assert version_of(filled) == schema.VERSION


def test_two_processes_lifting_at_once_lift_once(filled: Path) -> None:
    """Both come through, the step runs once, and every backup is what its name says."""
    processes = [begin("tests.faults.lifting") for _ in range(2)]
    for process in processes:
        assert hear(process) == "ready"
    for number in range(10):
        copy = filled.parent / str(number) / filled.name
        copy.parent.mkdir()
        shutil.copyfile(filled, copy)
        for process in processes:
            say(process, str(copy))
        outcomes = [hear(process) for process in processes]
        assert version_of(copy) == NEXT
        backups = [name for name in outcomes if name.endswith(".backup")]
        assert backups
        for name in backups:
            assert version_of(copy.with_name(name)) == schema.VERSION
        beside = {each.name for each in copy.parent.iterdir()}
        assert beside == {copy.name, *backups}
    for process in processes:
        end(process)


FOURTH = """
DROP TABLE runs; DROP TABLE replies;
"""
"""What the fourth version did not have: runs of sleep, and replies of a model."""

SECOND = """
DROP TABLE uses; DROP TABLE surfaced; DROP TABLE novelty;
DROP INDEX memories_expiring; DROP INDEX edges_likenesses;
ALTER TABLE vectors DROP COLUMN bits;
DROP TABLE stems;
"""
"""What the second version did not have: uses, what was shown, coarse vectors, stems."""

FIRST_LEDGER = """
CREATE TABLE first (
    tenant INTEGER NOT NULL, position INTEGER NOT NULL, place INTEGER NOT NULL,
    kind TEXT NOT NULL, version INTEGER NOT NULL, event_id TEXT NOT NULL,
    recorded_at INTEGER NOT NULL, digest BLOB NOT NULL, previous BLOB NOT NULL,
    seal BLOB NOT NULL, PRIMARY KEY (tenant, position)
) WITHOUT ROWID;
CREATE TABLE payloads (key INTEGER PRIMARY KEY, salt BLOB NOT NULL, body BLOB NOT NULL);
INSERT INTO first SELECT tenant, position, place, kind, version, event_id, recorded_at, digest,
    previous, seal FROM ledger;
INSERT INTO payloads SELECT key, salt, body FROM ledger WHERE body IS NOT NULL;
DROP TABLE ledger;
ALTER TABLE first RENAME TO ledger;
CREATE UNIQUE INDEX ledger_events ON ledger (tenant, event_id);
CREATE INDEX ledger_places ON ledger (place, position);
CREATE TRIGGER ledger_keeps_records BEFORE UPDATE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_loses_nothing BEFORE DELETE ON ledger
    BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
DELETE FROM counters WHERE name = 'words';
DROP INDEX memories_happened;
"""
"""What the first version laid out differently: payloads apart, no words waiting, no stems."""

BEFORE_WORDS = "DROP TRIGGER vectors_take_their_words; DROP TABLE word_vectors;"
BEFORE_NOTES = BEFORE_WORDS + "DROP TABLE notes; DROP INDEX ledger_purges;"
BEFORE_SEALS = BEFORE_NOTES + "ALTER TABLE journal DROP COLUMN seal;"
BEFORE_SERVING = BEFORE_SEALS + "DROP TABLE roles; DROP TABLE likenesses; DROP TABLE naming;"


def test_a_store_of_the_first_version_is_lifted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records, payloads and words of a store from version 1 are all there in today's layout."""
    path = tmp_path / "old.db"
    with monkeypatch.context() as patched:
        patched.setattr(words, "TOGETHER", 1)
        with Helix.open(path, scope=SCOPE) as memory:
            kept = [memory.capture(f"deploy number {number} went well") for number in range(40)]
            before = told(memory)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(BEFORE_SERVING)
        connection.execute(FOURTH)
        connection.execute(SECOND)
        connection.execute(FIRST_LEDGER)
        connection.execute("PRAGMA user_version = 1")
    with Helix.open(path, scope=SCOPE) as memory:
        assert told(memory) == before
        assert_whole(memory)
        memory.capture("deploy number 40 went well too")
        for wanted in (kept[0], kept[39]):
            assert isinstance(wanted, Kept)
            question = wanted.memory.content
            assert wanted.memory.id in {
                each.memory.id for each in memory.recall(question, limit=50).remembered
            }
    assert version_of(path) == schema.VERSION
    assert list(tmp_path.glob("*.backup"))
    with closing(apsw.Connection(str(path))) as connection:
        (kept_stems,) = connection.execute("SELECT count(*) FROM stems")
        assert kept_stems == (40,)


def test_a_store_of_the_second_version_is_lifted(tmp_path: Path) -> None:
    """Memories written before uses were known can be used, shown and swept."""
    path = tmp_path / "old.db"
    with Helix.open(path, scope=SCOPE) as memory:
        kept = memory.capture("deploy number one went well")
        memory.remember("the freeze is on", expires_at="2020-01-01")
        before = told(memory)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(BEFORE_SERVING)
        connection.execute(FOURTH)
        connection.execute(SECOND)
        connection.execute("PRAGMA user_version = 2")
    with Helix.open(path, scope=SCOPE) as memory:
        assert told(memory) == before
        assert isinstance(kept, Kept)
        memory.life.used(kept.memory.id, 5)
        memory.recall("deploy")
        memory.life.write_down_shown()
        standing = memory.life.standing(kept.memory.id)
        assert (standing.strength.uses, standing.surfaced.count) == (1, 1)
        assert sum(each.changed for each in memory.life.sweep()) == 1
        assert_whole(memory)
    assert version_of(path) == schema.VERSION


def test_a_store_of_the_fourth_version_is_lifted(tmp_path: Path) -> None:
    """What was captured before Helix slept can be slept over."""
    path = tmp_path / "old.db"
    with Helix.open(path, scope=SCOPE) as memory:
        memory.remember("we use postgres 14")
        memory.remember("we use postgres 15")
        before = told(memory)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(BEFORE_SERVING + FOURTH)
        connection.execute("PRAGMA user_version = 4")
    with Helix.open(path, scope=SCOPE) as memory:
        assert told(memory) == before
        memory.sleeping.sleep()
        assert len(memory.review.items()) == 1
        assert_whole(memory)
    assert version_of(path) == schema.VERSION


def test_the_model_with_most_vectors_serves_a_store_that_did_not_say(tmp_path: Path) -> None:
    """Before a store kept which model serves, it could hold vectors of several."""
    path = tmp_path / "old.db"
    with Helix.open(path, scope=SCOPE) as memory:
        for number in range(3):
            memory.capture(f"deploy number {number} went well")
        with memory.context.store.writing() as unit:
            for model, several in (("few/1", 1), ("most/1", 3), ("words-only", 3)):
                waiting = unit.enrichment.waiting(model, several)
                vector = b"" if model == "words-only" else bytes(8)
                kept = [Enriched(key, vector, ()) for key, _ in waiting]
                unit.enrichment.keep(model, len(vector) // 2, kept)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(BEFORE_SERVING + "PRAGMA user_version = 5")
    with Helix.open(path, scope=SCOPE) as memory, memory.context.store.reading() as unit:
        assert unit.serving.current() == "most/1"
        assert unit.serving.left_over() == ("few/1",)


def test_conclusions_of_the_sixth_version_are_sealed(tmp_path: Path) -> None:
    """What was concluded before conclusions were sealed bears its seals from then on."""
    path = tmp_path / "old.db"
    with Helix.open(path, scope=SCOPE) as memory:
        memory.remember("we use postgres 14")
        memory.remember("we use postgres 15")
        memory.sleeping.sleep()
        sealed = memory.attesting.head()["journal"]
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(BEFORE_SEALS + "PRAGMA user_version = 6")
    with Helix.open(path, scope=SCOPE) as memory:
        assert memory.attesting.head()["journal"] == sealed
        assert_whole(memory)
    assert version_of(path) == schema.VERSION


def test_a_store_of_the_seventh_version_gets_a_scratchpad(tmp_path: Path) -> None:
    """What was there stays as it is, and notes can be written and become episodes."""
    path = tmp_path / "old.db"
    with Helix.open(path, scope=SCOPE) as memory:
        memory.capture("deploy number one went well")
        before = told(memory)
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(BEFORE_NOTES + "PRAGMA user_version = 7")
    with Helix.open(path, scope=SCOPE) as memory:
        assert told(memory) == before
        noted = memory.scratch.add("the port is 5433 today")
        assert isinstance(noted, Noted)
        assert isinstance(memory.scratch.keep(noted.note.id), Kept)
        assert_whole(memory)
    assert version_of(path) == schema.VERSION
    (backup,) = tmp_path.glob("*.v7-*.backup")
    assert version_of(backup) == 7


def test_what_the_eighth_version_embedded_is_given_its_words(tmp_path: Path) -> None:
    """In the background, newest first, once each; meanwhile it is found as before."""
    path, embedder = tmp_path / "old.db", TellingWordBags()
    with opened(path, embedder) as memory:
        ids = [kept_id(memory.capture(f"otter number {number} swims")) for number in range(40)]
        memory.upkeep.enrich()
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(BEFORE_WORDS + "PRAGMA user_version = 8")
    with opened(path, embedder) as memory:
        assert words_in(memory, embedder, ids) == set()
        assert memory.recall("which otter swims", limit=5).remembered
        calls = iter(range(2))
        store = memory.context.store
        give_words(store, embedder, stop=lambda: next(calls, None) is None)
        assert words_in(memory, embedder, ids) == set(ids[-2 * BATCH :])
        memory.capture("a badger digs")
        embedded = embedder.embedded
        assert memory.upkeep.enrich() == 1 + 40 - 2 * BATCH
        assert embedder.embedded - embedded == 1 + 40 - 2 * BATCH
        assert words_in(memory, embedder, ids) == set(ids)
        assert memory.upkeep.enrich() == 0


@contextmanager
def opened(path: Path, embedder: TellingWordBags) -> Iterator[Helix]:
    with closing(SqliteStore(path)) as store:
        yield Helix(replace(open_memory(store).context, embedder=lambda: embedder))


def kept_id(outcome: object) -> str:
    assert isinstance(outcome, Kept)
    return outcome.memory.id


def words_in(memory: Helix, embedder: TellingWordBags, ids: list[str]) -> set[str]:
    with memory.context.store.reading() as unit:
        return set(unit.enrichment.words_of(memory.context.realm, embedder.name, ids))
