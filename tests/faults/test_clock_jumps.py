"""A clock that jumps back changes neither the order nor what is held."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.faults.looking import SCOPE, assert_whole

from helix import Helix
from helix.app.context import source_of
from helix.model.recollection import Recollected
from helix.testing import invariants

NOON = datetime(2026, 5, 14, 12, tzinfo=UTC)
DAY = timedelta(days=1)


class SetClock:
    """A clock that stands where it was set."""

    def __init__(self, now: datetime) -> None:
        self.time = now

    def now(self) -> datetime:
        return self.time


def opened(path: Path, clock: SetClock) -> Helix:
    return Helix(replace(Helix.open(path, scope=SCOPE).context, clock=clock))


def test_order_is_strict_when_the_clock_jumps_back_a_day(path: Path) -> None:
    """Position and moment rise together for every record, whatever the clock says."""
    clock = SetClock(NOON)
    with opened(path, clock) as memory:
        for number in range(5):
            memory.capture(f"before {number}", event_id=f"before{number}")
        clock.time = NOON - DAY
        for number in range(5):
            memory.capture(f"after {number}", event_id=f"after{number}")
        entries = list(reversed(memory.history.log(limit=50)))
        assert [e.event_id for e in entries] == [
            *(f"before{n}" for n in range(5)),
            *(f"after{n}" for n in range(5)),
        ]
        moments = [entry.recorded_at for entry in entries]
        assert moments == sorted(set(moments))
        assert_whole(memory)


def test_what_is_captured_after_the_jump_is_recalled_at_once(path: Path) -> None:
    """An episode of the second yesterday is not invisible until the clock has caught up."""
    clock = SetClock(NOON)
    with opened(path, clock) as memory:
        memory.capture("the index was rebuilt on monday")
        clock.time = NOON - DAY
        memory.capture("the index was dropped on sunday")
        answer = memory.recall("index")
        assert isinstance(answer, Recollected)
        assert len(answer.remembered) == 2


def test_a_correction_made_after_the_jump_is_the_current_one(path: Path) -> None:
    """The newest decision holds, though its clock stood before that of the one it replaces."""
    clock = SetClock(NOON)
    with opened(path, clock) as memory:
        old = memory.remember("The API listens on port 8080")
        clock.time = NOON - DAY
        memory.correct(old.memory.id, "The API listens on port 9090")
        answer = memory.recall("which port does the API listen on?")
        assert isinstance(answer, Recollected)
        assert [each.memory.content for each in answer.remembered] == [
            "The API listens on port 9090"
        ]
        assert_whole(memory)


def test_the_past_is_still_told_right_after_the_jump(path: Path) -> None:
    """What was believed before a correction is found at the moment before it, not lost."""
    clock = SetClock(NOON)
    with opened(path, clock) as memory:
        old = memory.remember("The API listens on port 8080")
        clock.time = NOON - DAY
        new = memory.correct(old.memory.id, "The API listens on port 9090")
        then = memory.recall("port of the API", believed_on=new.memory.recorded_at - DAY / 86_400e6)
        assert isinstance(then, Recollected)
        assert then.remembered[0].memory.content == "The API listens on port 8080"


def test_a_record_is_later_than_what_was_concluded_before_it(path: Path) -> None:
    """Sleep and a decision after the jump have moments of their own, so the decision is undone."""
    clock = SetClock(NOON)
    with opened(path, clock) as memory:
        npm = memory.remember("We use npm").memory.id
        clock.time = NOON + DAY
        memory.remember("We use pnpm")
        clock.time = NOON - 9 * DAY
        memory.sleeping.sleep()
        (item,) = memory.review.items()
        before = memory.why(npm).memory.belief
        decided = memory.review.resolve(item.id, "second")
        assert memory.why(npm).memory.status == "superseded"
        memory.history.rollback(decided.position)
        back = memory.why(npm).memory.belief
        assert (back.status, back.doubts) == ("active", before.doubts)
        assert len(memory.review.items()) == 1
        assert len(memory.why(npm).beliefs) == 4
        assert_whole(memory)
        invariants.records_follow_conclusions(memory.context.store, memory.context.realm.tenant)


def test_a_record_is_later_than_a_conclusion_of_the_days_before_the_jump(path: Path) -> None:
    """What a sweep put away and somebody brought back steps back again with the undoing."""
    clock = SetClock(NOON)
    with opened(path, clock) as memory:
        agent = Helix(replace(memory.context, source=source_of("some-agent", "me")))
        episode = agent.capture("looked at the ui").memory.id
        clock.time = NOON + 80 * DAY
        memory.life.sweep()
        assert memory.why(episode).memory.status == "archived"
        clock.time = NOON + DAY
        restored = memory.restore(episode)
        memory.history.rollback(restored.position)
        assert memory.why(episode).memory.status == "archived"
        beliefs = [belief.status for belief, _ in memory.why(episode).beliefs]
        assert beliefs == ["active", "archived", "active", "archived"]
        assert_whole(memory)
        invariants.records_follow_conclusions(memory.context.store, memory.context.realm.tenant)
