"""Erasing from the command line: what is said, kept and promised."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from helix import Helix
from helix.adapters import signatures
from helix.adapters.sqlite import scouring
from helix.doors.cli import claiming
from helix.doors.cli.main import cli
from helix.model.errors import StoreUnavailable

SECRET = "zebulon keeps the northern vault's key"


def test_no_byte_is_claimed_only_where_none_is_left(helix, memory):
    """While another record says the same, its position is told instead."""
    one, other = memory.capture(SECRET).memory, memory.capture(SECRET).memory
    ran = helix("forget", one.id, "--hard", "--yes")
    assert ran.code == 0
    assert f"Other records name it or hold the same words: act {other.position}." in ran.out
    assert "No byte" not in ran.out
    ran = helix("forget", other.id, "--hard", "--yes")
    assert "No byte of it is left in the store's files." in ran.out


def test_a_contradicted_memory_is_erased_cleanly(helix, memory):
    """The survivor's doubt named it, and goes with it."""
    memory.remember("wobblegong listens on port 5432")
    memory.remember("wobblegong listens on port 5433")
    assert helix("sleep").code == 0
    ran = helix("forget", "mem_wobblegong_listens_port_5432", "--hard", "--yes")
    assert (ran.code, "No byte" in ran.out) == (0, True), ran.out
    assert "doubt" not in helix("why", "mem_wobblegong_listens_port_5433").out


@pytest.mark.parametrize("where", ["there.json", "no/such/folder.json"])
def test_nothing_is_destroyed_where_the_receipt_cannot_be_kept(helix, memory, where):
    """It is the only proof, and the deed cannot be repeated."""
    (helix.home / "there.json").write_text("kept")
    held = memory.capture(SECRET).memory
    for deed in (["forget", held.id, "--hard"], ["erase", "--subject", "zebulon"]):
        ran = helix(*deed, "--yes", "--receipt", where, "--json")
        assert (ran.code, ran.error["code"]) == (2, "file_not_made")
    assert memory.why(held.id).memory.content == SECRET
    assert (helix.home / "there.json").read_text() == "kept"


def test_a_receipt_is_private_and_is_not_left_behind_empty(helix, memory):
    """Where nothing was destroyed, there is none."""
    held = memory.capture(SECRET).memory
    ran = helix("erase", "--subject", "nobody", "--yes", "--receipt", "receipt.json")
    assert ran.code == 4
    assert "helix scrub" in ran.err
    ran = helix("forget", held.id, "--hard", "--receipt", "receipt.json")
    assert ran.code == 2  # nobody can be asked
    assert not (helix.home / "receipt.json").exists()
    ran = helix("forget", held.id, "--hard", "--yes", "--receipt", "receipt.json")
    assert ran.code == 0
    kept = helix.home / "receipt.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert json.loads(kept.read_text())["kind"] == "erasure"
    assert helix("attest", "--check", "receipt.json").code == 0


def test_a_receipt_checked_in_another_home_says_whose_it_is_not(helix, memory):
    """The ledger is compared, and the status is the ledger's."""
    if not signatures.is_available():
        pytest.skip("the signing extra is not installed")
    held = memory.capture(SECRET).memory
    ran = helix("forget", held.id, "--hard", "--yes", "--receipt", "receipt.json")
    receipt = helix.home / "receipt.json"
    own = helix("attest", "--check", str(receipt))
    assert (own.code, "another key" in own.out) == (0, False)
    key = json.loads(receipt.read_text())["key"]
    assert f"(key {key[:16]}" in helix("attest").out
    (helix.home / "signing.key").unlink()
    ran = helix("attest", "--check", str(receipt))
    assert (ran.code, f"another key ({key[:16]}…), not this home's" in ran.out) == (0, True)
    ran = helix("attest", "--check", str(receipt), "--json")
    assert json.loads(ran.out)["signed_by"] == {"key": key, "own": False}
    assert not (helix.home / "signing.key").exists()


def test_a_log_in_use_is_residue_and_can_be_finished(tmp_path, monkeypatch):
    """There is a receipt, the status says that bytes are left, and scrubbing ends it."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    monkeypatch.setattr(scouring, "PATIENCE", 0.0)
    where = ["--store", str(tmp_path / "memory.db"), "--scope", "project:demo-shop"]
    with Helix.open(tmp_path / "memory.db", scope="project:demo-shop", background=False) as memory:
        held = memory.capture(SECRET).memory
        receipt = tmp_path / "receipt.json"
        with memory.context.store.reading() as unit:
            assert unit.projection.held(held.realm.tenant, held.id)
            ran = CliRunner().invoke(
                cli, ["forget", held.id, "--hard", "--yes", "--receipt", str(receipt), *where]
            )
            assert ran.exit_code == 6, ran.output
            assert "Bytes of it are left in memory.db-wal." in ran.output
            assert "helix scrub" in ran.output
            document = json.loads(receipt.read_text())
            assert document["residue"] == ["memory.db-wal"]
            assert [each["kind"] for each in document["records"]] == ["captured"]
        assert b"zebulon" in (tmp_path / "memory.db-wal").read_bytes()
        ran = CliRunner().invoke(cli, ["scrub", *where])
        assert (ran.exit_code, "written anew" in ran.output) == (0, True), ran.output
    assert not any(b"zebulon" in each.read_bytes() for each in tmp_path.glob("*") if each.is_file())


def test_a_receipt_that_cannot_be_written_is_printed(tmp_path, monkeypatch):
    """The disk was full; what was destroyed is told of all the same."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    path, scope = tmp_path / "memory.db", "project:demo-shop"
    with Helix.open(path, scope=scope, background=False) as memory:
        held = memory.capture(SECRET).memory
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(claiming, "os", SimpleNamespace(**vars(os) | {"fsync": raising(full)}))
    receipt = tmp_path / "receipt.json"
    where = ["--store", str(path), "--scope", scope]
    ran = CliRunner().invoke(
        cli, ["forget", held.id, "--hard", "--yes", "--receipt", str(receipt), *where]
    )
    assert isinstance(ran.exception, StoreUnavailable)
    assert '"kind": "erasure"' in ran.output
    assert "Signed receipt" not in ran.output
    assert not receipt.exists()


def raising(error):
    def raises(*_):
        raise error

    return raises


def test_the_question_tells_what_would_stand_otherwise(tmp_path, monkeypatch):
    """Whoever is asked knows what comes back, or steps back, before it is too late."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    terminal = SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("helix.doors.cli.commands.erasing.sys", terminal)
    path, scope = tmp_path / "memory.db", "project:demo-shop"
    with Helix.open(path, scope=scope, background=False) as memory:
        old = memory.remember("invoices go out on Mondays").memory
        new = memory.correct(old.id, "invoices go out when zebulon says so").memory
    where = ["--store", str(path), "--scope", scope]
    one, every = ["forget", new.id, "--hard", *where], ["erase", "--subject", "zebulon", *where]
    ran = CliRunner().invoke(cli, one, input="n\n")
    assert ran.exit_code == 1
    assert "1 record and 1 memory would go." in ran.output
    assert f"Held again, because what had replaced it goes: {old.id}." in ran.output
    ran = CliRunner().invoke(cli, every, input="y\n")
    assert ran.exit_code == 0
    assert ran.output.count(f"Forgotten instead of held again: {old.id}.") == 2
    assert "No byte of it is left" in ran.output
