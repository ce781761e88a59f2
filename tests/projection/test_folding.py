"""What each kind of act becomes, and that folding copes with acts that fit nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from helix.model import act as acts
from helix.model.act import Act
from helix.model.changes import AddImportance, PutEdge, PutMemory, PutSession
from helix.model.memory import Memory, Status
from helix.ports.projection import Stamp
from helix.projection.folding import fold
from helix.projection.workflow import catch_up, compared
from helix.testing.builders import AGENT, HERE, USER, Scribe, a_capture, a_memory, an_assertion
from helix.testing.clock import SOME_MOMENT
from helix.testing.reference_store import ReferenceStore

DAY = timedelta(days=1)


@pytest.fixture
def scribe() -> Scribe:
    return Scribe(ReferenceStore())


def held(scribe: Scribe, memory_id: str) -> Memory:
    memory = scribe.ask(lambda unit: unit.projection.held(HERE.tenant, memory_id))
    assert memory is not None
    return memory


def changes_of(scribe: Scribe, act: Act) -> list[type]:
    told = scribe.append(act)
    return scribe.ask(
        lambda unit: [type(each) for each in fold(told.record, told.act, unit.projection)]
    )


def test_an_assertion_becomes_a_memory(scribe: Scribe) -> None:
    """It holds from the moment of recording, unless it says from when."""
    told = scribe.write(an_assertion(memory_id="mem_a"))
    begun = told.record.recorded_at - 9 * DAY
    scribe.write(an_assertion(memory_id="mem_b", valid_from=begun))
    assert held(scribe, "mem_a").belief.valid_from == told.record.recorded_at
    assert held(scribe, "mem_b").belief.valid_from == begun
    belief = held(scribe, "mem_a").belief
    assert (belief.since, belief.stems_from, belief.status) == (1, 1, Status.ACTIVE)
    assert [each.position for each in belief.provenance] == [1]


def test_a_capture_becomes_an_episode_a_session_and_a_sum(scribe: Scribe) -> None:
    """Without a session there is none; every episode counts towards the next sleep."""
    assert changes_of(scribe, a_capture(event_id="e1")) == [PutMemory, AddImportance]
    in_session = a_capture(event_id="e2", session="s1")
    assert changes_of(scribe, in_session) == [PutMemory, PutSession, AddImportance]


def test_a_confirmation_adds_a_witness(scribe: Scribe) -> None:
    """Confidence rises with each, a user's more than an agent's, and never passes 1."""
    scribe.write(an_assertion(memory_id="mem_a"))
    confidences = [held(scribe, "mem_a").belief.confidence]
    for source in (AGENT, USER, USER):
        scribe.write(acts.Confirmed("mem_a", source))
        confidences.append(held(scribe, "mem_a").belief.confidence)
    assert confidences == pytest.approx([0.9, 0.91, 0.955, 0.9775])
    belief = held(scribe, "mem_a").belief
    assert belief.confirmations == 3
    assert [each.position for each in belief.provenance] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "act",
    [
        acts.Confirmed("mem_none", USER),
        acts.Forgotten("mem_none", USER),
        acts.Restored("mem_none", USER),
        acts.Pinned("mem_none", pinned=True, source=USER),
        acts.RolledBack((99,), USER),
        acts.Erased(99, USER),
        acts.Purged(((99, 99),), USER, SOME_MOMENT, ""),
    ],
    ids=lambda act: type(act).__name__,
)
def test_an_act_on_nothing_changes_nothing(scribe: Scribe, act: Act) -> None:
    """What an act concerned may have been erased; folding goes on."""
    assert changes_of(scribe, act) == []


def test_a_relation_to_nothing_leaves_no_edge(scribe: Scribe) -> None:
    """An edge needs both its ends."""
    scribe.write(an_assertion(memory_id="mem_a"))
    scribe.write(acts.Related("mem_a", "mem_none", "uses", 1.0, USER))
    assert not scribe.ask(lambda unit: unit.projection.neighbours(HERE, "mem_a"))


def test_a_correction_of_nothing_is_an_assertion(scribe: Scribe) -> None:
    """If what it corrects was erased, the new memory stands alone."""
    correction = acts.Corrected("mem_none", an_assertion(memory_id="mem_a"))
    assert changes_of(scribe, correction) == [PutMemory]


def test_a_correction_draws_one_edge(scribe: Scribe) -> None:
    """The new memory, the old one closed, and the edge between them."""
    scribe.write(an_assertion(memory_id="mem_a"))
    correction = acts.Corrected("mem_a", an_assertion("else", memory_id="mem_b"))
    assert changes_of(scribe, correction) == [PutMemory, PutMemory, PutEdge]


def test_an_erased_payload_folds_to_nothing(scribe: Scribe) -> None:
    """A record without its act moves the checkpoint and changes nothing."""
    scribe.append(an_assertion(memory_id="mem_a"))
    scribe.erase(1)
    with scribe.store.writing() as unit:
        assert catch_up(unit, HERE.tenant) == 2
        assert unit.projection.checkpoint(HERE.tenant) == 2
        assert unit.projection.held(HERE.tenant, "mem_a") is None


def test_catching_up_stops_at_its_limit(scribe: Scribe) -> None:
    """It folds so many records and no more, and says how many."""
    for number in range(5):
        scribe.append(an_assertion(f"fact {number}", memory_id=f"mem_{number}"))
    with scribe.store.writing() as unit:
        steps = [catch_up(unit, HERE.tenant, limit=2) for _ in range(4)]
    assert steps == [2, 2, 1, 0]


def test_a_difference_is_named_by_its_section(scribe: Scribe) -> None:
    """Comparing with a rebuild tells where the two differ."""
    scribe.write(a_capture(event_id="e1", session="s1"))
    assert list(compared(scribe.store, HERE.tenant)) == []
    with scribe.store.writing() as unit:
        # Something that stands in no record.
        stray = [PutMemory(a_memory())]
        unit.projection.apply(HERE.tenant, stray, Stamp(SOME_MOMENT, None))
    assert list(compared(scribe.store, HERE.tenant)) == ["memories"]


def test_whoever_wins_a_contradiction_ends_what_the_loser_had_followed_on(scribe: Scribe) -> None:
    """Or the first of the line would stay in force until the loser's day."""
    scribe.write(an_assertion("a", memory_id="mem_a"))
    ahead = scribe.clock.now() + 30 * DAY
    planned = an_assertion("b", memory_id="mem_b", valid_from=ahead)
    scribe.write(acts.Corrected("mem_a", planned))
    winner = scribe.write(an_assertion("c", memory_id="mem_c"))
    resolved = scribe.write(acts.Resolved("mem_b", "mem_c", "second", USER))
    ended = held(scribe, "mem_a").belief
    assert ended.valid_to == winner.record.recorded_at
    scribe.write(acts.RolledBack((resolved.record.position,), USER))
    assert held(scribe, "mem_a").belief.valid_to == ahead
