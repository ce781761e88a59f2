"""Rolling back: acts are undone by adding to the record, never by taking from it."""

from __future__ import annotations

import pytest
from tests.spec.conftest import Opener
from tests.spec.reading import HOUR, current, head, kept, said, sound, status_of

from helix.app.facade import Helix
from helix.model.errors import BadInput, Conflict, NotFound
from helix.model.memory import Status
from helix.model.outcome import Kept
from helix.model.scope import EVERYONE, GLOBAL, Realm
from helix.testing.builders import HERE
from helix.testing.clock import SettableClock

OLD, NEW = "tests run with unittest", "tests run with pytest"


@pytest.fixture
def fact(memory: Helix) -> Kept:
    outcome = memory.remember(OLD)
    assert isinstance(outcome, Kept)
    return outcome


def test_undoing_an_assertion_lets_it_step_back(memory: Helix, fact: Kept) -> None:
    """What was asserted by the undone act is forgotten, and the record says why."""
    undone = memory.history.rollback(fact.position, reason="typo")
    assert current(memory) == set()
    assert status_of(memory, fact.memory.id) is Status.FORGOTTEN
    assert (undone.position, undone.undone) == (2, (1,))
    assert "typo" in memory.history.log(1)[0].says
    sound(memory)


def test_undoing_a_correction_brings_the_old_one_back(memory: Helix, fact: Kept) -> None:
    """The old memory is active and open again, the new one steps back, their edge ends."""
    changed = memory.correct(fact.memory.id, NEW)
    memory.history.rollback(changed.position)
    assert current(memory) == {OLD}
    belief = memory.why(fact.memory.id).memory.belief
    assert (belief.status, belief.valid_to, belief.superseded_by) == (Status.ACTIVE, None, "")
    assert memory.why(fact.memory.id).edges == ()
    sound(memory)


@pytest.mark.parametrize("act", ["confirm", "pin", "forget"])
def test_undoing_a_judgement(memory: Helix, fact: Kept, act: str) -> None:
    """Confirming, pinning and forgetting are undone without a trace in what is believed."""
    before = memory.why(fact.memory.id).memory.belief
    position = getattr(memory, act)(fact.memory.id).position
    memory.history.rollback(position)
    after = memory.why(fact.memory.id).memory.belief
    assert (after.status, after.confidence, after.pinned, after.provenance) == (
        before.status, before.confidence, before.pinned, before.provenance,
    )  # fmt: skip


def test_undoing_a_relation_ends_the_edge(memory: Helix, fact: Kept) -> None:
    """The edge no longer stands, and can be drawn again."""
    other = kept(memory.remember(NEW))
    memory.relate(other.id, "extends", fact.memory.id)
    memory.history.rollback(head(memory))
    assert memory.why(other.id).edges == ()
    memory.relate(other.id, "extends", fact.memory.id)
    assert len(memory.why(other.id).edges) == 1


def test_undoing_an_undoing_restores(memory: Helix, fact: Kept) -> None:
    """A rollback is an act like any other: undone, everything is as before it."""
    changed = memory.correct(fact.memory.id, NEW)
    first = memory.history.rollback(changed.position)
    memory.history.rollback(first.position)
    assert current(memory) == {NEW}
    assert status_of(memory, fact.memory.id) is Status.SUPERSEDED
    (edge,) = memory.why(fact.memory.id).edges
    assert edge.to_id == fact.memory.id
    sound(memory)


def test_an_act_can_be_undone_redone_and_undone_again(memory: Helix, fact: Kept) -> None:
    """There and back, as often as one likes."""
    position = fact.position
    for expected in (set(), {OLD}, set(), {OLD}):
        position = memory.history.rollback(position).position
        assert current(memory) == expected
    memory.history.rollback(fact.position)
    assert current(memory) == set()
    sound(memory)


def test_an_act_that_others_build_on_cannot_be_undone_alone(memory: Helix, fact: Kept) -> None:
    """The refusal names the later act, and nothing changes."""
    changed = memory.correct(fact.memory.id, NEW)
    before = head(memory)
    with pytest.raises(Conflict) as refused:
        memory.history.rollback(fact.position)
    assert refused.value.code == "rollback_blocked"
    assert f"act {changed.position} first" in refused.value.remedy
    assert head(memory) == before
    assert current(memory) == {NEW}


def test_the_remedy_of_a_blocked_rollback_works(memory: Helix, fact: Kept) -> None:
    """Undoing the later act first clears the way."""
    changed = memory.correct(fact.memory.id, NEW)
    memory.history.rollback(changed.position)
    memory.history.rollback(fact.position)
    assert current(memory) == set()


def test_an_act_is_undone_once(memory: Helix, fact: Kept) -> None:
    """What is undone already cannot be undone again."""
    memory.history.rollback(fact.position)
    with pytest.raises(Conflict):
        memory.history.rollback(fact.position)


def test_returning_to_a_position_undoes_everything_after_it(memory: Helix, fact: Kept) -> None:
    """All decisions since are undone at once, whatever builds on what."""
    before = memory.why(fact.memory.id).memory.belief
    memory.confirm(fact.memory.id)
    changed = memory.correct(fact.memory.id, NEW)
    memory.pin(changed.memory.id)
    memory.remember("coverage is measured")
    memory.history.rollback(to=fact.position)
    assert current(memory) == {OLD}
    after = memory.why(fact.memory.id).memory.belief
    assert (after.confirmations, after.confidence) == (0, before.confidence)
    sound(memory)


def test_returning_to_the_beginning(memory: Helix, fact: Kept) -> None:
    """Position 0 is before everything."""
    memory.correct(fact.memory.id, NEW)
    memory.history.rollback(to=0)
    assert current(memory) == set()


def test_what_was_undone_with_its_correction_comes_back_whole(memory: Helix, fact: Kept) -> None:
    """Restored after a return to before it, a memory is as it was asserted, not as corrected."""
    memory.confirm(fact.memory.id)
    memory.correct(fact.memory.id, NEW)
    memory.history.rollback(to=0)
    memory.restore(fact.memory.id)
    assert current(memory) == {OLD}
    belief = memory.why(fact.memory.id).memory.belief
    assert (belief.valid_to, belief.superseded_by, belief.confirmations) == (None, "", 0)


def test_returning_over_a_rollback(memory: Helix, fact: Kept) -> None:
    """A rollback after the position is itself undone with the rest."""
    pinned = memory.pin(fact.memory.id)
    memory.history.rollback(pinned.position)
    memory.history.rollback(to=pinned.position)
    assert memory.why(fact.memory.id).memory.belief.pinned
    sound(memory)


def test_episodes_stay_unless_asked(memory: Helix, fact: Kept) -> None:
    """Undoing decisions does not undo what happened; with_episodes lets that step back too."""
    memory.capture("pytest was installed")
    memory.pin(fact.memory.id)
    memory.history.rollback(to=fact.position)
    assert current(memory) == {OLD, "pytest was installed"}
    memory.history.rollback(to=fact.position, with_episodes=True)
    assert current(memory) == {OLD}
    sound(memory)


def test_one_episode_can_be_undone_by_its_position(memory: Helix) -> None:
    """Asked for by name, an episode steps back with the edges it drew."""
    memory.capture("first", session="s1")
    second = memory.capture("second", session="s1")
    assert isinstance(second, Kept)
    memory.history.rollback(second.position)
    assert current(memory) == {"first"}
    assert memory.why(second.memory.id).edges == ()


def test_other_scopes_are_untouched(seen_from: Opener) -> None:
    """Returning to a position undoes what was decided in this scope and nothing else."""
    here, there = seen_from(), seen_from(HERE.in_scope("project:there"))
    wide = seen_from(HERE.in_scope(GLOBAL))
    here.remember(OLD)
    there.remember("there")
    wide.remember("everywhere")
    here.confirm(kept(here.remember("also everywhere", everywhere=True)).id)
    here.history.rollback(to=0)
    assert current(here) == {"everywhere", "also everywhere"}
    assert current(there) == {"there", "everywhere", "also everywhere"}
    sound(here)


def test_undoing_a_global_act_belongs_to_global(seen_from: Opener) -> None:
    """It is written where the act stood, so that everyone who sees the memory sees the undoing."""
    here, there = seen_from(), seen_from(HERE.in_scope("project:there"))
    wide = here.remember("everywhere", everywhere=True)
    assert isinstance(wide, Kept)
    undone = here.history.rollback(wide.position)
    assert [entry.position for entry in there.history.log()] == [undone.position, wide.position]
    here.remember("only here")
    here.history.rollback(to=0)
    assert current(here) == current(there) == set()
    there.history.rollback(undone.position)
    assert current(here) == current(there) == {"everywhere"}


def test_undoing_a_shared_act_belongs_to_everyone(seen_from: Opener) -> None:
    """Another owner sees that what is shared was undone."""
    shared = seen_from(Realm(HERE.tenant, EVERYONE, HERE.scope)).remember("shared")
    assert isinstance(shared, Kept)
    undone = seen_from().history.rollback(shared.position)
    bob = seen_from(Realm(HERE.tenant, "bob", HERE.scope))
    assert bob.history.log(1)[0].position == undone.position


def test_an_act_of_another_scope_is_not_found(seen_from: Opener) -> None:
    """A position of another project reads as if it did not exist."""
    there = seen_from(HERE.in_scope("project:there")).remember("there")
    assert isinstance(there, Kept)
    messages = []
    for position in (there.position, 99):
        with pytest.raises(NotFound) as refused:
            seen_from().history.rollback(position)
        messages.append(str(refused.value).replace(str(position), "N"))
    assert messages[0] == messages[1]


def test_undoing_must_not_make_two_say_the_same(memory: Helix, fact: Kept) -> None:
    """If the same words are held anew meanwhile, bringing back the old ones is refused."""
    undone = memory.history.rollback(fact.position)
    again = kept(memory.remember(OLD))
    with pytest.raises(Conflict) as refused:
        memory.history.rollback(undone.position)
    assert refused.value.code == "already_held"
    assert again.id in refused.value.remedy
    assert [each.id for each in memory.list()] == [again.id]
    sound(memory)


def test_undoing_both_may_bring_back_the_first(memory: Helix, fact: Kept) -> None:
    """If the newer saying is undone in the same go, the older one may come back."""
    memory.history.rollback(fact.position)
    memory.remember(OLD)
    memory.history.rollback(to=fact.position)
    assert [each.id for each in memory.list()] == [fact.memory.id]
    sound(memory)


def test_what_was_believed_in_between_stays_readable(
    memory: Helix, fact: Kept, clock: SettableClock
) -> None:
    """A rollback does not pretend that nothing happened."""
    clock.move(HOUR)
    changed = memory.correct(fact.memory.id, NEW)
    clock.move(HOUR)
    between = clock.now()
    clock.move(HOUR)
    memory.history.rollback(changed.position)
    assert said(memory.recall("tests", believed_on=between)) == {NEW}
    assert said(memory.recall("tests")) == {OLD}


def test_sessions_cannot_be_undone(memory: Helix) -> None:
    """That a session began or ended was so."""
    with memory.session("s1"):
        pass
    for position in (1, 2):
        with pytest.raises(Conflict) as refused:
            memory.history.rollback(position)
        assert refused.value.code == "not_undoable"
    with pytest.raises(Conflict) as refused:
        memory.history.rollback(to=0, with_episodes=True)
    assert refused.value.code == "nothing_to_undo"


@pytest.mark.parametrize(("position", "to"), [(None, None), (1, 0)])
def test_say_either_which_act_or_which_position(
    memory: Helix, fact: Kept, position: int | None, to: int | None
) -> None:
    """Neither or both is unclear, and refused."""
    with pytest.raises(BadInput):
        memory.history.rollback(position, to=to)


@pytest.mark.parametrize("to", [-1, 2, 99])
def test_a_position_that_is_not_there(memory: Helix, fact: Kept, to: int) -> None:
    """One cannot return to before the beginning or beyond the end."""
    with pytest.raises((NotFound, Conflict)):
        memory.history.rollback(to=to)
    assert current(memory) == {OLD}


def test_what_sleep_concluded_since_is_not_undone_with_an_act(
    memory: Helix, clock: SettableClock
) -> None:
    """Undoing a confirmation does not make current again what the user's talk has replaced."""
    held = kept(memory.remember("Use pytest for all tests", type="convention"))
    clock.move(HOUR)
    confirmed = memory.confirm(held.id)
    memory.capture("From now on use unittest for all tests.", attributes={"role": "user"})
    clock.move(HOUR)
    memory.sleeping.sleep()
    assert status_of(memory, held.id) is Status.SUPERSEDED
    clock.move(HOUR)
    memory.history.rollback(confirmed.position)
    belief = memory.why(held.id).memory.belief
    assert (belief.status, belief.confirmations) == (Status.SUPERSEDED, 0)
    assert held.content not in {each.content for each in memory.list(types=["convention"])}
    sound(memory)


def test_a_doubt_stays_when_a_pin_is_undone(memory: Helix, clock: SettableClock) -> None:
    """That two memories contradict each other is not undone with an act on one of them."""
    held = kept(memory.remember("We use npm"))
    pinned = memory.pin(held.id)
    clock.move(HOUR)
    memory.remember("We use pnpm")
    clock.move(HOUR)
    memory.sleeping.sleep()
    doubts = memory.why(held.id).memory.belief.doubts
    assert doubts
    clock.move(HOUR)
    memory.history.rollback(pinned.position)
    belief = memory.why(held.id).memory.belief
    assert (belief.pinned, belief.doubts) == (False, doubts)
    sound(memory)


@pytest.fixture
def back_and_forth(memory: Helix, fact: Kept) -> Helix:
    """1 asserts, 2 and 3 correct, 4 undoes 3, 5 undoes 2, and 6 undoes 5."""
    second = memory.correct(fact.memory.id, NEW)
    third = memory.correct(second.memory.id, "tests run with nose")
    memory.history.rollback(third.position)
    undone = memory.history.rollback(second.position)
    memory.history.rollback(undone.position)
    return memory


def test_what_came_to_nothing_stands_in_no_ones_way(back_and_forth: Helix) -> None:
    """An act and its undoing leave things as they were, so an earlier undoing can be undone."""
    assert current(back_and_forth) == {NEW}
    back_and_forth.history.rollback(4)
    assert current(back_and_forth) == {"tests run with nose"}
    sound(back_and_forth)


def test_the_remedy_of_what_was_undone_and_redone_works(back_and_forth: Helix) -> None:
    """What a rollback did again is undone by undoing that one; following the remedy ends."""
    memory = back_and_forth
    with pytest.raises(Conflict) as refused:
        memory.history.rollback(2)
    assert "undo act 6 instead" in refused.value.remedy
    memory.history.rollback(6)
    assert current(memory) == {OLD}
    with pytest.raises(Conflict) as refused:
        memory.history.rollback(2)
    assert "undone already, by act 5" in refused.value.message
    assert "`helix rollback 5`" in refused.value.remedy


def test_the_act_that_a_rollback_returned_to_is_named(memory: Helix, fact: Kept) -> None:
    """Not the rollback: undoing that one would bring about another, for ever."""
    second = memory.correct(fact.memory.id, NEW)
    first = memory.history.rollback(second.position)
    pinned = memory.pin(fact.memory.id)
    forgotten = memory.forget(fact.memory.id)
    memory.history.rollback(forgotten.position)
    with pytest.raises(Conflict) as refused:
        memory.history.rollback(first.position)
    assert f"undo act {pinned.position} first" in refused.value.remedy
    memory.history.rollback(pinned.position)
    memory.history.rollback(first.position)
    assert current(memory) == {NEW}
    sound(memory)


@pytest.mark.parametrize("act", ["pin", "rollback"])
def test_taking_sleep_back_after_an_act_leaves_nothing_replaced_by_nothing(
    memory: Helix, clock: SettableClock, act: str
) -> None:
    """What gave way to a conclusion stands again with it gone, and keeps what was decided since."""
    held = kept(memory.remember("Use pytest for all tests", type="convention"))
    confirmed = memory.confirm(held.id)
    memory.capture("From now on use unittest for all tests.", attributes={"role": "user"})
    clock.move(HOUR)
    memory.sleeping.sleep()
    clock.move(HOUR)
    if act == "pin":
        memory.pin(held.id)
    else:
        memory.history.rollback(confirmed.position)
    memory.sleeping.revert(memory.sleeping.runs(1)[0].number)
    belief = memory.why(held.id).memory.belief
    assert (belief.status, belief.valid_to, belief.superseded_by) == (Status.ACTIVE, None, "")
    assert (belief.pinned, belief.confirmations) == ((True, 1) if act == "pin" else (False, 0))
    sound(memory)
