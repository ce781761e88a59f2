"""The real facade on a real file, beside a plain model, through any sequence of acts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.properties.plain_model import Held, PlainModel, visible
from tests.properties.stores import sqlite_store

from helix.ledger.verifying import Sound
from helix.model.errors import HelixError
from helix.model.memory import Memory
from helix.model.outcome import Joined, Kept
from helix.model.question import Standpoint, View
from helix.model.recollection import Abstained, Recollection
from helix.model.scope import EVERYONE, GLOBAL, Realm
from helix.testing import invariants
from helix.testing.builders import open_memory
from helix.testing.clock import SOME_MOMENT, SeededChance, SettableClock

TENANT = "local"
ASKERS = (
    Realm(TENANT, "ann", "project:a"),
    Realm(TENANT, "ann", "project:b"),
    Realm(TENANT, "ann", GLOBAL),
    Realm(TENANT, "bob", "project:a"),
    Realm(TENANT, EVERYONE, "project:a"),
)
ALL = 1_000

asker = st.sampled_from(ASKERS)
MOSTLY = 36
pick = st.integers(0, 40)
"""Picks an id or a position; beyond MOSTLY, one that may be hidden or not there at all."""
content = st.sampled_from([f"zeta {word}" for word in ("kafka", "redis", "postgres", "sqlite")])
shift = st.none() | st.integers(-5, 5).map(lambda hours: timedelta(hours=hours))


class MemoryMachine(RuleBasedStateMachine):
    """Every rule does the same to both; every invariant asks both the same."""

    def __init__(self) -> None:
        super().__init__()
        self.open = ExitStack()
        store = self.open.enter_context(sqlite_store())
        self.store = store
        self.clock = SettableClock()
        chance = SeededChance(1)
        self.real = {
            realm: open_memory(store, realm, clock=self.clock, chance=chance) for realm in ASKERS
        }
        self.model = PlainModel(SOME_MOMENT)
        self.agreed = True

    # What happens.

    @rule(by=st.integers(-7_200, 7_200))
    def the_clock_moves(self, by: int) -> None:
        self.clock.move(timedelta(seconds=by))

    @rule(who=asker, says=content)
    def capture(self, who: Realm, says: str) -> None:
        self.both(
            lambda: self.real[who].capture(says),
            lambda moment, new_id: self.model.capture(moment, who, new_id, says),
        )

    @rule(who=asker, says=content, everywhere=st.booleans(), start=shift, end=shift)
    def remember(
        self,
        who: Realm,
        says: str,
        everywhere: bool,
        start: timedelta | None,
        end: timedelta | None,
    ) -> None:
        valid_from, valid_to = self.at(start), self.at(end)
        realm = who.in_scope(GLOBAL) if everywhere else who
        self.both(
            lambda: self.real[who].remember(
                says, everywhere=everywhere, valid_from=valid_from, valid_to=valid_to
            ),
            lambda moment, new_id: self.model.remember(
                moment, realm, new_id, says, valid_from=valid_from, valid_to=valid_to
            ),
        )

    @rule(who=asker, which=pick, says=content, since=shift, always=st.booleans())
    def correct(
        self, who: Realm, which: int, says: str, since: timedelta | None, always: bool
    ) -> None:
        start, old_id = self.at(since), self.an_id(who, which)
        self.both(
            lambda: self.real[who].correct(old_id, says, since=start, always=always),
            lambda moment, new_id: self.model.correct(
                moment, who, old_id, new_id, says, since=start, always=always
            ),
        )

    @rule(who=asker, which=pick)
    def confirm(self, who: Realm, which: int) -> None:
        memory_id = self.an_id(who, which)
        self.both(
            lambda: self.real[who].confirm(memory_id),
            lambda moment, _: self.model.confirm(moment, who, memory_id),
        )

    @rule(who=asker, which=pick)
    def forget(self, who: Realm, which: int) -> None:
        memory_id = self.an_id(who, which)
        self.both(
            lambda: self.real[who].forget(memory_id),
            lambda moment, _: self.model.forget(moment, who, memory_id),
        )

    @rule(who=asker, which=pick)
    def restore(self, who: Realm, which: int) -> None:
        memory_id = self.an_id(who, which)
        self.both(
            lambda: self.real[who].restore(memory_id),
            lambda moment, _: self.model.restore(moment, who, memory_id),
        )

    @rule(who=asker, which=pick, pinned=st.booleans())
    def pin(self, who: Realm, which: int, pinned: bool) -> None:
        memory_id = self.an_id(who, which)
        self.both(
            lambda: self.real[who].pin(memory_id, pinned=pinned),
            lambda moment, _: self.model.pin(moment, who, memory_id, pinned=pinned),
        )

    @rule(who=asker, start=pick, end=pick)
    def relate(self, who: Realm, start: int, end: int) -> None:
        start_id, end_id = self.an_id(who, start), self.an_id(who, end)
        self.both(
            lambda: self.real[who].relate(start_id, "uses", end_id),
            lambda moment, _: self.model.relate(moment, who, start_id, end_id),
        )

    @rule(who=asker, which=pick)
    def roll_back_one(self, who: Realm, which: int) -> None:
        position = self.a_position(who, which)
        self.both(
            lambda: self.real[who].history.rollback(position),
            lambda moment, _: self.model.undo_one(moment, who, position),
        )

    @rule(who=asker, which=pick, with_episodes=st.booleans())
    def roll_back_to(self, who: Realm, which: int, with_episodes: bool) -> None:
        to = self.a_position(who, which) - 1
        self.both(
            lambda: self.real[who].history.rollback(to=to, with_episodes=with_episodes),
            lambda moment, _: self.model.undo_to(moment, who, to, with_episodes=with_episodes),
        )

    def both(
        self, real: Callable[[], object], model: Callable[[datetime, str], int | None]
    ) -> None:
        """Do it to both; the same must come out, and a refusal must change nothing."""
        self.agreed = False
        moment = max(self.clock.now(), self.model.now.moment + timedelta(microseconds=1))
        before = self.head()
        outcome = attempted(real)
        new_id = outcome.memory.id if isinstance(outcome, Kept) else "mem_never"
        expected = attempted(lambda: model(moment, new_id))
        if isinstance(outcome, HelixError):
            assert type(expected) is type(outcome), outcome
            assert outcome.remedy
            assert self.head() == before
        else:
            assert self.head() == self.model.head
            assert expected is None or expected == self.head()
            if isinstance(outcome, Kept | Joined):
                assert (expected is None) == isinstance(outcome, Joined)
        self.agreed = True

    # What is asked, after every step.

    @invariant()
    def the_present_agrees(self) -> None:
        for who in self.some_askers():
            expected = self.model.seen(who, self.now())
            listed = self.real[who].list(limit=ALL)
            assert believed(listed) == expected
            positions = [memory.position for memory in listed]
            assert positions == sorted(positions, reverse=True)
            self.found(who, Standpoint(View.CURRENT, self.now()), expected)
            answers_from(expected, self.real[who].recall("zeta", limit=ALL))

    @invariant()
    def the_history_agrees(self) -> None:
        for who in self.some_askers():
            expected = self.model.seen(who, None)
            self.found(who, Standpoint(View.HISTORY, self.now()), expected)
            answers_from(expected, self.real[who].recall("zeta", view=View.HISTORY, limit=ALL))

    @invariant()
    def any_moment_on_either_axis_agrees(self) -> None:
        chance = random.Random(self.model.head)
        for who in self.some_askers():
            true_on, then = self.some_moment(chance), self.some_recorded_moment(chance)
            for was_true, believed_on in ((true_on, None), (None, then), (true_on, then)):
                moment = was_true or then
                expected = self.model.seen(who, moment, believed_on)
                self.found(who, Standpoint(View.AS_OF, moment, believed_on), expected)
                answer = self.real[who].recall(
                    "zeta", true_on=was_true, believed_on=believed_on, limit=ALL
                )
                answers_from(expected, answer)

    def found(self, who: Realm, standpoint: Standpoint, expected: dict[str, Held]) -> None:
        """Check that everything that may answer is listed and found by words, and nothing else."""
        with self.store.reading() as unit:
            listed = unit.projection.listing(who, standpoint, limit=ALL)
            hits = unit.projection.by_words(who, ["zeta"], standpoint, limit=ALL)
        assert believed(listed) == expected
        assert believed([hit.memory for hit in hits]) == expected

    @invariant()
    def the_links_agree(self) -> None:
        ids = self.model.ids()
        chance = random.Random(self.model.head)
        for who in self.some_askers():
            for memory_id in chance.sample(ids, min(4, len(ids))):
                with self.store.reading() as unit:
                    edges = unit.projection.neighbours(who, memory_id)
                found = [(edge.from_id, edge.relation, edge.to_id) for edge in edges]
                assert len(found) == len(set(found))
                assert set(found) == self.model.links(who, memory_id)

    def teardown(self) -> None:
        """At the end, the record is sound and everything can be folded again from it."""
        try:
            if self.agreed:  # otherwise a step has failed already, and says more
                self.the_record_is_sound()
        finally:
            self.open.close()

    def the_record_is_sound(self) -> None:
        upkeep = self.real[ASKERS[0]].upkeep
        found = upkeep.verify()
        assert isinstance(found, Sound)
        assert found.records == self.model.head
        assert upkeep.rebuild(check_only=True).differences == ()
        invariants.all_hold(self.store)
        invariants.every_record_keeps_to_its_realm(self.store, TENANT)

    # Small things.

    def head(self) -> int:
        with self.store.reading() as unit:
            return unit.ledger.head(TENANT).position

    def now(self) -> datetime:
        return max(self.clock.now(), self.model.now.moment)

    def at(self, by: timedelta | None) -> datetime | None:
        return None if by is None else self.clock.now() + by

    def an_id(self, who: Realm, which: int) -> str:
        """Return an id, as a rule one that the asker can see."""
        everything = self.model.now.memories
        seen = [each for each, held in everything.items() if visible(who, held.realm)]
        ids = [*everything, "mem_unknown"] if which > MOSTLY else seen
        return ids[which % len(ids)] if ids else "mem_unknown"

    def a_position(self, who: Realm, which: int) -> int:
        """Return a position, as a rule that of an act that the asker can see."""
        seen = [
            position
            for position, world in enumerate(self.model.worlds)
            if position and visible(who, world.realm)
        ]
        if which > MOSTLY or not seen:
            return which - MOSTLY
        return seen[-1 - which % len(seen)]

    def some_askers(self) -> list[Realm]:
        return [ASKERS[self.model.head % len(ASKERS)], ASKERS[0]]

    def some_recorded_moment(self, chance: random.Random) -> datetime:
        moment = chance.choice(self.model.worlds[1:] or self.model.worlds).moment
        return moment + timedelta(microseconds=chance.choice((-1, 0, 1)))

    def some_moment(self, chance: random.Random) -> datetime:
        starts = [held.valid_from for held in self.model.now.memories.values()]
        ends = [held.valid_to for held in self.model.now.memories.values() if held.valid_to]
        moment = chance.choice([*starts, *ends, self.now()])
        return moment + timedelta(microseconds=chance.choice((-1, 0, 1)))


def attempted(act: Callable[[], object]) -> object:
    """Return what came of an act, be it a refusal."""
    try:
        return act()
    except HelixError as refusal:
        return refusal


def answers_from(expected: dict[str, Held], answer: Recollection) -> None:
    """Check that an answer is drawn from what may answer; ranking may leave some of it out."""
    if isinstance(answer, Abstained):
        assert expected == {}
        return
    answered = believed([each.memory for each in answer.remembered])
    assert answered
    assert answered.items() <= expected.items()


def believed(memories: Sequence[Memory]) -> dict[str, Held]:
    """Return memories in the model's words."""
    return {
        memory.id: Held(
            id=memory.id,
            realm=memory.realm,
            type=memory.type,
            content=memory.content,
            valid_from=memory.belief.valid_from,
            valid_to=memory.belief.valid_to,
            since=memory.belief.since,
            stems_from=memory.belief.stems_from,
            status=memory.status.value,
            confidence=memory.belief.confidence,
            confirmations=memory.belief.confirmations,
            pinned=memory.belief.pinned,
            superseded_by=memory.belief.superseded_by,
        )
        for memory in memories
    }


TestMemoryMachine = MemoryMachine.TestCase
TestMemoryMachine.settings = settings(stateful_step_count=40)
