"""When an act may be undone, and when something stands in the way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helix.model import act as acts
from helix.model.changes import PutMemory
from helix.model.memory import Belief, Status
from helix.projection.undoing import NOTHING, obstacles
from helix.testing.builders import HERE, USER, Scribe, an_assertion
from helix.testing.reference_store import ReferenceStore


@pytest.fixture
def scribe() -> Scribe:
    """A ledger: 1 asserts a, 2 confirms it, 3 corrects it to b, 4 asserts c, 5 relates c to b."""
    scribe = Scribe(ReferenceStore())
    scribe.write(an_assertion("a", memory_id="mem_a"))
    scribe.write(acts.Confirmed("mem_a", USER))
    scribe.write(acts.Corrected("mem_a", an_assertion("b", memory_id="mem_b")))
    scribe.write(an_assertion("c", memory_id="mem_c"))
    scribe.write(acts.Related("mem_c", "mem_b", "uses", 1.0, USER))
    return scribe


def in_the_way(scribe: Scribe, *positions: int) -> list[tuple[int, str, int]]:
    found = scribe.ask(lambda unit: obstacles(HERE.tenant, positions, unit.projection))
    return [(each.position, each.touched, each.now_rests_on) for each in found]


def belief(scribe: Scribe, memory_id: str) -> Belief:
    memory = scribe.ask(lambda unit: unit.projection.held(HERE.tenant, memory_id))
    assert memory is not None
    return memory.belief


@pytest.mark.parametrize("positions", [(3,), (4,), (5,), (2, 3), (1, 2, 3), (1, 2, 3, 4, 5)])
def test_the_latest_acts_on_a_thing_can_be_undone(
    scribe: Scribe, positions: tuple[int, ...]
) -> None:
    """If everything touched rests on the acts undone, nothing stands in the way."""
    assert in_the_way(scribe, *positions) == []


@pytest.mark.parametrize(
    ("positions", "first"),
    [((1,), (1, "mem_a", 3)), ((2,), (2, "mem_a", 3)), ((1, 2), (1, "mem_a", 3))],
)
def test_what_went_on_since_stands_in_the_way(
    scribe: Scribe, positions: tuple[int, ...], first: tuple[int, str, int]
) -> None:
    """The obstacle names the act, what it touched and the act that this rests on now."""
    assert in_the_way(scribe, *positions)[0] == first


def test_an_edge_that_was_ended_since_stands_in_the_way(scribe: Scribe) -> None:
    """A relation that another act has ended cannot be undone again."""
    scribe.write(acts.RolledBack((5,), USER))
    assert in_the_way(scribe, 5) == [(5, "edge_5_1", 6)]
    assert in_the_way(scribe, 5, 6) == []


def test_undoing_returns_to_the_belief_before_the_first_of_them(scribe: Scribe) -> None:
    """It is held anew from the rollback on, and rests on what it rested on then."""
    scribe.write(acts.RolledBack((2, 3), USER))
    back = belief(scribe, "mem_a")
    assert (back.status, back.confirmations, back.valid_to) == (Status.ACTIVE, 0, None)
    assert (back.since, back.stems_from) == (6, 1)
    assert in_the_way(scribe, 1) == []


def test_undoing_a_birth_leaves_a_memory_that_rests_on_nothing(scribe: Scribe) -> None:
    """It steps back as it was born; only the rollback itself can be undone."""
    scribe.write(acts.RolledBack((1, 2, 3), USER))
    for memory_id in ("mem_a", "mem_b"):
        gone = belief(scribe, memory_id)
        assert (gone.status, gone.stems_from, gone.valid_to) == (Status.FORGOTTEN, NOTHING, None)
    assert in_the_way(scribe, 1)
    assert in_the_way(scribe, 6) == []


def test_undoing_an_undoing_draws_the_edge_anew(scribe: Scribe) -> None:
    """The gap in between did happen, so it is another edge between the same ends."""
    scribe.write(acts.RolledBack((5,), USER))
    assert len(edges_at(scribe, "mem_c")) == 0
    scribe.write(acts.RolledBack((6,), USER))
    ((edge_id, ends),) = edges_at(scribe, "mem_c").items()
    assert ends == ("mem_c", "uses", "mem_b")
    assert edge_id != "edge_5_1"


def test_what_was_purged_stays_purged(scribe: Scribe) -> None:
    """A rollback never brings back what was destroyed."""
    memory = scribe.ask(lambda unit: unit.projection.held(HERE.tenant, "mem_c"))
    assert memory is not None
    purged = replace(memory, belief=replace(memory.belief, status=Status.PURGED))
    scribe.conclude([PutMemory(purged)])
    scribe.write(acts.RolledBack((4,), USER))
    assert belief(scribe, "mem_c").status is Status.PURGED


def edges_at(scribe: Scribe, memory_id: str) -> dict[str, tuple[str, str, str]]:
    found = scribe.ask(lambda unit: unit.projection.neighbours(HERE, memory_id))
    return {edge.id: (edge.from_id, edge.relation, edge.to_id) for edge in found}


def concluded(scribe: Scribe, memory_id: str, **changes: object) -> None:
    """Let Helix conclude something about a memory."""
    memory = scribe.ask(lambda unit: unit.projection.held(HERE.tenant, memory_id))
    assert memory is not None
    changed = replace(memory.belief, believed_from=scribe.clock.now(), **changes)  # type: ignore[arg-type]
    scribe.conclude([PutMemory(replace(memory, belief=changed))])


def undone(scribe: Scribe, *positions: int) -> int:
    return scribe.write(acts.RolledBack(positions, USER)).record.position


def test_what_was_concluded_since_stays(scribe: Scribe) -> None:
    """Undoing a pin takes back the pin, and neither the successor nor the doubt."""
    pinned = scribe.write(acts.Pinned("mem_c", True, USER)).record.position
    held = belief(scribe, "mem_c")
    concluded(
        scribe, "mem_c", status=Status.SUPERSEDED, valid_to=held.valid_from,
        superseded_by="mem_b", doubts=("its file is gone",), confidence=0.3,
    )  # fmt: skip
    undone(scribe, pinned)
    back = belief(scribe, "mem_c")
    assert (back.status, back.superseded_by, back.valid_to) == (
        Status.SUPERSEDED, "mem_b", held.valid_from,
    )  # fmt: skip
    assert (back.pinned, back.doubts, back.confidence) == (False, ("its file is gone",), 0.3)


def test_the_weight_of_what_is_undone_goes(scribe: Scribe) -> None:
    """A doubt takes its share of what is believed without the confirmation."""
    before = belief(scribe, "mem_c").confidence
    confirmed = scribe.write(acts.Confirmed("mem_c", USER)).record.position
    concluded(scribe, "mem_c", confidence=round(belief(scribe, "mem_c").confidence / 2, 6))
    undone(scribe, confirmed)
    back = belief(scribe, "mem_c")
    assert back.confidence == pytest.approx(before / 2)
    assert (back.confirmations, len(back.provenance)) == (0, 1)


def test_undoing_such_an_undoing_restores(scribe: Scribe) -> None:
    """There and back, and what was concluded is there all the while, once."""
    position = scribe.write(acts.Confirmed("mem_c", USER)).record.position
    concluded(scribe, "mem_c", doubts=("its file is gone",), confidence=0.4)
    with_both = belief(scribe, "mem_c")
    first = position = undone(scribe, position)
    without = belief(scribe, "mem_c")
    for expected in (with_both, without, with_both):
        position = undone(scribe, position)
        back = belief(scribe, "mem_c")
        kept = {"since": expected.since, "believed_from": expected.believed_from}
        assert replace(back, **kept) == expected  # type: ignore[arg-type]
    assert first < position


def test_what_was_concluded_and_taken_back_leaves_nothing(scribe: Scribe) -> None:
    """Only what still stands of the conclusions is there afterwards."""
    before = belief(scribe, "mem_c")
    confirmed = scribe.write(acts.Confirmed("mem_c", USER)).record.position
    held = belief(scribe, "mem_c")
    concluded(scribe, "mem_c", status=Status.ARCHIVED, confidence=0.1)
    concluded(scribe, "mem_c", status=held.status, confidence=held.confidence)
    undone(scribe, confirmed)
    assert (belief(scribe, "mem_c").status, belief(scribe, "mem_c").confidence) == (
        before.status, before.confidence,
    )  # fmt: skip


def test_how_it_stood_before_the_act_goes_before_a_conclusion(scribe: Scribe) -> None:
    """Undoing what brought a memory back lets it step back again, whatever was concluded."""
    scribe.write(acts.Forgotten("mem_c", USER, ""))
    restored = scribe.write(acts.Restored("mem_c", USER)).record.position
    concluded(scribe, "mem_c", status=Status.SUPERSEDED, superseded_by="mem_b")
    undone(scribe, restored)
    back = belief(scribe, "mem_c")
    assert (back.status, back.superseded_by) == (Status.FORGOTTEN, "")


def test_an_undone_birth_keeps_what_is_suspected(scribe: Scribe) -> None:
    """It steps back as it was said, and comes back as doubtful as it has become."""
    concluded(scribe, "mem_c", status=Status.ARCHIVED, doubts=("its file is gone",))
    undone(scribe, 4)
    back = belief(scribe, "mem_c")
    assert (back.status, back.doubts) == (Status.FORGOTTEN, ("its file is gone",))
