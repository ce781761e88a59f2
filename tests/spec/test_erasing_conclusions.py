"""What Helix concluded can be destroyed like anything else; it is on record, and stays gone."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from tests.concluding import concluded
from tests.spec.conftest import Opener
from tests.spec.reading import current, head, kept, sound

from helix import Helix
from helix.app.attesting import Attesting
from helix.ledger.verifying import Sound
from helix.ledger.workflow import tell
from helix.model.act import Erased
from helix.model.memory import Memory
from helix.model.outcome import Skipped
from helix.testing.builders import AGENT, HERE
from helix.testing.clock import SettableClock

DAY = timedelta(days=1)
SAID = "user: We deploy with the mirror at mirror.example; the day was long"


def slept_on(memory: Helix) -> Memory:
    """Say something for good, sleep on it, and return what was concluded."""
    memory.capture(SAID, session="s1")
    memory.sleeping.sleep()
    (found,) = conclusions(memory)
    return found


def conclusions(memory: Helix) -> list[Memory]:
    return [each for each in memory.list(limit=100) if each.position == 0]


def erasures(memory: Helix) -> list[Erased]:
    with memory.context.store.reading() as unit:
        told = list(tell(unit.ledger, HERE.tenant))
    return [each.act for each in told if isinstance(each.act, Erased)]


def test_an_erased_conclusion_is_on_record_and_not_drawn_again(
    memory: Helix, clock: SettableClock
) -> None:
    """The episode stays, and sleep could conclude the same from it word for word."""
    rule = slept_on(memory)
    receipt = memory.erasing.memory(rule.id)
    assert (receipt.records, receipt.memories, receipt.residue) == ((), 1, ())
    (erasure,) = erasures(memory)
    assert (erasure.position, bool(erasure.tomb)) == (0, True)
    assert receipt.head.position == head(memory) == 2
    clock.move(DAY)
    memory.sleeping.sleep()
    assert current(memory) == {SAID}
    memory.upkeep.rebuild()
    memory.sleeping.sleep()
    assert current(memory) == {SAID}
    sound(memory)


def test_the_other_conclusions_stay(memory: Helix) -> None:
    """None of them stands at a position, and one must not go for another."""
    one, other = concluded(memory, "the harbour has a lantern", "the vault has a key")
    memory.erasing.memory(one.id)
    assert [each.id for each in conclusions(memory)] == [other.id]
    memory.upkeep.rebuild()
    assert [each.id for each in conclusions(memory)] == [other.id]


def test_concluding_everything_anew_does_not_bring_it_back(
    memory: Helix, clock: SettableClock
) -> None:
    """The run that concluded it is slept again; what it may not say is known by then."""
    unrelated = kept(memory.capture("it rained on the harbour"))
    memory.erasing.memory(unrelated.id)
    rule = slept_on(memory)
    memory.erasing.memory(rule.id)
    clock.move(DAY)
    memory.sleeping.rederive()
    assert current(memory) == {SAID}
    sound(memory)


def test_an_erased_conclusion_does_not_come_back_through_an_agent(
    memory: Helix, seen_from: Opener
) -> None:
    """The agent may have it in its context; the user may say it again."""
    rule = slept_on(memory)
    memory.erasing.memory(rule.id)
    assert isinstance(seen_from(HERE, AGENT).remember(rule.content), Skipped)
    assert kept(memory.remember(rule.content)).content == rule.content


def test_the_log_tells_that_a_conclusion_was_erased(memory: Helix) -> None:
    """In a line of its own, without its words."""
    memory.erasing.memory(slept_on(memory).id)
    (entry, _) = memory.history.log()
    assert (entry.kind, entry.says) == ("erased", "a conclusion was erased")


def test_what_was_signed_before_still_checks_out(memory: Helix, tmp_path: Path) -> None:
    """Erasing seals the journal again, and the ledger tells why."""
    rule = slept_on(memory)
    attesting = Attesting(memory.context, tmp_path / "home")
    signed = attesting.head()
    receipt = attesting.receipt(memory.erasing.memory(rule.id))
    assert isinstance(attesting.check(signed), Sound)
    assert isinstance(attesting.check(receipt), Sound)
    memory.capture("and life went on")
    assert isinstance(attesting.check(receipt), Sound)


def test_a_promotion_that_was_erased_is_not_repeated(
    memory: Helix, seen_from: Opener, clock: SettableClock
) -> None:
    """The episode is as ready as before; its words were destroyed as a fact."""
    agent = seen_from(HERE, AGENT)
    episode = kept(agent.capture("the cache must be off", importance_hint=0.7))
    for _ in range(5):
        clock.move(DAY)
        agent.life.used(episode.id, 4)
    memory.confirm(episode.id)
    memory.life.sweep(["promotion"])
    (fact,) = conclusions(memory)
    memory.erasing.memory(fact.id)
    (again,) = memory.life.sweep(["promotion"])
    assert (again.changed, conclusions(memory)) == (0, [])
    sound(memory)


def test_a_subject_that_only_a_conclusion_names_stays_gone(
    memory: Helix, seen_from: Opener
) -> None:
    """What it was concluded from does not name it, stays, and could bring it back."""
    ground = kept(memory.capture("the same person asked for invoices again"))
    (fact,) = concluded(memory, "Alice Example asks for invoices", ground=ground.position)
    receipt = memory.erasing.about("Alice Example")
    assert (receipt.records, receipt.memories, receipt.residue) == ((), 1, ())
    assert len(erasures(memory)) == 1
    assert isinstance(seen_from(HERE, AGENT).remember(fact.content), Skipped)
    assert current(memory) == {ground.content}
    sound(memory)
