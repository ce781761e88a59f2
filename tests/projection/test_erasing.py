"""What of the journal goes with erased memories, and what is left is as if they had never been."""

from __future__ import annotations

from dataclasses import replace

from helix.model.changes import ChangeSet, JournalEntry, PutEdge, PutMemory
from helix.model.provenance import Origin, Provenance, Source
from helix.model.suspicion import Suspicion
from helix.projection.erasing import scrubbed, unborn, without
from helix.testing.builders import HERE, USER, a_memory, an_edge
from helix.testing.clock import SOME_MOMENT

SAID = replace(a_memory("mem_said"), belief=replace(a_memory().belief, provenance=(
    Provenance(USER, 1),), confidence=0.9))  # fmt: skip


def doubted(*rivals: str, confidence: float):
    doubts = tuple(f"contradicted by {each}" for each in rivals)
    return PutMemory(replace(SAID, belief=replace(SAID.belief, doubts=doubts,
                                                  confidence=confidence)))  # fmt: skip


def entry(*changes, undo=(), number=1):
    made = ChangeSet(HERE, "they cannot both hold", "relate", 1, changes, tuple(undo))
    return JournalEntry(number, SOME_MOMENT, 1, made)


def test_a_doubt_goes_with_what_it_names():
    """Nothing else was concluded, so nothing is left of the conclusion."""
    made = entry(
        PutEdge(an_edge("mem_said", "mem_gone")), doubted("mem_gone", confidence=0.72),
        undo=[PutMemory(SAID)],
    )  # fmt: skip
    gone, rewritten = scrubbed([made], {"mem_gone"}, {5})
    assert gone == {"mem_gone"}
    assert (rewritten[1].changes, rewritten[1].undo) == ((), ())
    assert "cannot" not in rewritten[1].reason


def test_another_doubt_stays():
    """Also where both were raised in one night."""
    made = entry(
        doubted("mem_gone", confidence=0.72), doubted("mem_gone", "mem_other", confidence=0.576),
        undo=[PutMemory(SAID)],
    )  # fmt: skip
    _, rewritten = scrubbed([made], {"mem_gone"}, ())
    last = rewritten[1].changes[-1]
    assert last == doubted("mem_other", confidence=0.72)


def test_a_name_that_only_begins_alike_is_another():
    """`mem_gone_2` is not `mem_gone`."""
    made = entry(doubted("mem_gone_2", confidence=0.72), undo=[PutMemory(SAID)])
    assert scrubbed([made], {"mem_gone"}, ()) == ({"mem_gone"}, {})


def test_a_reason_for_suspicion_goes_with_what_it_names():
    """The other reasons stay."""
    suspicion = Suspicion(0.6, ("repeats mem_gone", "gives orders"))
    made = entry(PutMemory(replace(SAID, belief=replace(SAID.belief, suspicion=suspicion))))
    _, rewritten = scrubbed([made], {"mem_gone"}, ())
    assert rewritten[1].changes[0].memory.belief.suspicion.reasons == ("gives orders",)


def test_a_conclusion_that_quotes_what_goes_goes_too():
    """An id is made of a memory's words."""
    helix = Source("helix", Origin.AGENT_INGESTED, extractor="sleep:card")
    card = replace(a_memory("mem_card", "see mem_gone for more"), belief=replace(
        a_memory().belief, provenance=(Provenance(helix, 3),)))  # fmt: skip
    gone, rewritten = scrubbed([entry(PutMemory(card))], {"mem_gone"}, ())
    assert gone == {"mem_gone", "mem_card"}
    assert rewritten[1].changes == ()


def test_what_leaves_by_age_leaves_doubts_alone():
    """It can be brought back from its export."""
    made = entry(doubted("mem_gone", confidence=0.72), undo=[PutMemory(SAID)])
    assert without([made], {"mem_gone"}) == {}


def test_what_is_said_anew_is_not_believed_before():
    """What was concluded about it spoke of a record that is gone; its links stay."""
    edge = PutEdge(an_edge("mem_said", "mem_other"))
    made = entry(edge, doubted("mem_other", confidence=0.72), undo=[PutMemory(SAID)])
    left = unborn(made.change_set, {"mem_said"})
    assert (left.changes, left.undo) == ((edge,), ())


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
