"""Use: the one thing that makes a memory last."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.spec.reading import current, head, kept, said, sound, status_of

from helix.app.facade import Helix
from helix.model.errors import BadInput, Conflict, NotFound
from helix.model.memory import Status
from helix.model.question import View
from helix.testing.builders import AGENT
from helix.testing.clock import SettableClock

DAY = timedelta(days=1)
FACT = "the staging database is called otter"


@pytest.fixture
def episode(memory: Helix) -> str:
    return kept(memory.capture("the deploy to staging took nine minutes")).id


def test_asking_twice_strengthens_nothing(memory: Helix, episode: str) -> None:
    """What is shown is counted, and fades as fast as before."""
    before = memory.life.standing(episode)
    for _ in range(40):
        memory.recall("how long did the deploy to staging take?")
    memory.life.write_down_shown()
    after = memory.life.standing(episode)
    assert after.surfaced.count == 40
    assert after.strength == before.strength
    assert after.life == before.life


def test_recall_writes_nothing_into_the_record(memory: Helix, episode: str) -> None:
    """Neither ledger nor projection know that something was shown."""
    position = head(memory)
    memory.recall("deploy to staging")
    memory.life.write_down_shown()
    assert head(memory) == position
    sound(memory)


def test_a_good_use_resets_the_clock_and_lets_it_last(
    memory: Helix, episode: str, clock: SettableClock
) -> None:
    """Half is gone after a week; a use brings all of it back, for longer."""
    clock.move(7 * DAY)
    assert memory.life.standing(episode).retention == pytest.approx(0.5, abs=1e-6)
    memory.life.used(episode, 4)
    standing = memory.life.standing(episode)
    assert standing.retention == 1.0
    assert standing.strength.half_life_days == pytest.approx(17.5)


def test_a_poor_use_is_on_record_and_changes_no_strength(memory: Helix, episode: str) -> None:
    """Below 3 the easiness falls; at 0 and 1 the memory is doubted as well."""
    sure = memory.why(episode).memory.belief.confidence
    memory.life.used(episode, 2)
    assert memory.why(episode).memory.belief.confidence == sure
    memory.life.used(episode, 1)
    assert memory.why(episode).memory.belief.confidence == pytest.approx(sure * 0.7)
    standing = memory.life.standing(episode)
    assert standing.strength.uses == 0
    assert standing.strength.half_life_days == 7
    assert "quality 1" in memory.history.log(1)[0].says


@pytest.mark.parametrize("quality", [-1, 6, 100])
def test_quality_is_zero_to_five(memory: Helix, episode: str, quality: int) -> None:
    """Anything else is refused, and nothing is written."""
    position = head(memory)
    with pytest.raises(BadInput):
        memory.life.used(episode, quality)
    assert head(memory) == position


def test_what_was_forgotten_cannot_be_used(memory: Helix, episode: str) -> None:
    """Forgetting is a decision; use does not overrule it."""
    memory.forget(episode)
    with pytest.raises(Conflict):
        memory.life.used(episode)
    with pytest.raises(NotFound):
        memory.life.used("ep_nowhere")


def test_using_an_archived_memory_brings_it_back(memory: Helix, episode: str) -> None:
    """A good use; a poor one leaves it where it is."""
    memory.life.demote(episode)
    assert current(memory) == set()
    memory.life.used(episode, 2)
    assert status_of(memory, episode) is Status.ARCHIVED
    memory.life.used(episode, 3)
    assert status_of(memory, episode) is Status.ACTIVE
    sound(memory)


def test_use_does_not_bring_back_what_was_said_again(memory: Helix) -> None:
    """The same words are not held twice."""
    old = kept(memory.remember(FACT)).id
    memory.life.demote(old)
    new = kept(memory.remember(FACT)).id
    memory.life.used(old, 5)
    assert status_of(memory, old) is Status.ARCHIVED
    assert status_of(memory, new) is Status.ACTIVE


def test_a_later_write_that_cites_a_memory_uses_it(memory: Helix, episode: str) -> None:
    """Whoever builds on a memory says that it helped."""
    fact = kept(memory.remember(FACT, cites=[episode])).id
    captured = kept(memory.capture("looked at otter again", cites=[fact, fact])).id
    (use,) = memory.life.standing(episode).life.uses
    assert use.quality == 4
    assert len(memory.life.standing(fact).life.uses) == 1
    assert captured in memory.history.log(1)[0].says


def test_citing_what_is_not_there_writes_nothing(memory: Helix) -> None:
    """The write and its citations are one."""
    position = head(memory)
    with pytest.raises(NotFound):
        memory.capture("built on nothing", cites=["mem_nowhere"])
    assert head(memory) == position


def test_a_use_can_be_rolled_back(memory: Helix, episode: str, clock: SettableClock) -> None:
    """The memory is as strong, and as sure, as if it had not been used."""
    before = memory.life.standing(episode)
    clock.move(DAY)
    used = memory.life.used(episode, 5)
    misled = memory.life.used(episode, 0)
    memory.history.rollback(misled.position)
    memory.history.rollback(used.position)
    after = memory.life.standing(episode)
    assert after.strength == before.strength
    assert after.life.confidence == before.life.confidence
    sound(memory)


def test_promotion_holds_what_an_episode_tells(memory: Helix, episode: str) -> None:
    """A new memory that names its ground; the episode stays as it was."""
    before = memory.why(episode).memory
    promoted = memory.life.promote(episode, "deploys to staging take nine minutes").memory
    assert promoted.type == "fact"
    assert memory.why(episode).memory == before
    (edge,) = memory.why(promoted.id).edges
    assert (edge.from_id, edge.relation, edge.to_id) == (promoted.id, "derived_from", episode)
    positions = {each.position for each in promoted.belief.provenance}
    assert before.position in positions
    with pytest.raises(Conflict):
        memory.life.promote(promoted.id)
    with pytest.raises(Conflict):
        memory.life.promote(episode, "deploys to staging take nine minutes")
    sound(memory)


def test_an_agent_alone_cannot_promote_its_own_word(memory: Helix, seen_from) -> None:
    """It takes the user, or a second agent."""
    agent = seen_from(source=AGENT)
    own = kept(agent.capture("the cache must be off in production")).id
    with pytest.raises(Conflict, match="vouches"):
        agent.life.promote(own)
    agent.life.used(own, 5)
    with pytest.raises(Conflict):
        agent.life.promote(own)
    memory.confirm(own)
    assert agent.life.promote(own).memory.content == "the cache must be off in production"


def test_demotion_is_the_archive(memory: Helix) -> None:
    """Deep recall finds it, default recall does not, and it can be restored."""
    fact = kept(memory.remember(FACT)).id
    memory.life.demote(fact, "too detailed")
    assert said(memory.recall("staging database")) == set()
    assert said(memory.recall("staging database", view=View.DEEP)) == {FACT}
    memory.restore(fact)
    assert said(memory.recall("staging database")) == {FACT}


def test_why_shows_every_factor(memory: Helix, episode: str) -> None:
    """All nine, and what they come to."""
    standing = memory.why(episode).standing
    assert len(standing.factors) == 9
    assert 0 < standing.effective_importance < 1
    assert standing.memory.importance_base == standing.life.importance


def test_erasing_takes_uses_counts_and_promotions_with_it(memory: Helix) -> None:
    """Nothing that life left behind holds a word of what was destroyed."""
    episode = kept(memory.capture("zanzibar quokka met the deploy script")).id
    memory.recall("zanzibar quokka")
    memory.life.write_down_shown()
    memory.life.used(episode, 4)
    memory.life.promote(episode)
    receipt = memory.erasing.memory(episode)
    assert receipt.residue == ()
    assert current(memory) == set()
    sound(memory)
