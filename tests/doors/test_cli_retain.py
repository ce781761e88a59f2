"""`helix retain`: how long the ledger keeps what happened."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from helix.adapters.sqlite import scouring
from helix.adapters.sqlite.store import SqliteStore
from helix.doors.cli.main import cli
from helix.model.scope import local_realm
from helix.testing.builders import open_memory
from helix.testing.clock import SettableClock


@pytest.fixture
def old(helix):
    """A store with two episodes that were archived more than a year ago, and a fact."""
    clock = SettableClock(datetime.now(UTC) - timedelta(days=400))
    with closing(SqliteStore(helix.home / "memory.db")) as store:
        memory = open_memory(store, local_realm("project:demo-shop"), clock=clock)
        for words in ("the cache was cleared", "the runner was slow"):
            memory.life.demote(memory.capture(words).memory.id)
        memory.remember("we deploy to Hetzner")


def test_it_is_off_by_default(helix, old):
    ran = helix("retain", "--json")
    assert (ran.code, ran.error["code"]) == (2, "retention_off")
    findings = helix("doctor", "--json").document["findings"]
    assert any(each["says"] == "off: the ledger keeps everything" for each in findings)


def test_look_export_check_and_restore(helix, old):
    (helix.home / "settings.toml").write_text("[ledger]\nkeep_days = 365\n")
    assert "4 older records have stepped back" in helix("doctor").out
    looked = helix("retain")
    assert "4 records (2 episodes) are older than 365 days" in looked.out
    assert helix("retain", "--dry-run", "--json").document["records"] == 4
    unsure = helix("retain", "--export", "old.jsonl", "--json")
    assert (unsure.code, unsure.error["code"]) == (2, "not_confirmed")
    done = helix("retain", "--export", "old.jsonl", "--yes", "--json").document
    assert (done["records"], done["episodes"], done["purged"]) == (4, 2, True)
    assert helix("verify", "--json").document["purged"] == 4
    assert "4 of them were purged by age" in helix("verify").out
    assert helix("rebuild", "--check").code == 0
    assert "4 were purged by age" in helix("doctor").out
    checked = helix("retain", "--check", "old.jsonl", "--json").document
    assert (checked["records"], checked["purged"], checked["present"]) == (4, 4, 0)
    back = helix("retain", "--restore", "old.jsonl", "--json").document
    assert (back["restored"], back["left_out"]) == (2, 2)
    assert helix("recall", "cache", "--deep", "--words-only", "--json").document["found"]
    assert helix("retain", "--restore", "nowhere.jsonl", "--json").error["code"]


def test_a_purge_is_not_undone_by_a_rollback(helix, old):
    """What was purged is in the export, and nowhere else; the remedy says so."""
    (helix.home / "settings.toml").write_text("[ledger]\nkeep_days = 365\n")
    helix("retain", "--export", "old.jsonl", "--yes")
    purge = helix("log", "--json").document["entries"][0]
    assert purge["kind"] == "purged"
    ran = helix("rollback", str(purge["position"]), "--json")
    assert (ran.code, ran.error["code"]) == (4, "not_undoable")
    assert "helix retain --restore FILE" in ran.error["remedy"]
    fact = purge["position"] - 1
    helix("remember", "we test on Fridays")
    done = helix("rollback", "--to", str(fact), "--json").document
    assert done["undone"] == [purge["position"] + 1]


def test_faults_in_the_settings_are_told(helix):
    for bad in ("keep_days = 3", "keep_days = true", 'keep_days = "all"', "days = 90"):
        (helix.home / "settings.toml").write_text(f"[ledger]\n{bad}\n")
        ran = helix("status", "--json")
        assert (ran.code, ran.error["code"]) == (2, "bad_settings")


def test_options_that_exclude_each_other(helix):
    assert helix("retain", "--dry-run", "--export", "x.jsonl").code == 2


def test_a_purge_while_somebody_reads_is_told_with_what_is_left_to_do(
    helix, old, tmp_path, monkeypatch
):
    """It is done by then, and the file is complete: an error would make it look undone."""
    monkeypatch.setenv("HELIX_HOME", str(helix.home))
    monkeypatch.setattr(scouring, "PATIENCE", 0.0)
    store = helix.home / "memory.db"
    where = ["--store", str(store), "--scope", "project:demo-shop"]

    def purged(name, *more):
        file = str(tmp_path / name)
        args = ["retain", "--keep-days", "365", "--yes", "--export", file, *where, *more]
        return CliRunner().invoke(cli, args)

    with closing(SqliteStore(store)) as reader, reader.reading() as unit:
        assert unit.ledger.head("local").position
        ran = purged("old.jsonl")
        assert ran.exit_code == 6, ran.output
        assert "Exported and purged 4 records" in ran.output
        assert "run `helix scrub`" in ran.output
        assert b"cache was cleared" in store.read_bytes()
    assert helix("retain", "--check", str(tmp_path / "old.jsonl"), "--json").document["purged"] == 4
    assert helix("scrub").code == 0
    assert b"cache was cleared" not in store.read_bytes()


def test_a_program_is_told_whether_the_files_were_scoured(helix, old):
    ran = helix("retain", "--keep-days", "365", "--yes", "--export", "old.jsonl", "--json")
    assert (ran.code, ran.document["scoured"]) == (0, True)
