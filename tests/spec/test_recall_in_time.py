"""When a question was asked, when a thing happened, and who said it."""

from __future__ import annotations

from datetime import timedelta

from tests.spec.reading import DAY

from helix.app.facade import Helix
from helix.model.recollection import Recollected, Recollection
from helix.recall.scoring import Tuning
from helix.testing.clock import SettableClock


def contents(answer: Recollection) -> list[str]:
    """Return what is said, best first."""
    assert isinstance(answer, Recollected), answer
    return [each.memory.content for each in answer.remembered]


def test_last_week_is_counted_from_when_the_question_was_asked(
    memory: Helix, clock: SettableClock
) -> None:
    """A question out of an old transcript means its own yesterday, not today's."""
    began = clock.moment
    for day in range(40):
        clock.moment = began + day * DAY
        memory.capture(f"the nightly build number {day} took an hour")
    asked = began + 11 * DAY + timedelta(hours=1)
    answer = memory.recall("how long did the build take yesterday?", asked_at=asked)
    assert contents(answer)[0] == "the nightly build number 10 took an hour"


def test_what_was_written_down_later_counts_for_less(memory: Helix, clock: SettableClock) -> None:
    """Nobody could have meant it; it is still shown, since a date may be wrong."""
    memory.capture("the deploy of the shop failed on the certificate")
    asked = clock.moment + timedelta(hours=1)
    clock.moment += 30 * DAY
    memory.capture("the deploy of the shop failed on the database")
    then = memory.recall("why did the deploy of the shop fail?", asked_at=asked)
    assert contents(then) == [
        "the deploy of the shop failed on the certificate",
        "the deploy of the shop failed on the database",
    ]
    assert contents(memory.recall("why did the deploy of the shop fail?"))[0].endswith("database")


def test_a_thing_is_found_by_its_day_where_words_fail(memory: Helix, clock: SettableClock) -> None:
    """A toaster is an appliance, which words alone do not know; the day tells."""
    began = clock.moment
    for day in range(111):
        clock.moment = began + day * DAY
        memory.capture(f"looked at appliance adverts, page {day}, and bought nothing")
        if day == 100:
            memory.capture("the new toaster came")
    question = "which appliance did we get 10 days ago?"
    assert "the new toaster came" in contents(memory.recall(question, limit=3))
    timeless = memory.recall(question, tuning=Tuning(switched_off=frozenset({"time"})))
    assert "the new toaster came" not in contents(timeless)


def test_who_says_i_asks_for_the_users_words(memory: Helix) -> None:
    """And who says "you suggested" for the assistant's."""
    memory.capture("the release goes out on Tuesday evening", attributes={"role": "assistant"})
    memory.capture("the release goes out on Friday morning", attributes={"role": "user"})
    memory.capture("the release goes out on Sunday at noon", attributes={"role": "assistant"})
    mine = memory.recall("when did I say the release goes out?")
    yours = memory.recall("when did you say the release goes out?")
    assert contents(mine)[0].endswith("Friday morning")
    assert not contents(yours)[0].endswith("Friday morning")
