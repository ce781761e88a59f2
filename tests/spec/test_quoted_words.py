"""What a person forgot or corrected does not go on answering through what was concluded of it."""

from __future__ import annotations

from datetime import timedelta

from tests.consolidation.families import FAMILIES
from tests.spec.reading import DAY, HOUR, kept, sound

from helix.app.facade import Helix
from helix.model.memory import Status
from helix.model.recollection import Abstained
from helix.sleep.queue import Slept
from helix.testing.builders import AGENT


def slept(memory: Helix, clock):
    clock.move(HOUR)
    done = memory.sleeping.sleep()
    assert isinstance(done, Slept), done
    clock.move(HOUR)
    return done.run


def told(memory: Helix, question: str) -> list[str]:
    found = memory.recall(question)
    return [] if isinstance(found, Abstained) else [e.memory.content for e in found.remembered]


def regions(memory: Helix, clock, *names: str):
    held = kept(memory.remember(f"The region is {names[0]}"))
    for name in names[1:]:
        clock.move(3 * DAY)
        held = memory.correct(held.id, f"The region is {name}").memory
    return held


def insights(memory: Helix):
    found = memory.list(limit=1000, statuses=list(Status))
    return [each for each in found if each.attributes.get("subject")]


def test_a_corrected_word_does_not_answer_through_an_insight(memory, clock):
    """From the moment of the correction, and after the next sleep in the new words."""
    held = regions(memory, clock, "Aaa", "Bbb", "Ccc", "Ddd")
    slept(memory, clock)
    assert "Replaced several times before: The region is Ddd" in told(memory, "which region is it?")
    memory.correct(held.id, "The region is Eee")
    clock.move(HOUR)
    assert not [each for each in told(memory, "which region is it?") if "Ddd" in each]
    slept(memory, clock)
    answer = told(memory, "which region is it?")
    assert "Replaced several times before: The region is Eee" in answer
    assert not [each for each in answer if "Ddd" in each]
    sound(memory)


def test_a_forgotten_word_does_not_answer_through_an_insight(memory, clock):
    """Not before the next sleep, not after it; restored, it is told again."""
    held = regions(memory, clock, "Aaa", "Bbb", "Ccc", "Ddd")
    slept(memory, clock)
    memory.forget(held.id)
    clock.move(HOUR)
    assert told(memory, "which region is it?") == []
    run = slept(memory, clock)
    (insight,) = insights(memory)
    assert insight.status is Status.FORGOTTEN
    assert insight.belief.doubts == ("withdrawn: what it quotes is forgotten",)
    assert told(memory, "which region is it?") == []
    assert slept(memory, clock).applied == 0
    memory.sleeping.revert(run.number)
    assert memory.why(insight.id).memory.status is Status.ACTIVE
    slept(memory, clock)
    memory.restore(held.id)
    slept(memory, clock)
    (again,) = insights(memory)
    assert (again.status, again.belief.doubts) == (Status.ACTIVE, ())
    sound(memory)


def a_session(memory: Helix, clock, secret: str):
    ids = []
    with memory.session("s1") as session:
        for number in range(8):
            text = secret if number == 3 else f"Looked into part {number} of the parser"
            hint = 1.0 if number == 3 else 0.3
            ids.append(kept(session.capture(text, importance_hint=hint)).id)
            clock.move(timedelta(minutes=5))
    clock.move(9 * DAY)
    return ids


def summaries(memory: Helix):
    found = memory.list(limit=1000, statuses=list(Status))
    return [each for each in found if each.attributes.get("level") == "session"]


SECRET = "Decided to hash with argon2 for customer Globex"


def test_a_summary_that_quotes_what_was_forgotten_is_told_anew_without_it(memory, clock):
    """Recall hides it at once; the next sleep withdraws it and sums the session up again."""
    ids = a_session(memory, clock, SECRET)
    slept(memory, clock)
    (summary,) = summaries(memory)
    assert "Globex" in summary.content
    memory.forget(ids[3])
    clock.move(HOUR)
    assert not [each for each in told(memory, "what about customer Globex?") if "Globex" in each]
    slept(memory, clock)
    by_status = {each.status: each for each in summaries(memory)}
    assert set(by_status) == {Status.ACTIVE, Status.FORGOTTEN}
    assert by_status[Status.FORGOTTEN].id == summary.id
    assert "Globex" not in by_status[Status.ACTIVE].content
    assert "7 episodes" in by_status[Status.ACTIVE].content
    assert slept(memory, clock).applied == 0
    memory.restore(ids[3])
    slept(memory, clock)
    assert sum(each.status is Status.ACTIVE for each in summaries(memory)) == 1
    sound(memory)


def test_a_summary_that_quotes_something_else_stays(memory, clock):
    """Forgetting one step of many is no reason to tell the session anew."""
    ids = a_session(memory, clock, SECRET)
    slept(memory, clock)
    memory.forget(ids[7])
    slept(memory, clock)
    (summary,) = summaries(memory)
    assert summary.status is Status.ACTIVE


def test_a_conclusion_all_of_whose_grounds_were_forgotten_is_withdrawn(memory, clock):
    """It is told again once one of them is back."""
    for text in FAMILIES["venv"][:4]:
        clock.move(HOUR)
        memory.capture(text)
    slept(memory, clock)
    episodes = [each.id for each in memory.list(limit=100) if each.type == "episode"]
    for each in episodes:
        clock.move(HOUR)
        memory.forget(each)
    slept(memory, clock)
    (rule,) = [e for e in memory.list(statuses=list(Status)) if e.type == "fact"]
    assert rule.status is Status.FORGOTTEN
    assert told(memory, "what must be done before running pytest?") == []
    assert slept(memory, clock).applied == 0
    for each in episodes:
        clock.move(HOUR)
        memory.restore(each)
    slept(memory, clock)
    now = memory.why(rule.id).memory
    assert (now.status, now.belief.doubts) == (Status.ACTIVE, ())
    sound(memory)


def test_a_summary_whose_episodes_have_stepped_back_is_reworded(memory, clock, seen_from):
    """The archive is not read anew: the sentence goes, the others stay and lead to their own."""
    ids = a_session(seen_from(source=AGENT), clock, SECRET)
    slept(memory, clock)
    clock.move(timedelta(days=60))
    slept(memory, clock)
    standing = [each.id for each in memory.list(limit=100) if each.type == "episode"]
    assert standing == [ids[3]], "the others have stepped back"
    (summary,) = summaries(memory)
    memory.forget(ids[3])
    clock.move(HOUR)
    slept(memory, clock)
    by_status = {each.status: each for each in summaries(memory)}
    assert by_status[Status.FORGOTTEN].id == summary.id
    now = by_status[Status.ACTIVE]
    assert now.content == (
        "On 2026-05-14, 7 episodes: Looked into part 0 of the parser. "
        "Looked into part 1 of the parser."
    )
    assert len(now.belief.provenance) == 7
    assert {e.to_id for e in memory.why(now.id).edges if e.from_id == now.id} == {*ids} - {ids[3]}
    assert slept(memory, clock).applied == 0
    sound(memory)
