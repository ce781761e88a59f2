"""Erasing from the command line: what is said, kept and promised."""

from __future__ import annotations

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
