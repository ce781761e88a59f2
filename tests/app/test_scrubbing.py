"""Secrets that an older version let in are taken out, and what stood around them stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.capture.admission import GATES
from helix.testing.builders import HERE, open_memory

TOKEN = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"


@pytest.fixture
def store(tmp_path):
    store = SqliteStore(tmp_path / "memory.db")
    yield store
    store.close()


def test_scrubbing_takes_secrets_out_of_every_byte(store, tmp_path):
    memory = open_memory(store, HERE)
    old = Helix(replace(memory.context, gates=GATES[:3]))  # a version without redaction
    old.capture(f"pushed with {TOKEN} to the mirror", session="s1")
    old.remember(f"The mirror's token is {TOKEN}", type="convention")
    old.remember("The mirror is in Frankfurt")
    read, leaks = memory.scrubbing.look()
    assert (read, len(leaks)) == (3, 2)
    done = memory.scrubbing.scrub()
    assert all(receipt.residue == () for receipt in done.receipts)
    store.close()
    assert TOKEN.encode() not in b"".join(
        each.read_bytes() for each in tmp_path.rglob("*") if each.is_file()
    )
    with SqliteStore(tmp_path / "memory.db").reading() as unit:
        contents = "".join(unit.projection.contents(HERE.tenant))
    assert "pushed with [redacted github-token] to the mirror" in contents
    assert "Frankfurt" in contents


def test_a_clean_store_is_left_alone(store):
    memory = open_memory(store, HERE)
    memory.capture("nothing secret here")
    before = memory.upkeep.status().head
    assert memory.scrubbing.scrub().leaks == ()
    assert memory.upkeep.status().head == before
