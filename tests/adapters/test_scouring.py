"""A store's files are found whatever its name, and what was erased is gone from them."""

from __future__ import annotations

from contextlib import closing

import pytest

from helix.adapters.sqlite.scouring import backups, residue
from helix.adapters.sqlite.store import SqliteStore
from helix.testing.builders import open_memory


@pytest.mark.parametrize("name", ["memory.db", "mem[1].db", "what?.db", "all*.db", "[!a].db"])
def test_the_files_of_a_store_are_found_whatever_its_name(tmp_path, name):
    """Letters that mean something in a pattern are letters of the name here."""
    with closing(SqliteStore(tmp_path / name)) as store:
        memory = open_memory(store)
        held = memory.remember("the swordfish protocol opens the vault").memory
        copy = tmp_path / f"{name}.v1-20260101T000000-abcd.backup"
        store.copy_to(copy)
        assert copy.name in residue(store.path, [b"swordfish protocol"])
        assert backups(store.path) == [copy]
        receipt = memory.erasing.memory(held.id)
        assert (receipt.copies_removed, receipt.residue) == ((copy.name,), ())
        assert not copy.exists()
