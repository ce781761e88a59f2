"""What every `Lives` promises: signals in bulk, filtered by realm; statistics without weight."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from helix.model.act import Used
from helix.model.changes import (
    Change,
    DropMemory,
    DropUse,
    PutEdge,
    PutMemory,
    PutUse,
    Rate,
    Step,
    Suspect,
)
from helix.model.life import Surfacing, Use
from helix.model.memory import Memory, Status
from helix.model.provenance import Origin
from helix.model.scope import Realm
from helix.model.suspicion import Suspicion
from helix.ports.lives import START, Aged
from helix.ports.projection import Stamp
from helix.ports.store import Store
from helix.testing.builders import (
    AGENT,
    HERE,
    USER,
    Scribe,
    a_capture,
    a_memory,
    an_assertion,
    an_edge,
)
from helix.testing.clock import SOME_MOMENT

THERE = HERE.in_scope("project:there")
FOREIGN = Realm("other", HERE.owner, HERE.scope)
DAY = timedelta(days=1)


def a_use(position: int = 1, quality: int = 4, days: int = 0) -> Use:
    """Return a use by an agent."""
    return Use(SOME_MOMENT + days * DAY, quality, Origin.AGENT_INGESTED, position)


def put(store: Store, *changes: Change, tenant: str = HERE.tenant, days: int = 0) -> None:
    """Apply changes as a journal entry would."""
    with store.writing() as unit:
        unit.projection.apply(tenant, changes, Stamp(SOME_MOMENT + days * DAY, None))


def memories(store: Store, *ids: str, realm: Realm = HERE, **fields: object) -> list[Memory]:
    """Hold memories of these ids, a position apart."""
    made = [
        replace(a_memory(each, f"about {each}", realm=realm, position=number), **fields)  # type: ignore[arg-type]
        for number, each in enumerate(ids, 1)
    ]
    put(store, *map(PutMemory, made), tenant=realm.tenant)
    return made


class LivesContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_uses_are_kept_in_the_order_of_their_acts(self, store: Store) -> None:
        """A use told twice is kept once; one taken back is gone."""
        memories(store, "mem_a", "mem_b")
        second, first = a_use(7, days=3), a_use(5, quality=1)
        for use in (second, first, second):
            put(store, PutUse(HERE, "mem_a", use))
        with store.reading() as unit:
            assert unit.lives.uses_of(HERE, ["mem_a", "mem_b", "mem_no"]) == {
                "mem_a": (first, second)
            }
        put(store, DropUse(HERE, "mem_a", 5))
        with store.reading() as unit:
            assert unit.lives.uses_of(HERE, ["mem_a"]) == {"mem_a": (second,)}

    def test_a_use_of_what_is_not_there_is_left_out(self, store: Store) -> None:
        """A memory may have been erased meanwhile."""
        put(store, PutUse(HERE, "mem_a", a_use()))
        memories(store, "mem_a")
        with store.reading() as unit:
            assert unit.lives.uses_of(HERE, ["mem_a"]) == {}

    def test_uses_are_seen_in_their_scope_only(self, store: Store) -> None:
        """Neither another project nor another tenant reads them."""
        memories(store, "mem_a")
        put(store, PutUse(HERE, "mem_a", a_use()))
        with store.reading() as unit:
            for asker in (THERE, FOREIGN):
                assert unit.lives.uses_of(asker, ["mem_a"]) == {}
                assert unit.lives.surfaced(asker, ["mem_a"]) == {}
                assert unit.lives.of(asker, ["mem_a"]) == {}
                assert list(unit.lives.page(asker, START, 10)) == []

    def test_lives_come_in_pages_oldest_first(self, store: Store) -> None:
        """Each page goes on where the last one ended; every life carries its uses."""
        memories(store, "mem_a", "mem_b", "mem_c")
        memories(store, "mem_elsewhere", realm=THERE)
        put(store, PutUse(HERE, "mem_b", a_use()))
        with store.reading() as unit:
            first = unit.lives.page(HERE, START, 2)
            rest = unit.lives.page(HERE, first[-1][0], 2)
            assert list(unit.lives.page(HERE, rest[-1][0], 2)) == []
        assert [life.memory_id for _, life in [*first, *rest]] == ["mem_a", "mem_b", "mem_c"]
        assert first[1][1].uses == (a_use(),)
        assert first[0][1].sources == (AGENT,)

    def test_pages_tell_conclusions_of_one_position_apart(self, store: Store) -> None:
        """What no record brought about shares position 0, and is still read once each."""
        put(store, *(PutMemory(a_memory(f"mem_{n}", f"say {n}")) for n in range(5)))
        seen, after = [], START
        with store.reading() as unit:
            while page := unit.lives.page(HERE, after, 2):
                seen += [life.memory_id for _, life in page]
                after = page[-1][0]
        assert sorted(seen) == [f"mem_{n}" for n in range(5)]

    def test_lives_are_asked_by_status(self, store: Store) -> None:
        """What has stepped back is read on purpose only."""
        memories(store, "mem_a", "mem_b")
        put(store, Step(HERE, "mem_a", Status.ACTIVE, Status.ARCHIVED), days=1)
        with store.reading() as unit:
            assert [life.memory_id for _, life in unit.lives.page(HERE, START, 9)] == ["mem_b"]
            (archived,) = unit.lives.page(HERE, START, 9, Status.ARCHIVED)
            assert archived[1].status is Status.ARCHIVED
            assert set(unit.lives.of(HERE, ["mem_a", "mem_b"])) == {"mem_a", "mem_b"}

    def test_a_step_is_taken_only_from_where_it_leaves(self, store: Store) -> None:
        """Twice equals once, and what somebody decided meanwhile goes first."""
        memories(store, "mem_a", "mem_b")
        put(store, Step(HERE, "mem_b", Status.ACTIVE, Status.FORGOTTEN), days=1)
        for day in (2, 3):
            steps = [
                Step(HERE, each, Status.ACTIVE, Status.ARCHIVED) for each in ("mem_a", "mem_b")
            ]
            put(store, *steps, Step(HERE, "mem_no", Status.ACTIVE, Status.ARCHIVED), days=day)
        with store.reading() as unit:
            held = unit.projection.held(HERE.tenant, "mem_a")
            assert held is not None
            assert held.status is Status.ARCHIVED
            assert held.belief.believed_from == SOME_MOMENT + 2 * DAY
            before, now = unit.projection.beliefs(HERE, "mem_a")
            assert (before.status, now.status) == (Status.ACTIVE, Status.ARCHIVED)
            assert before.since == now.since
            forgotten = unit.projection.held(HERE.tenant, "mem_b")
            assert forgotten is not None
            assert forgotten.status is Status.FORGOTTEN

    def test_a_rating_is_replaced_only_where_it_is_the_one_that_was_judged(
        self, store: Store
    ) -> None:
        """Twice equals once, the hint stays, and the way back gives the first rating."""
        memories(store, "mem_a", importance_hint=0.9)
        for _ in range(2):
            put(store, Rate(HERE, "mem_a", 0.5, 0.8), Rate(HERE, "mem_no", 0.5, 0.8))
        put(store, Rate(HERE, "mem_a", 0.5, 0.1))
        with store.reading() as unit:
            held = unit.projection.held(HERE.tenant, "mem_a")
            assert held is not None
            assert (held.importance_base, held.importance_hint) == (0.8, 0.9)
        put(store, Rate(HERE, "mem_a", 0.8, 0.5))
        with store.reading() as unit:
            held = unit.projection.held(HERE.tenant, "mem_a")
            assert held is not None
            assert held.importance_base == 0.5

    def test_a_suspicion_falls_only_on_what_is_as_it_was_judged(self, store: Store) -> None:
        """Twice equals once, words and standing stay, and the way back gives the first belief."""
        memories(store, "mem_a", "mem_b")
        doubt = Suspicion(0.5, ("influence: took over",))
        put(store, Suspect(HERE, "mem_b", None, Suspicion(0.6, ("another",))), days=1)
        for day in (2, 3):
            put(
                store, Suspect(HERE, "mem_a", None, doubt), Suspect(HERE, "mem_b", None, doubt),
                Suspect(HERE, "mem_no", None, doubt), days=day,
            )  # fmt: skip
        with store.reading() as unit:
            held = unit.projection.held(HERE.tenant, "mem_a")
            other = unit.projection.held(HERE.tenant, "mem_b")
            assert held is not None
            assert other is not None
            assert (held.belief.suspicion, held.status) == (doubt, Status.ACTIVE)
            assert held.belief.believed_from == SOME_MOMENT + 2 * DAY
            assert other.belief.suspicion == Suspicion(0.6, ("another",))
            before, _ = unit.projection.beliefs(HERE, "mem_a")
            assert before.suspicion is None
        put(store, Suspect(HERE, "mem_a", doubt, None, before.believed_from), days=4)
        with store.reading() as unit:
            held = unit.projection.held(HERE.tenant, "mem_a")
            assert held is not None
            assert held.belief == before

    def test_what_was_used_often_is_found_without_reading_everything(self, store: Store) -> None:
        """Active memories of the realm with so many uses, by id."""
        memories(store, "mem_b", "mem_a", "mem_c", "mem_gone")
        for position, name in enumerate(["mem_a", "mem_a", "mem_b", "mem_b", "mem_c"], 1):
            put(store, PutUse(HERE, name, a_use(position)))
            put(store, PutUse(HERE, "mem_gone", a_use(position + 10)))
        put(store, Step(HERE, "mem_gone", Status.ACTIVE, Status.FORGOTTEN))
        with store.reading() as unit:
            found = unit.lives.often_used(HERE, 2, 9)
            assert [(each.memory_id, len(each.uses)) for each in found] == [
                ("mem_a", 2),
                ("mem_b", 2),
            ]
            assert len(unit.lives.often_used(HERE, 2, 1)) == 1
            assert list(unit.lives.often_used(THERE, 1, 9)) == []

    def test_what_expires_is_found_in_the_order_of_expiry(self, store: Store) -> None:
        """Only active memories of the realm, at most so many."""
        for days, name in ((3, "late"), (1, "soon"), (2, "then")):
            memories(store, name, expires_at=SOME_MOMENT + days * DAY)
        memories(store, "never", "elsewhere")
        memories(store, "there", realm=THERE, expires_at=SOME_MOMENT)
        put(store, Step(HERE, "then", Status.ACTIVE, Status.FORGOTTEN))
        with store.reading() as unit:
            due = unit.lives.expiring(HERE, SOME_MOMENT + 3 * DAY, 9)
            assert [each.memory_id for each in due] == ["soon", "late"]
            assert len(unit.lives.expiring(HERE, SOME_MOMENT + 3 * DAY, 1)) == 1
            assert list(unit.lives.expiring(HERE, SOME_MOMENT, 9)) == []

    def test_causes_and_summaries_are_known_by_their_standing_edges(self, store: Store) -> None:
        """An ended edge protects nothing, nor does a summary that has itself stepped back."""
        memories(store, "mem_a", "mem_b", "mem_sum")
        caused = an_edge("mem_b", "mem_a", edge_id="e1", relation="caused_by")
        summary = an_edge("mem_sum", "mem_b", edge_id="e2", relation="summarises")
        put(store, PutEdge(caused), PutEdge(summary))
        both = ["mem_a", "mem_b"]
        with store.reading() as unit:
            assert unit.lives.causes(HERE, both) == {"mem_a"}
            assert unit.lives.summarised(HERE, both) == {"mem_b"}
        put(store, PutEdge(replace(caused, ended_at=SOME_MOMENT + DAY)))
        put(store, Step(HERE, "mem_sum", Status.ACTIVE, Status.ARCHIVED))
        with store.reading() as unit:
            assert unit.lives.causes(HERE, both) == frozenset()
            assert unit.lives.summarised(HERE, both) == frozenset()

    def test_degrees_count_standing_edges_both_ways(self, store: Store) -> None:
        """Ended edges and mere succession do not count; what is not visible has no degree."""
        memories(store, "mem_a", "mem_b", "mem_c")
        first = an_edge("mem_a", "mem_b", edge_id="e1", relation="depends_on")
        second = an_edge("mem_b", "mem_c", edge_id="e2", relation="used_with")
        third = an_edge("mem_a", "mem_c", edge_id="e3", relation="follows")
        put(store, PutEdge(first), PutEdge(second), PutEdge(third))
        ids = ["mem_a", "mem_b", "mem_c", "mem_none"]
        with store.reading() as unit:
            assert unit.lives.degrees(HERE, ids) == {"mem_a": 1, "mem_b": 2, "mem_c": 1}
            assert unit.lives.degrees(HERE.in_scope("project:else"), ids) == {}
        put(store, PutEdge(replace(first, ended_at=SOME_MOMENT + DAY)))
        with store.reading() as unit:
            assert unit.lives.degrees(HERE, ids) == {"mem_b": 1, "mem_c": 1}

    def test_weak_likenesses_come_oldest_first(self, store: Store) -> None:
        """Standing ones of this realm only, below the bound, in pages."""
        memories(store, "mem_a", "mem_b", "mem_c")
        drawn = [
            an_edge("mem_a", "mem_b", edge_id="e1", relation="similar_to", weight=0.6),
            an_edge("mem_b", "mem_c", edge_id="e2", relation="similar_to", weight=0.7),
            an_edge("mem_c", "mem_a", edge_id="e3", relation="similar_to", weight=0.1),
            an_edge("mem_c", "mem_b", edge_id="e4", relation="uses", weight=0.1),
        ]
        put(store, *map(PutEdge, drawn))
        with store.reading() as unit:
            first = unit.lives.likenesses(HERE, 0.7, START, 1)
            rest = unit.lives.likenesses(HERE, 0.7, first[-1][0], 9)
            assert [edge.id for _, edge in [*first, *rest]] == ["e1", "e3"]
        put(store, PutEdge(replace(drawn[0], ended_at=SOME_MOMENT + DAY)))
        with store.reading() as unit:
            assert [edge.id for _, edge in unit.lives.likenesses(HERE, 0.7, START, 9)] == ["e3"]

    def test_memories_are_counted_by_when_they_were_last_needed(self, store: Store) -> None:
        """A good use counts, a poor one does not."""
        memories(store, "mem_a", "mem_b", "mem_c")
        put(store, PutUse(HERE, "mem_a", a_use(4, 4, days=9)))
        put(store, PutUse(HERE, "mem_b", a_use(5, 2, days=9)))
        bounds = [SOME_MOMENT + 9 * DAY, SOME_MOMENT + DAY]
        kind = ("fact", "semantic", "active")
        with store.reading() as unit:
            assert list(unit.lives.aged(HERE, bounds)) == [Aged(*kind, 0, 1), Aged(*kind, 2, 2)]
            assert list(unit.lives.aged(HERE, [])) == [Aged(*kind, 0, 3)]
            assert list(unit.lives.aged(THERE, bounds)) == []
            assert list(unit.lives.census(HERE.tenant, bounds)) == [
                (HERE, Aged(*kind, 0, 1)),
                (HERE, Aged(*kind, 2, 2)),
            ]
            assert list(unit.lives.census(FOREIGN.tenant, bounds)) == []

    def test_what_was_shown_is_counted_beside_the_projection(self, store: Store) -> None:
        """The projection is the same as before, and a rebuild leaves the count alone."""
        memories(store, "mem_a", "mem_b")
        with store.reading() as unit:
            before = list(unit.projection.contents(HERE.tenant))
        for day in (0, 4, 2):
            with store.writing() as unit:
                unit.lives.note_surfaced(HERE, ["mem_a", "mem_no"], SOME_MOMENT + day * DAY)
        with store.writing() as unit:
            assert list(unit.projection.contents(HERE.tenant)) == before
            unit.projection.clear(HERE.tenant)
        memories(store, "mem_a")
        with store.reading() as unit:
            assert unit.lives.surfaced(HERE, ["mem_a", "mem_b", "mem_no"]) == {
                "mem_a": Surfacing(3, SOME_MOMENT, SOME_MOMENT + 4 * DAY)
            }

    def test_counts_can_be_dropped_by_id(self, store: Store) -> None:
        """Also those of memories that are no longer there, and of one tenant only."""
        memories(store, "mem_a", "mem_b")
        with store.writing() as unit:
            unit.lives.note_surfaced(HERE, ["mem_a", "mem_b"], SOME_MOMENT)
            unit.lives.forget_surfaced(FOREIGN.tenant, ["mem_b"])
            unit.projection.clear(HERE.tenant)
            unit.lives.forget_surfaced(HERE.tenant, ["mem_a"])
        memories(store, "mem_a", "mem_b")
        with store.reading() as unit:
            assert set(unit.lives.surfaced(HERE, ["mem_a", "mem_b"])) == {"mem_b"}

    def test_a_dropped_memory_takes_its_uses_and_its_count_with_it(self, store: Store) -> None:
        """Nothing is left under its id."""
        memories(store, "mem_a")
        put(store, PutUse(HERE, "mem_a", a_use()))
        with store.writing() as unit:
            unit.lives.note_surfaced(HERE, ["mem_a"], SOME_MOMENT)
        put(store, DropMemory(HERE, "mem_a"))
        memories(store, "mem_a")
        with store.reading() as unit:
            assert unit.lives.uses_of(HERE, ["mem_a"]) == {}
            assert unit.lives.surfaced(HERE, ["mem_a"]) == {}

    def test_a_record_knows_what_it_used(self, store: Store) -> None:
        """The act of a use touches no belief unless it misled or brought back."""
        scribe = Scribe(store)
        scribe.write(an_assertion(memory_id="mem_a"))
        good = scribe.write(Used("mem_a", 4, USER)).record.position
        bad = scribe.write(Used("mem_a", 1, USER)).record.position
        scribe.write(a_capture())

        def touched(position: int) -> tuple[Sequence[str], Sequence[str]]:
            found = scribe.ask(lambda unit: unit.projection.touched_by(HERE.tenant, position))
            return found.memories, found.uses

        assert touched(good) == ((), ("mem_a",))
        assert touched(bad) == (("mem_a",), ("mem_a",))
        assert touched(bad + 1)[1] == ()
