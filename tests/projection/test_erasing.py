"""What of the journal goes with erased memories, and what is left of the rest."""

from __future__ import annotations

from dataclasses import replace

from helix.model.changes import ChangeSet, JournalEntry, PutMemory
from helix.projection.erasing import scrubbed
from helix.testing.builders import HERE, a_memory
from helix.testing.clock import SOME_MOMENT


def test_a_doubt_that_names_what_goes_is_dropped_and_the_memory_stays():
    """An id is made of a memory's words, so it may stand in nobody's doubts."""
    held = a_memory("mem_stays", "deploys happen on Fridays")
    doubts = ("contradicted by mem_alice_deploys", "contradicted by mem_other", "its file is gone")
    doubted = replace(held, belief=replace(held.belief, doubts=doubts))
    change_set = ChangeSet(HERE, "a test", "heuristic", 2, (PutMemory(doubted),))
    entry = JournalEntry(1, SOME_MOMENT, 2, change_set)
    gone, rewritten = scrubbed([entry], ["mem_alice_deploys"], [])
    assert gone == {"mem_alice_deploys"}
    (left,) = rewritten[1].changes
    assert isinstance(left, PutMemory)
    assert left.memory.id == "mem_stays"
    assert left.memory.belief.doubts == doubts[1:]
