"""Commands that look after a store: rollback, verify, rebuild, doctor."""

from __future__ import annotations

import os
import shutil
import sys

import apsw
import pytest

BOUND_BY_PERMISSIONS = "ctypes.CDLL(None).prctl(24, 1, 0, 0, 0)"
"""PR_CAPBSET_DROP, CAP_DAC_OVERRIDE: without it, root may write no more than anybody else."""


@pytest.fixture
def corrected(memory):
    old = memory.remember("This repo uses npm", type="convention").memory.id
    memory.correct(old, "This repo uses pnpm")
    return old


def tamper(path, statement):
    connection = apsw.Connection(str(path))
    connection.execute("DROP TRIGGER ledger_only_erases; DROP TRIGGER ledger_keeps_records")
    connection.execute(statement)
    connection.close()


def test_rollback_undoes_one_act_and_shows_what_changed(helix, corrected):
    ran = helix("rollback", "2", "--reason", "too early")
    assert ran.code == 0
    assert ran.out.startswith("Undid act 2 in project:demo-shop")
    assert f"  {corrected}  convention, since" in ran.out
    assert "npm" in helix("recall", "repo").out
    assert "act 2 undone: too early" in helix("log").out


def test_rollback_to_a_position_undoes_what_was_decided_after_it(helix, corrected, memory):
    episode = memory.capture("it rained").memory.id
    document = helix("rollback", "--to", "1", "--json").document
    assert document["undone"] == [2]
    assert helix("recall", "rained").code == 0
    document = helix("rollback", "--to", "2", "--with-episodes", "--yes", "--json").document
    assert episode in [each["id"] for each in document["memories"]]
    assert helix("recall", "rained").code == 1


def test_rollback_refuses_what_cannot_be_undone(helix, corrected):
    assert helix("rollback").code == 2
    assert helix("rollback", "2", "--to", "1").code == 2
    assert helix("rollback", "first").code == 2
    assert helix("rollback", "99").code == 3
    blocked = helix("rollback", "1")
    assert blocked.code == 4
    assert "Undo act 2 first" in blocked.err


def test_verify_finds_a_sound_ledger_sound(helix, corrected):
    ran = helix("verify")
    assert ran.code == 0
    assert ran.out.startswith("Sound: all 2 records match their seals")
    assert helix("verify", "--json").document["sound"] is True


def test_verify_names_the_first_bad_record(helix, corrected, memory):
    memory.close()
    tamper(helix.home / "memory.db", "UPDATE ledger SET body = x'00' WHERE position = 2")
    ran = helix("verify")
    assert ran.code == 6
    assert "record 2: its payload was changed after it was sealed" in ran.out
    document = helix("verify", "--json").document
    assert (document["sound"], document["position"]) == (False, 2)


def test_verify_names_a_memory_that_says_something_else(helix, corrected, memory):
    memory.close()
    tamper(helix.home / "memory.db", "UPDATE memories SET content = 'HACKED' WHERE position = 2")
    assert "HACKED" in helix("recall", "repo").out
    ran = helix("verify")
    assert ran.code == 6
    assert "its words are not what record 2 says" in ran.out
    assert "helix rebuild" in ran.out
    assert helix("verify", "--json").document["in"] == "projection"
    assert "run `helix rebuild`" in helix("doctor").out
    assert helix("rebuild").code == 0
    assert "Memories say what was recorded" in helix("verify").out


@pytest.mark.parametrize(
    "tampering", ["UPDATE tenants SET name = 'x'", "DELETE FROM ledger WHERE position = 2"]
)
def test_verify_does_not_take_a_loss_for_an_empty_ledger(helix, corrected, memory, tampering):
    memory.close()
    tamper(helix.home / "memory.db", f"DROP TRIGGER ledger_loses_nothing; {tampering}")
    assert helix("verify").code == 6
    assert helix("doctor").code == 6


@pytest.mark.parametrize(
    "change", ["key = key + 100", "recorded_at = 'x'", "body = CAST(body AS TEXT)", "place = 77"]
)
def test_a_row_that_no_helix_wrote_is_damage_not_a_fault_in_helix(helix, corrected, memory, change):
    memory.close()
    tamper(helix.home / "memory.db", f"UPDATE ledger SET {change} WHERE position = 2")
    ran = helix("verify")
    assert (ran.code, ran.err) == (6, "")
    assert "record 2: " in ran.out
    doctor = helix("doctor")
    assert doctor.code == 6
    assert "record 2: " in doctor.out
    rebuild = helix("rebuild", "--check", "--json")
    assert (rebuild.code, rebuild.error["code"]) == (5, "store_damaged")
    for reading in (["recall", "repo"], ["log"], ["export", "--markdown", "out"], ["status"]):
        ran = helix(*reading)
        assert ran.code in {0, 5}, reading
        assert ran.code == 0 or "helix verify" in ran.err.lower(), reading


def test_rebuild_finds_an_equal_projection_equal(helix, corrected):
    assert "equal to what stands" in helix("rebuild", "--check").out
    document = helix("rebuild", "--json").document
    assert document == {
        "scope": "project:demo-shop", "records": 2, "equal": True, "differences": [],
        "repaired": False,
    }  # fmt: skip


def test_rebuild_names_what_differs_and_repairs_it(helix, corrected, memory):
    memory.close()
    tamper(helix.home / "memory.db", "UPDATE memories SET importance_base = 0.01")
    checked = helix("rebuild", "--check")
    assert checked.code == 6
    assert "memories differ." in checked.out
    assert helix("rebuild", "--check", "--json").document["repaired"] is False
    repaired = helix("rebuild")
    assert repaired.code == 0
    assert "the new projection is in place" in repaired.out
    assert helix("rebuild", "--check").code == 0


def test_doctor_finds_nothing_wrong_with_a_new_store(helix):
    ran = helix("doctor")
    assert ran.code == 0
    assert "every seal holds" in ran.out
    document = helix("doctor", "--json").document
    assert document["sound"] is True
    assert {each["name"] for each in document["findings"]} >= {"ledger", "projection", "scope"}


def test_doctor_reports_a_fault_with_its_remedy(helix, corrected, memory):
    memory.close()
    tamper(helix.home / "memory.db", "UPDATE ledger SET body = x'00' WHERE position = 1")
    ran = helix("doctor")
    assert ran.code == 6
    assert "record 1: its payload was changed" in ran.out


def test_doctor_examines_what_cannot_be_opened(helix):
    (helix.home / "settings.toml").write_text("stoer = 1")
    ran = helix("doctor", "--json")
    assert ran.code == 6
    finding = ran.document["findings"][0]
    assert (finding["name"], finding["state"]) == ("bad_settings", "fault")
    assert finding["remedy"]
    assert helix("status").code == 2


@pytest.mark.skipif(sys.platform != "linux", reason="it is Linux that is asked to bind root")
def test_a_store_that_cannot_be_written_still_answers(helix, corrected, memory, tmp_path_factory):
    memory.close()
    home = tmp_path_factory.mktemp("sealed")
    shutil.copy(helix.home / "memory.db", home / "memory.db")
    store = str(home / "memory.db")
    (home / "memory.db").chmod(0o444)
    home.chmod(0o555)
    ran = helix("recall", "repo", "--store", store, first=BOUND_BY_PERMISSIONS)
    assert ran.code == 0, ran.err
    assert "pnpm" in ran.out
    for reading in (["status"], ["list"], ["log"], ["why", corrected], ["verify"]):
        assert helix(*reading, "--store", store, first=BOUND_BY_PERMISSIONS).code == 0, reading
    written = helix("remember", "something new", "--store", store, first=BOUND_BY_PERMISSIONS)
    assert written.code == 5
    assert "reading still works" in written.err.lower()
    home.chmod(0o755)


@pytest.mark.parametrize("what", ["pipe", "device", "too large"])
def test_a_signed_head_is_read_from_a_real_file_only(helix, memory, tmp_path, what):
    """A pipe is not waited for, and a device is not read until the memory is full."""
    memory.remember("the first thing")
    path = tmp_path / "head.json"
    match what:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "too large":
            path.write_bytes(b" " * 10_000_001)
    assert helix("attest", "--check", str(path), "--json").error["code"] == "unusable_receipt"
