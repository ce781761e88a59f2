"""What every `Projection` promises of how it is changed, and of what folding may look up."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from helix.model.changes import (
    AddImportance,
    Change,
    DropEdge,
    DropMemory,
    DropTrust,
    PutEdge,
    PutMemory,
    PutSession,
    PutTrust,
    SpendImportance,
)
from helix.model.errors import Conflict
from helix.model.memory import Memory, Status
from helix.model.question import Standpoint, View
from helix.model.scope import GLOBAL, Realm
from helix.model.session import Session
from helix.ports.projection import Earlier, Projection, Stamp, Touched
from helix.ports.store import Store
from helix.rules.event_ids import marked
from helix.testing.builders import HERE, Scribe, a_capture, a_memory, an_assertion, an_edge
from helix.testing.clock import SOME_MOMENT

THERE = HERE.in_scope("project:there")
FOREIGN = Realm("other", HERE.owner, HERE.scope)
SECOND = timedelta(seconds=1)
HISTORY = Standpoint(View.HISTORY, SOME_MOMENT)


def apply(
    projection: Projection, changes: Sequence[Change], at: int = 0, tenant: str = HERE.tenant
) -> None:
    """Apply changes as a journal entry would, so many seconds on."""
    projection.apply(tenant, changes, Stamp(SOME_MOMENT + at * SECOND, None))


def believing(memory: Memory, status: Status, confidence: float = 0.5) -> Memory:
    """Return a memory with something else believed about it."""
    return replace(memory, belief=replace(memory.belief, status=status, confidence=confidence))


class ProjectionContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_what_memories_say_is_told_by_position(self, store: Store) -> None:
        """Between two positions or to the end, of one tenant, in whatever realm it stands."""
        scribe = Scribe(store)
        scribe.write(an_assertion("we use npm"))
        scribe.write(a_capture("the build failed"), THERE)
        with store.reading() as unit:
            said = [
                sorted(each.content for each in unit.projection.sayings(HERE.tenant, *where))
                for where in ((1, 1), (1, 2), (2,), (0, 0), (3,))
            ]
            (there,) = unit.projection.sayings(HERE.tenant, 2)
            assert list(unit.projection.sayings(FOREIGN.tenant, 0)) == []
        both = ["the build failed", "we use npm"]
        assert said == [["we use npm"], both, ["the build failed"], [], []]
        assert (there.realm, there.position, there.type) == (THERE, 2, "episode")

    def test_the_checkpoint_moves_with_what_is_folded(self, store: Store) -> None:
        """Nothing folded is checkpoint 0; changes and checkpoint move together, per tenant."""
        with store.writing() as unit:
            assert unit.projection.checkpoint(HERE.tenant) == 0
            for position in (1, 2):
                stamp = Stamp(SOME_MOMENT, position)
                assert unit.projection.apply(HERE.tenant, [PutMemory(a_memory())], stamp)
            assert unit.projection.apply(FOREIGN.tenant, [], Stamp(SOME_MOMENT, 1))
        with store.reading() as unit:
            assert unit.projection.checkpoint(HERE.tenant) == 2
            assert unit.projection.checkpoint(FOREIGN.tenant) == 1
            assert unit.projection.checkpoint("nobody") == 0

    def test_a_tenant_nobody_knew_is_folded_into_its_own_place(self, store: Store) -> None:
        """The first fold of a new tenant moves its own checkpoint and no other's."""
        with store.writing() as unit:
            for tenant in ("one", "two", "three"):
                unit.projection.apply(tenant, [], Stamp(SOME_MOMENT, 1))
            unit.projection.apply("two", [], Stamp(SOME_MOMENT, 2))
            reached = [unit.projection.checkpoint(name) for name in ("one", "two", "three")]
            assert reached == [1, 2, 1]

    def test_what_was_folded_before_changes_nothing(self, store: Store) -> None:
        """Folding a position again is without effect, importance included, and says so."""
        changes: list[Change] = [PutMemory(a_memory()), AddImportance(HERE, 500)]
        with store.writing() as unit:
            unit.projection.apply(HERE.tenant, changes, Stamp(SOME_MOMENT, 1))
            unit.projection.apply(HERE.tenant, [], Stamp(SOME_MOMENT, 2))
            before = list(unit.projection.contents(HERE.tenant))
            for position in (1, 2):
                stamp = Stamp(SOME_MOMENT, position)
                assert not unit.projection.apply(HERE.tenant, changes, stamp)
            assert list(unit.projection.contents(HERE.tenant)) == before
            assert unit.projection.importance_budget(HERE) == 500

    @pytest.mark.parametrize("position", [3, 9])
    def test_a_skipped_record_is_refused(self, store: Store, position: int) -> None:
        """A position that leaves one out raises, and nothing changes."""
        with store.writing() as unit:
            unit.projection.apply(HERE.tenant, [], Stamp(SOME_MOMENT, 1))
            stamp = Stamp(SOME_MOMENT, position)
            with pytest.raises(Conflict):
                unit.projection.apply(HERE.tenant, [PutMemory(a_memory())], stamp)
            assert unit.projection.checkpoint(HERE.tenant) == 1
            assert not unit.projection.taken(HERE.tenant, "mem_derived")

    def test_folding_starts_with_the_first_record(self, store: Store) -> None:
        """A tenant's first fold cannot be that of position 2."""
        with store.writing() as unit, pytest.raises(Conflict):
            unit.projection.apply(HERE.tenant, [], Stamp(SOME_MOMENT, 2))

    def test_a_conclusion_leaves_the_checkpoint(self, store: Store) -> None:
        """What comes from the journal changes memories, not how far the ledger was read."""
        with store.writing() as unit:
            apply(unit.projection, [PutMemory(a_memory())])
            assert unit.projection.checkpoint(HERE.tenant) == 0
            assert unit.projection.taken(HERE.tenant, "mem_derived")

    def test_content_never_changes(self, store: Store) -> None:
        """Putting a known memory again changes what is believed about it and nothing else."""
        memory = a_memory()
        other = replace(
            believing(memory, Status.ARCHIVED),
            content="something else entirely",
            importance_base=0.1,
            attributes={"new": 1},
        )
        with store.writing() as unit:
            apply(unit.projection, [PutMemory(memory)])
            apply(unit.projection, [PutMemory(other)], at=1)
            held = unit.projection.held(HERE.tenant, memory.id)
            assert held == replace(memory, belief=other.belief)
            assert not unit.projection.by_words(HERE, ["entirely"], HISTORY)

    def test_every_earlier_belief_stays_readable(self, store: Store) -> None:
        """Before a stamp the earlier belief is read, at the stamp and after it the new one."""
        memory = a_memory()
        steps = [Status.ACTIVE, Status.FORGOTTEN, Status.ACTIVE, Status.ARCHIVED]
        with store.writing() as unit:
            for second, status in enumerate(steps):
                apply(unit.projection, [PutMemory(believing(memory, status))], at=second)
            for second, status in enumerate(steps):
                for within in (timedelta(), SECOND - timedelta(microseconds=1)):
                    then = SOME_MOMENT + second * SECOND + within
                    found = unit.projection.memory(HERE, memory.id, then)
                    assert found is not None
                    assert found.status is status
            before = SOME_MOMENT - timedelta(microseconds=1)
            assert unit.projection.memory(HERE, memory.id, before) is None
            beliefs = unit.projection.beliefs(HERE, memory.id)
            assert [belief.status for belief in beliefs] == steps

    def test_the_same_belief_again_leaves_no_trace(self, store: Store) -> None:
        """Putting what is believed already adds no belief."""
        with store.writing() as unit:
            for second in range(3):
                apply(unit.projection, [PutMemory(a_memory())], at=second)
            assert len(unit.projection.beliefs(HERE, "mem_derived")) == 1

    def test_two_beliefs_in_one_moment(self, store: Store) -> None:
        """Of several beliefs under one stamp the last is held, and the one before it all stays."""
        memory = a_memory()
        with store.writing() as unit:
            apply(unit.projection, [PutMemory(memory)])
            steps = [believing(memory, Status.ARCHIVED, share) for share in (0.4, 0.3, 0.2)]
            apply(unit.projection, [PutMemory(each) for each in steps], at=1)
            beliefs = unit.projection.beliefs(HERE, memory.id)
            assert list(beliefs) == [memory.belief, steps[-1].belief]

    def test_applying_twice_equals_once(self, store: Store) -> None:
        """Every change but importance leaves the same projection when it is applied again."""
        first, second = a_memory("mem_a", "first"), a_memory("mem_b", "second")
        edge = an_edge("mem_a", "mem_b")
        before: list[Change] = [PutMemory(first), PutMemory(second), PutEdge(edge)]
        changes: list[Change] = [
            PutMemory(believing(first, Status.ARCHIVED)),
            PutMemory(a_memory("mem_c", "third")),
            PutEdge(replace(edge, ended_at=SOME_MOMENT, ended_by=3)),
            PutEdge(an_edge("mem_c", "mem_a", edge_id="edge_new")),
            DropEdge(HERE, "edge_gone"),
            DropMemory(HERE, "mem_b"),
            PutSession(Session("s1", HERE, SOME_MOMENT, episodes=2)),
        ]
        with store.writing() as unit:
            apply(unit.projection, before)
            apply(unit.projection, changes, at=1)
            once = list(unit.projection.contents(HERE.tenant))
            apply(unit.projection, changes, at=1)
            assert list(unit.projection.contents(HERE.tenant)) == once

    def test_a_dropped_memory_is_gone_with_all_that_hangs_on_it(self, store: Store) -> None:
        """Its beliefs, its edges and its words go with it; it can be put again as new."""
        memory, other = a_memory(), a_memory("mem_other", "releases need a tag")
        with store.writing() as unit:
            apply(unit.projection, [PutMemory(other)])
            clean = list(unit.projection.contents(HERE.tenant))
            edge = PutEdge(an_edge(memory.id, other.id))
            archived = PutMemory(believing(memory, Status.ARCHIVED))
            apply(unit.projection, [PutMemory(memory), edge], at=1)
            apply(unit.projection, [archived], at=2)
            apply(unit.projection, [DropMemory(HERE, memory.id)], at=3)
            assert list(unit.projection.contents(HERE.tenant)) == clean
            assert not unit.projection.by_words(HERE, ["fridays"], HISTORY)
            apply(unit.projection, [PutMemory(memory)], at=4)
            assert list(unit.projection.beliefs(HERE, memory.id)) == [memory.belief]
            assert len(unit.projection.by_words(HERE, ["fridays"], HISTORY)) == 1

    def test_an_edge_needs_both_its_ends(self, store: Store) -> None:
        """An edge to a memory that is not there is left out, and does not appear later."""
        with store.writing() as unit:
            apply(
                unit.projection,
                [PutMemory(a_memory("mem_a", "one")), PutEdge(an_edge("mem_a", "mem_b"))],
            )
            apply(unit.projection, [PutMemory(a_memory("mem_b", "two"))])
            assert unit.projection.edge(HERE.tenant, "edge_concluded") is None
            assert not unit.projection.neighbours(HERE, "mem_a")

    def test_an_edge_can_be_ended_and_dropped(self, store: Store) -> None:
        """Ending changes nothing else about an edge; dropping takes it out."""
        edge = an_edge("mem_a", "mem_b")
        ended = replace(edge, ended_at=SOME_MOMENT + SECOND, ended_by=7)
        with store.writing() as unit:
            ends = [PutMemory(a_memory(each, each)) for each in ("mem_a", "mem_b")]
            apply(unit.projection, [*ends, PutEdge(edge)])
            assert unit.projection.edge(HERE.tenant, edge.id) == edge
            assert unit.projection.edge(FOREIGN.tenant, edge.id) is None
            apply(unit.projection, [PutEdge(ended)])
            assert unit.projection.edge(HERE.tenant, edge.id) == ended
            apply(unit.projection, [DropEdge(HERE, edge.id)])
            assert unit.projection.edge(HERE.tenant, edge.id) is None

    def test_a_session_belongs_to_one_realm(self, store: Store) -> None:
        """Sessions are kept per realm; putting one again brings it up to date."""
        session = Session("s1", HERE, SOME_MOMENT, agent="claude", episodes=1, last_episode="ep_1")
        ended = replace(session, ended_at=SOME_MOMENT + SECOND, episodes=2, last_episode="ep_2")
        with store.writing() as unit:
            apply(unit.projection, [PutSession(session)])
            assert unit.projection.session(HERE, "s1") == session
            for realm in (THERE, FOREIGN, Realm(HERE.tenant, "bob", HERE.scope)):
                assert unit.projection.session(realm, "s1") is None
            apply(unit.projection, [PutSession(ended)])
            assert unit.projection.session(HERE, "s1") == ended
            assert unit.projection.session(HERE, "s2") is None

    def test_importance_adds_up_per_realm(self, store: Store) -> None:
        """The budget is the sum of what was added in exactly this realm."""
        with store.writing() as unit:
            apply(unit.projection, [AddImportance(HERE, 1500), AddImportance(THERE, 7)])
            apply(unit.projection, [AddImportance(HERE, 250)])
            assert unit.projection.importance_budget(HERE) == 1750
            assert unit.projection.importance_budget(THERE) == 7
            assert unit.projection.importance_budget(HERE.in_scope("global")) == 0
            apply(unit.projection, [SpendImportance(HERE)])
            assert unit.projection.importance_budget(HERE) == 0
            assert unit.projection.importance_budget(THERE) == 7

    def test_clearing_throws_away_one_tenant(self, store: Store) -> None:
        """Everything folded for a tenant goes and its checkpoint returns to 0; others stay."""
        with store.writing() as unit:
            for realm in (HERE, FOREIGN):
                changes: list[Change] = [
                    PutMemory(a_memory("mem_a", "fridays", realm=realm)),
                    PutMemory(a_memory("mem_b", "mondays", realm=realm.in_scope("global"))),
                    PutEdge(an_edge("mem_a", "mem_b", realm=realm)),
                    PutSession(Session("s1", realm, SOME_MOMENT)),
                    AddImportance(realm, 10),
                ]
                unit.projection.apply(realm.tenant, changes, Stamp(SOME_MOMENT, 1))
            kept = list(unit.projection.contents(FOREIGN.tenant))
            unit.projection.clear(HERE.tenant)
            unit.projection.clear("nobody")
            assert unit.projection.checkpoint(HERE.tenant) == 0
            never_used = list(unit.projection.contents("nobody"))
            assert list(unit.projection.contents(HERE.tenant)) == never_used
            assert not unit.projection.by_words(HERE, ["fridays", "mondays"], HISTORY)
            assert unit.projection.session(HERE, "s1") is None
            assert unit.projection.importance_budget(HERE) == 0
            assert list(unit.projection.contents(FOREIGN.tenant)) == kept

    def test_contents_do_not_depend_on_the_order_of_writing(self, store: Store) -> None:
        """Two projections that hold the same yield the same lines, in the same order."""
        scopes = ["global", "project:a", "project:b"]
        lines = []
        with store.writing() as unit:
            for tenant, order in (("t1", scopes), ("t2", scopes[::-1])):
                for scope in order:
                    realm = Realm(tenant, "ann", scope)
                    memory = a_memory(f"mem_{scope}", f"{scope} deploys", realm=realm)
                    changes: list[Change] = [
                        PutMemory(memory),
                        PutSession(Session("s1", realm, SOME_MOMENT)),
                        AddImportance(realm, 10),
                    ]
                    apply(unit.projection, changes, tenant=tenant)
                lines.append(
                    [each.replace(tenant, "t") for each in unit.projection.contents(tenant)]
                )
        assert lines[0] == lines[1]

    def test_folding_looks_up_by_id_and_position(self, store: Store) -> None:
        """`held`, `taken` and `born_at` see every realm of one tenant and no other tenant."""
        memory = a_memory(realm=THERE, position=4)
        with store.writing() as unit:
            apply(unit.projection, [PutMemory(memory)])
            assert unit.projection.held(HERE.tenant, memory.id) == memory
            assert unit.projection.born_at(HERE.tenant, 4) == memory
            assert unit.projection.taken(HERE.tenant, memory.id)
            assert unit.projection.held(FOREIGN.tenant, memory.id) is None
            assert unit.projection.born_at(FOREIGN.tenant, 4) is None
            assert unit.projection.born_at(HERE.tenant, 5) is None
            assert not unit.projection.taken(FOREIGN.tenant, memory.id)

    def test_folding_looks_up_episodes_by_their_event(self, store: Store) -> None:
        """`episode_of` finds a cause, `awaiting` those that name it, oldest first."""
        scribe = Scribe(store)
        scribe.write(a_capture("child one", event_id="c1", parent_event_id="p"), HERE)
        scribe.write(a_capture("child two", event_id="c2", parent_event_id="p"), THERE)
        scribe.write(a_capture("an orphan", event_id="c3"), HERE)
        scribe.write(a_capture("a stranger", event_id="c4", parent_event_id="p"), FOREIGN)
        scribe.write(an_assertion(), HERE, event_id="a1")
        with store.reading() as unit:
            found = unit.projection.episode_of(THERE, "c2")
            assert found is not None
            assert (found.content, found.realm) == ("child two", THERE)
            assert unit.projection.episode_of(HERE, "c2") is None
            assert unit.projection.episode_of(HERE, "c4") is None
            assert unit.projection.episode_of(HERE, "a1") is None
            waiting = unit.projection.awaiting(HERE.tenant, "p")
            assert [each.content for each in waiting] == ["child one", "child two"]
            assert not unit.projection.awaiting(HERE.tenant, "")
            assert not unit.projection.awaiting(HERE.tenant, "c1")

    def test_folding_looks_up_an_episode_where_several_realms_use_its_id(
        self, store: Store
    ) -> None:
        """Each realm finds its own, then what it sees elsewhere; a bare id is the first's."""
        scribe, everywhere = Scribe(store), HERE.in_scope(GLOBAL)
        for realm, kept_id in (
            (THERE, "e"), (HERE, marked("e", HERE)), (everywhere, marked("e", everywhere)),
        ):  # fmt: skip
            scribe.write(a_capture(realm.scope, event_id="e"), realm, event_id=kept_id)
        with store.reading() as unit:
            for asker, holder in (
                (THERE, THERE), (HERE, HERE), (everywhere, everywhere),
                (HERE.in_scope("project:empty"), everywhere),
            ):  # fmt: skip
                found = unit.projection.episode_of(asker, "e")
                assert found is not None
                assert found.realm == holder
            assert unit.projection.episode_of(FOREIGN, "e") is None

    def test_folding_looks_up_what_a_record_touched(self, store: Store) -> None:
        """A record touches what it brought about, what it changed, and edges it drew or ended."""
        born, old = a_memory("mem_born", "new", position=2), a_memory("mem_old", "old", position=1)
        edge = an_edge("mem_born", "mem_old", edge_id="edge_2_1")
        closed = PutMemory(believing(old, Status.SUPERSEDED))
        ended = PutEdge(replace(edge, ended_at=SOME_MOMENT, ended_by=3))
        with store.writing() as unit:
            put = unit.projection.apply
            put(HERE.tenant, [PutMemory(old)], Stamp(SOME_MOMENT, 1))
            put(
                HERE.tenant,
                [PutMemory(born), closed, PutEdge(edge)],
                Stamp(SOME_MOMENT + SECOND, 2),
            )
            put(HERE.tenant, [ended], Stamp(SOME_MOMENT + 2 * SECOND, 3))
            touched = unit.projection.touched_by
            assert touched(HERE.tenant, 1) == Touched(("mem_old",), ())
            assert touched(HERE.tenant, 2) == Touched(("mem_born", "mem_old"), ("edge_2_1",))
            assert touched(HERE.tenant, 3) == Touched((), ("edge_2_1",))
            assert touched(HERE.tenant, 4) == Touched((), ())
            assert touched(FOREIGN.tenant, 2) == Touched((), ())

    def test_folding_looks_up_the_belief_before_a_record(self, store: Store) -> None:
        """What was believed just before a record changed it, if that record did."""
        memory = a_memory(position=1)
        other = believing(memory, Status.FORGOTTEN)
        with store.writing() as unit:
            unit.projection.apply(HERE.tenant, [PutMemory(memory)], Stamp(SOME_MOMENT, 1))
            later = Stamp(SOME_MOMENT + SECOND, 2)
            unit.projection.apply(HERE.tenant, [PutMemory(other)], later)
            before = unit.projection.belief_before
            assert before(HERE.tenant, memory.id, 2) == memory.belief
            assert before(HERE.tenant, memory.id, 1) is None
            assert before(HERE.tenant, "mem_none", 2) is None
            assert before(FOREIGN.tenant, memory.id, 2) is None

    def test_folding_looks_up_every_earlier_belief(self, store: Store) -> None:
        """Oldest first, each with the record that ended it, or none where a conclusion did."""
        first = a_memory(position=1)
        second, third = believing(first, Status.ARCHIVED), believing(first, Status.ACTIVE, 0.7)
        with store.writing() as unit:
            projection = unit.projection
            projection.apply(HERE.tenant, [PutMemory(first)], Stamp(SOME_MOMENT, 1))
            assert projection.earlier(HERE.tenant, first.id) == []
            apply(projection, [PutMemory(second)], at=1)
            later = Stamp(SOME_MOMENT + 2 * SECOND, 2)
            projection.apply(HERE.tenant, [PutMemory(third)], later)
            assert projection.earlier(HERE.tenant, first.id) == [
                Earlier(first.belief, None),
                Earlier(second.belief, 2),
            ]
            assert projection.earlier(FOREIGN.tenant, first.id) == []

    def test_folding_looks_up_what_a_memory_took_the_place_of(self, store: Store) -> None:
        """Only what is superseded by this very memory, and tied to it either way round."""
        new = a_memory("mem_new", "new")
        ended = [
            replace(memory, belief=replace(memory.belief, superseded_by="mem_new"))
            for name in ("mem_b", "mem_a", "mem_untied")
            for memory in (believing(a_memory(name, name), Status.SUPERSEDED),)
        ]
        held = a_memory("mem_held", "held")
        edges = [
            an_edge("mem_new", "mem_b", edge_id="edge_1_1", relation="supersedes"),
            an_edge("mem_a", "mem_new", edge_id="edge_1_2", relation="contradicts"),
            an_edge("mem_new", "mem_a", edge_id="edge_1_3", relation="supersedes"),
            an_edge("mem_new", "mem_held", edge_id="edge_1_4", relation="supersedes"),
            an_edge("mem_new", "mem_untied", edge_id="edge_1_5", relation="uses"),
        ]
        puts = [PutMemory(each) for each in (new, *ended, held)]
        with store.writing() as unit:
            apply(unit.projection, [*puts, *(PutEdge(each) for each in edges)])
            found = unit.projection.replaced_by(HERE.tenant, "mem_new")
            assert [each.id for each in found] == ["mem_a", "mem_b"]
            assert unit.projection.replaced_by(HERE.tenant, "mem_b") == []
            assert unit.projection.replaced_by(FOREIGN.tenant, "mem_new") == []

    def test_alike_is_active_and_in_exactly_this_realm(self, store: Store) -> None:
        """Only an active memory of the same realm counts as the same thing said again."""
        memory = a_memory()
        blank = replace(a_memory("mem_blank", "no print"), fingerprint="")
        with store.writing() as unit:
            apply(unit.projection, [PutMemory(memory), PutMemory(blank)])
            alike, now = unit.projection.alike, SOME_MOMENT
            assert alike(HERE, memory.fingerprint, now) == memory
            assert alike(HERE, memory.fingerprint, now, memory.id) is None
            assert alike(HERE, "", now) is None
            for realm in (THERE, FOREIGN, HERE.in_scope("global")):
                assert alike(realm, memory.fingerprint, now) is None
            apply(unit.projection, [PutMemory(believing(memory, Status.FORGOTTEN))], at=1)
            assert alike(HERE, memory.fingerprint, now) is None

    def test_alike_holds_at_the_moment_asked_for(self, store: Store) -> None:
        """What has not begun, has ended or has expired by then is not the same said again."""
        memory = a_memory()
        span = replace(memory.belief, valid_to=SOME_MOMENT + 5 * SECOND)
        ending = replace(memory, belief=span)
        expiring = replace(a_memory("mem_expiring", "another"), expires_at=SOME_MOMENT + 3 * SECOND)
        with store.writing() as unit:
            apply(unit.projection, [PutMemory(ending), PutMemory(expiring)])
            for each, last in ((ending, 4), (expiring, 2)):
                for seconds in (-1, 0, last, last + 1):
                    found = unit.projection.alike(
                        HERE, each.fingerprint, SOME_MOMENT + seconds * SECOND
                    )
                    assert found == (each if 0 <= seconds <= last else None)

    def test_the_latest_decision_on_a_source_counts(self, store: Store) -> None:
        """Each act keeps its row: without the latest, the one before it counts again."""
        other = HERE.in_scope("global")
        with store.writing() as unit:
            projection = unit.projection
            decisions = [PutTrust(HERE, "a.json", 3, True), PutTrust(HERE, "a.json", 12, False)]
            changes = [*decisions, PutTrust(other, "a.json", 5, True)]
            projection.apply(HERE.tenant, changes, Stamp(SOME_MOMENT, None))
            projection.apply(HERE.tenant, changes, Stamp(SOME_MOMENT, None))
            assert projection.trusts(HERE) == {"a.json": False}
            assert projection.trusts(other) == {"a.json": True}
            assert projection.decides_trust(HERE.tenant, 12)
            assert not projection.decides_trust(HERE.tenant, 1)
            taken_back = [DropTrust(HERE, 12)]
            projection.apply(HERE.tenant, taken_back, Stamp(SOME_MOMENT, None))
            assert projection.trusts(HERE) == {"a.json": True}
            projection.clear(HERE.tenant)
            assert projection.trusts(HERE) == {}
