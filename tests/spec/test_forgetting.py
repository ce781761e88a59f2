"""Forgetting: a step back, not a deletion."""

from __future__ import annotations

import pytest
from tests.spec.reading import HOUR, current, head, kept, said, sound, status_of

from helix.app.facade import Helix
from helix.model.errors import Conflict, NotFound
from helix.model.memory import Status
from helix.model.outcome import Joined, Kept
from helix.model.question import View
from helix.testing.clock import SettableClock

FACT = "the staging database is called otter"


@pytest.fixture
def otter(memory: Helix) -> str:
    return kept(memory.remember(FACT)).id


@pytest.mark.parametrize("view", [View.CURRENT, View.DEEP, View.HISTORY])
def test_a_forgotten_memory_answers_in_no_view(memory: Helix, otter: str, view: View) -> None:
    """What was forgotten steps back from every answer about the present and the past."""
    memory.forget(otter)
    assert said(memory.recall("staging database", view=view)) == set()
    assert current(memory) == set()


def test_a_forgotten_memory_is_still_there(memory: Helix, otter: str) -> None:
    """It can be listed on purpose, and asked why."""
    memory.forget(otter, reason="renamed")
    (found,) = memory.list(statuses=["forgotten"])
    assert found.id == otter
    assert memory.why(otter).memory.status is Status.FORGOTTEN
    assert "renamed" in memory.history.log(1)[0].says


def test_what_was_believed_before_forgetting_is_still_known(
    memory: Helix, otter: str, clock: SettableClock
) -> None:
    """Asked what was believed before, the memory answers: forgetting does not rewrite the past."""
    clock.move(HOUR)
    before = clock.now()
    clock.move(HOUR)
    memory.forget(otter)
    assert said(memory.recall("staging", believed_on=before)) == {FACT}
    assert said(memory.recall("staging", true_on=before)) == set()


def test_restoring_brings_it_back_as_it_was(memory: Helix, otter: str) -> None:
    """A restored memory is held with the validity, pins and confirmations it had."""
    memory.pin(otter)
    memory.confirm(otter)
    before = memory.why(otter).memory
    memory.forget(otter)
    after = memory.restore(otter).memory
    assert current(memory) == {FACT}
    assert (after.belief.pinned, after.belief.confirmations) == (True, 1)
    assert after.belief.confidence == before.belief.confidence
    assert after.belief.valid_from == before.belief.valid_from
    sound(memory)


def test_forgetting_twice_is_refused(memory: Helix, otter: str) -> None:
    """What is already forgotten cannot be forgotten again, and nothing is written."""
    memory.forget(otter)
    before = head(memory)
    with pytest.raises(Conflict):
        memory.forget(otter)
    assert head(memory) == before


def test_restoring_what_is_held_is_refused(memory: Helix, otter: str) -> None:
    """Only what stepped back can be brought back."""
    with pytest.raises(Conflict):
        memory.restore(otter)


def test_the_same_words_can_be_said_again_after_forgetting(memory: Helix, otter: str) -> None:
    """Said anew, it is a new memory with an id of its own; the old one stays forgotten."""
    memory.forget(otter)
    again = memory.remember(FACT)
    assert isinstance(again, Kept)
    assert again.memory.id != otter
    assert status_of(memory, otter) is Status.FORGOTTEN


def test_restoring_beside_the_same_words_is_refused(memory: Helix, otter: str) -> None:
    """Two memories must not say the same; the remedy names the one that is held."""
    memory.forget(otter)
    again = kept(memory.remember(FACT))
    with pytest.raises(Conflict) as refused:
        memory.restore(otter)
    assert again.id in refused.value.remedy
    memory.forget(again.id)
    memory.restore(otter)
    assert current(memory) == {FACT}


def test_a_forgotten_memory_cannot_be_confirmed(memory: Helix, otter: str) -> None:
    """Only what is held can be confirmed."""
    memory.forget(otter)
    with pytest.raises(Conflict) as refused:
        memory.confirm(otter)
    assert refused.value.code == "not_active"


def test_an_episode_can_be_forgotten_and_restored(memory: Helix) -> None:
    """What happened can step back too, and come back."""
    episode = kept(memory.capture("dropped the otter database by mistake"))
    memory.forget(episode.id)
    assert said(memory.recall("otter")) == set()
    memory.restore(episode.id)
    assert said(memory.recall("otter")) == {episode.content}


def test_forgetting_what_is_not_there(memory: Helix) -> None:
    """An unknown id is not found, and nothing is written."""
    for act in (memory.forget, memory.restore, memory.confirm, memory.pin, memory.why):
        with pytest.raises(NotFound):
            act("mem_unknown")
    assert head(memory) == 0


def test_saying_it_twice_holds_it_once(memory: Helix, otter: str) -> None:
    """The same words in other case and spacing join what is held; nothing is written."""
    before = head(memory)
    again = memory.remember("  The STAGING database  is called otter\n")
    assert isinstance(again, Joined)
    assert again.memory.id == otter
    assert head(memory) == before


def test_another_type_is_another_memory(memory: Helix, otter: str) -> None:
    """The same words as a decision are not the fact."""
    assert isinstance(memory.remember(FACT, type="decision"), Kept)
