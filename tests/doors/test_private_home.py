"""Nothing that the program leaves behind can be opened by another user."""

from __future__ import annotations

import os
import stat

import pytest
from tests.doors.conftest import PROJECT, Program

from helix import Helix
from helix.doors.alone import enrich_alone
from helix.doors.falling_asleep import fallen_asleep
from helix.doors.rest.serving import _alone

TOKEN = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"


@pytest.fixture(autouse=True)
def _usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def wide(folder):
    """Return what others may do anything with."""
    found = [folder, *folder.rglob("*")]
    return [each for each in found if stat.S_IMODE(each.lstat().st_mode) & 0o077]


def test_a_home_that_helix_makes_is_private_with_all_in_it(tmp_path):
    """Store, keys, locks, logs, signed heads and receipts: for their owner alone."""
    helix, home = Program(tmp_path), tmp_path / "new" / "home"
    helix.environment["HELIX_HOME"] = str(home)
    assert helix("remember", f"Alice Example has {TOKEN}").code == 0
    assert helix("remember", "the mirror is in Frankfurt").code == 0
    assert helix("hook", "Tuesday").code == 0
    assert helix("attest", "--out", str(home / "head.json")).code == 0
    receipt = str(home / "receipt.json")
    assert helix("erase", "--subject", "Alice Example", "--yes", "--receipt", receipt).code == 0
    store = home / "memory.db"
    with _alone(store), Helix.open(store, scope=f"project:{PROJECT}") as memory:
        enrich_alone(memory, home)
    process = fallen_asleep(store)
    assert process is not None
    process.wait(60)
    names = {each.name for each in home.iterdir()}
    assert {
        "memory.db", "redaction.key", "hooks.log", "head.json", "receipt.json", "enriching.lock",
        "memory.db.serve.lock", "memory.db.sleep.lock",
    } <= names  # fmt: skip
    assert wide(home) == []


def test_a_home_that_was_there_keeps_its_mode(tmp_path):
    """Who opened it to others had a reason; what lies in it is private all the same."""
    tmp_path.chmod(0o755)
    helix = Program(tmp_path)
    assert helix("remember", "the mirror is in Frankfurt").code == 0
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    assert wide(tmp_path) == [tmp_path]
