"""Validity: from when until when a thing holds in the world, apart from when it was said."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.spec.reading import DAY, current, kept, said, sound

from helix.app.facade import Helix
from helix.model.errors import BadInput, Conflict
from helix.model.memory import Status
from helix.model.outcome import Joined, Kept
from helix.testing.clock import SettableClock


def test_by_default_it_holds_from_now_on(memory: Helix, clock: SettableClock) -> None:
    """What is remembered without a date holds from the moment of recording, without an end."""
    held = kept(memory.remember("we use pnpm"))
    assert (held.belief.valid_from, held.belief.valid_to) == (clock.now(), None)
    assert said(memory.recall("pnpm", true_on=clock.now() - DAY)) == set()
    assert said(memory.recall("pnpm", true_on=clock.now() + 9000 * DAY)) == {"we use pnpm"}


def test_it_may_have_held_before_it_was_said(memory: Helix, clock: SettableClock) -> None:
    """A fact dated back was true then, but was not believed then."""
    long_ago = clock.now() - 100 * DAY
    memory.remember("we use pnpm", valid_from=long_ago)
    assert said(memory.recall("pnpm", true_on=long_ago)) == {"we use pnpm"}
    assert said(memory.recall("pnpm", believed_on=long_ago)) == set()


def test_it_may_begin_later(memory: Helix, clock: SettableClock) -> None:
    """A fact dated ahead is not current before its day, and current from its first instant."""
    start = clock.now() + DAY
    memory.remember("we use pnpm", valid_from=start)
    assert current(memory) == set()
    assert said(memory.recall("pnpm", true_on=start)) == {"we use pnpm"}
    clock.move(DAY)
    assert current(memory) == {"we use pnpm"}


def test_its_end_does_not_belong_to_it(memory: Helix, clock: SettableClock) -> None:
    """It holds up to its end and not at it."""
    end = clock.now() + DAY
    memory.remember("we use pnpm", valid_to=end)
    assert said(memory.recall("pnpm", true_on=end - timedelta(microseconds=1))) == {"we use pnpm"}
    assert said(memory.recall("pnpm", true_on=end)) == set()
    clock.move(DAY)
    assert current(memory) == set()


@pytest.mark.parametrize("days", [0, -1])
def test_it_cannot_end_before_it_begins(memory: Helix, clock: SettableClock, days: int) -> None:
    """A span without a moment in it is refused."""
    with pytest.raises(BadInput) as refused:
        memory.remember(
            "we use pnpm", valid_from=clock.now(), valid_to=clock.now() + timedelta(days=days)
        )
    assert refused.value.code == "empty_validity"


def test_what_ended_before_it_was_said_needs_a_beginning(
    memory: Helix, clock: SettableClock
) -> None:
    """What ended already cannot begin now; from before its end, it can be told."""
    ended = clock.now() - DAY
    with pytest.raises(BadInput) as refused:
        memory.remember("we used npm", valid_to=ended)
    assert refused.value.code == "empty_validity"
    assert "--since" in refused.value.remedy
    memory.remember("we used npm", valid_from=ended - DAY, valid_to=ended)
    assert said(memory.recall("npm", true_on=clock.now() - 1.5 * DAY)) == {"we used npm"}


@pytest.mark.parametrize("bound", ["valid_to", "expires_at"])
def test_what_has_ended_can_be_said_again(memory: Helix, clock: SettableClock, bound: str) -> None:
    """Said again after its end, it is kept, and found."""
    memory.remember("ann is on call", **{bound: clock.now() + DAY})
    clock.move(2 * DAY)
    assert isinstance(memory.remember("ann is on call"), Kept)
    assert current(memory) == {"ann is on call"}


def test_a_correction_dated_ahead_can_be_brought_forward(
    memory: Helix, clock: SettableClock
) -> None:
    """If the planned change is replaced by one that holds now, only that one is true now."""
    old = kept(memory.remember("we deploy to AWS"))
    planned = memory.correct(old.id, "we deploy to Hetzner", since=clock.now() + 30 * DAY).memory
    clock.move(DAY)
    memory.correct(planned.id, "we deploy to Azure")
    assert current(memory) == {"we deploy to Azure"}


@pytest.mark.parametrize("bound", ["valid_to", "expires_at"])
def test_each_saying_holds_in_its_time(memory: Helix, clock: SettableClock, bound: str) -> None:
    """Said again after its end, both sayings are there, each for its own days."""
    began = clock.now()
    first = kept(memory.remember("ann is on call", **{bound: began + DAY}))
    clock.move(2 * DAY)
    again = kept(memory.remember("ann is on call"))
    assert again.id != first.id
    assert said(memory.recall("call", true_on=began)) == {"ann is on call"}
    assert said(memory.recall("call", true_on=began + 1.5 * DAY)) == set()
    assert isinstance(memory.remember("Ann is on call"), Joined)
    pinned = memory.pin(again.id)
    memory.history.rollback(pinned.position)
    sound(memory)


def test_what_has_not_begun_can_be_said_for_now(memory: Helix, clock: SettableClock) -> None:
    """Dated ahead, it is not there yet; said for now, it is kept, and found."""
    memory.remember("ann is on call", valid_from=clock.now() + 9 * DAY)
    assert isinstance(memory.remember("ann is on call"), Kept)
    assert current(memory) == {"ann is on call"}
    sound(memory)


def test_the_same_for_another_time_is_not_the_same(memory: Helix, clock: SettableClock) -> None:
    """What holds until Friday is said again for the week after."""
    memory.remember("ann is on call", valid_to=clock.now() + 3 * DAY)
    after = clock.now() + 7 * DAY
    assert isinstance(memory.remember("ann is on call", valid_to=clock.now() + DAY), Joined)
    assert isinstance(memory.remember("ann is on call", valid_from=after), Kept)
    assert said(memory.recall("call", true_on=after)) == {"ann is on call"}
    assert said(memory.recall("call", true_on=after - DAY)) == set()


def test_a_correction_may_say_what_has_ended(memory: Helix, clock: SettableClock) -> None:
    """Words that held once may take the place of others."""
    memory.remember("ann is on call", valid_to=clock.now() + DAY)
    other = kept(memory.remember("bob is on call"))
    clock.move(2 * DAY)
    memory.correct(other.id, "ann is on call")
    assert current(memory) == {"ann is on call"}
    sound(memory)


@pytest.mark.parametrize("way", ["restore", "used"])
def test_what_has_expired_does_not_come_back(memory: Helix, clock: SettableClock, way: str) -> None:
    """It would be active and never answer; saying it again is the way."""
    held = kept(memory.remember("ann is on call", expires_at=clock.now() + DAY))
    memory.life.demote(held.id)
    clock.move(2 * DAY)
    if way == "used":
        assert memory.life.used(held.id).memory.status is Status.ARCHIVED
    else:
        with pytest.raises(Conflict) as refused:
            memory.restore(held.id)
        assert refused.value.code == "expired"
        assert "remember" in refused.value.remedy
    assert isinstance(memory.remember("ann is on call"), Kept)
    assert current(memory) == {"ann is on call"}
    sound(memory)
