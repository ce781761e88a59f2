"""What every `Projection` promises to those who ask it."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product

import pytest

from helix.model.changes import PutEdge, PutMemory
from helix.model.memory import Memory, Status
from helix.model.question import Standpoint, View
from helix.model.scope import EVERYONE, GLOBAL, Realm, may_read
from helix.ports.projection import Projection, Stamp
from helix.ports.store import Store
from helix.rules.validity import answers
from helix.testing.builders import HERE, Scribe, a_capture, a_memory, an_edge
from helix.testing.clock import SOME_MOMENT
from helix.testing.contracts.projection import believing

NOW = SOME_MOMENT + timedelta(days=10)
DAY = timedelta(days=1)
MICROSECOND = timedelta(microseconds=1)
CURRENT = Standpoint(View.CURRENT, NOW)
HISTORY = Standpoint(View.HISTORY, NOW)

OWN_GLOBAL = HERE.in_scope(GLOBAL)
SHARED = Realm(HERE.tenant, EVERYONE, HERE.scope)
SHARED_GLOBAL = Realm(HERE.tenant, EVERYONE, GLOBAL)
VISIBLE = (HERE, OWN_GLOBAL, SHARED, SHARED_GLOBAL)
HIDDEN = (
    HERE.in_scope("project:there"),
    Realm(HERE.tenant, "bob", HERE.scope),
    Realm(HERE.tenant, "bob", GLOBAL),
    Realm(HERE.tenant, EVERYONE, "project:there"),
    Realm("other", HERE.owner, HERE.scope),
    Realm("other", HERE.owner, GLOBAL),
    Realm("other", EVERYONE, GLOBAL),
)


def put(projection: Projection, memories: Iterable[Memory], at: datetime = SOME_MOMENT) -> None:
    """Put memories as a journal entry would."""
    for memory in memories:
        projection.apply(memory.realm.tenant, [PutMemory(memory)], Stamp(at, None))


def one_per_realm() -> list[Memory]:
    """Return a memory in each visible and each hidden realm, the hidden ones the newest."""
    return [
        a_memory(f"mem_{number}", f"deploys of number {number}", realm=realm, position=number)
        for number, realm in enumerate((*VISIBLE, *HIDDEN), 1)
    ]


def in_every_standing() -> list[Memory]:
    """Return memories in every status, with every kind of validity and expiry."""
    spans: list[tuple[datetime, datetime | None]] = [
        (SOME_MOMENT, None),
        (SOME_MOMENT, NOW),
        (SOME_MOMENT, NOW + DAY),
        (SOME_MOMENT, SOME_MOMENT),
        (NOW, None),
        (NOW + DAY, None),
        (SOME_MOMENT - DAY, SOME_MOMENT),
    ]
    expiries = [None, NOW, NOW + DAY]
    return [
        a_memory(
            f"mem_{number}",
            f"deploys of number {number}",
            status=status,
            position=number,
            valid_from=start,
            valid_to=end,
            expires_at=expires_at,
            type="decision" if number % 3 else "episode",
        )
        for number, (status, (start, end), expires_at) in enumerate(
            product(Status, spans, expiries), 1
        )
    ]


def ids(memories: Iterable[Memory]) -> set[str]:
    """Return the ids of memories."""
    return {memory.id for memory in memories}


class AskingContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_only_what_is_visible_is_returned(self, store: Store) -> None:
        """Own and shared things of this scope and of global are seen, and nothing else."""
        everything = one_per_realm()
        seen = {memory.id for memory in everything if memory.realm in VISIBLE}
        with store.writing() as unit:
            put(unit.projection, everything)
            asked = unit.projection
            assert ids(asked.listing(HERE, CURRENT)) == seen
            assert {hit.memory.id for hit in asked.by_words(HERE, ["deploys"], CURRENT)} == seen
            for memory in everything:
                visible = memory.id in seen
                assert asked.memory(HERE, memory.id) == (memory if visible else None)
                assert list(asked.beliefs(HERE, memory.id)) == [memory.belief] * visible
            many = asked.memories(HERE, [*(memory.id for memory in everything), "mem_unknown"])
            assert many == {memory.id: memory for memory in everything if memory.id in seen}
            assert asked.memories(HERE, []) == {}
            counted = sum(number for *_, number in asked.counts(HERE))
            assert counted == len(seen)

    @pytest.mark.parametrize(
        "asker",
        [*VISIBLE, *HIDDEN],
        ids=lambda realm: "/".join((realm.tenant, realm.owner, realm.scope)),
    )
    def test_every_asker_sees_their_own(self, store: Store, asker: Realm) -> None:
        """Whoever asks, visibility is decided by `may_read`."""
        everything = one_per_realm()
        with store.writing() as unit:
            put(unit.projection, everything)
            expected = {each.id for each in everything if may_read(asker, each.realm)}
            assert ids(unit.projection.listing(asker, CURRENT)) == expected
            hits = unit.projection.by_words(asker, ["deploys"], CURRENT)
            assert {hit.memory.id for hit in hits} == expected

    def test_filtering_comes_before_limits(self, store: Store) -> None:
        """What is not visible or does not answer takes no place in a limited answer."""
        with store.writing() as unit:
            put(unit.projection, one_per_realm())
            put(
                unit.projection,
                (
                    a_memory(f"mem_gone_{n}", "deploys", status=Status.FORGOTTEN, position=99)
                    for n in range(60)
                ),
            )
            assert len(unit.projection.listing(HERE, CURRENT, limit=4)) == 4
            assert len(unit.projection.by_words(HERE, ["deploys"], CURRENT, limit=4)) == 4

    @pytest.mark.parametrize("view", list(View))
    @pytest.mark.parametrize("moment", [SOME_MOMENT - DAY, SOME_MOMENT, NOW, NOW + DAY])
    def test_views_follow_the_law(self, store: Store, view: View, moment: datetime) -> None:
        """Listing and words return exactly what `rules.validity.answers` lets answer."""
        everything = in_every_standing()
        standpoint = Standpoint(view, moment)
        expected = {
            each.id
            for each in everything
            if each.status is not Status.PURGED and answers(each, standpoint)
        }
        with store.writing() as unit:
            put(unit.projection, everything)
            assert ids(unit.projection.listing(HERE, standpoint, limit=1000)) == expected
            hits = unit.projection.by_words(HERE, ["deploys"], standpoint, limit=1000)
            assert {hit.memory.id for hit in hits} == expected
            for kind in ("decision", "episode"):
                found = unit.projection.listing(HERE, standpoint, types=[kind], limit=1000)
                of_kind = {each.id for each in everything if each.type == kind}
                assert ids(found) == expected & of_kind

    @pytest.mark.parametrize("believed_on", [SOME_MOMENT, SOME_MOMENT + DAY, NOW])
    def test_the_past_follows_the_law(self, store: Store, believed_on: datetime) -> None:
        """As of a moment, the belief held then decides, whatever has become of it since."""
        everything = in_every_standing()
        turned = [
            replace(each, belief=replace(other.belief, since=each.position))
            for each, other in zip(everything, everything[::-1], strict=True)
        ]
        then = everything if believed_on < SOME_MOMENT + DAY else turned
        standpoint = Standpoint(View.AS_OF, NOW, believed_on)
        expected = {
            before.id: before
            for before, now in zip(then, turned, strict=True)
            if now.status is not Status.PURGED and answers(before, standpoint)
        }
        with store.writing() as unit:
            put(unit.projection, everything)
            put(unit.projection, turned, SOME_MOMENT + DAY)
            listed = unit.projection.listing(HERE, standpoint, limit=1000)
            assert {each.id: each for each in listed} == expected
            hits = unit.projection.by_words(HERE, ["deploys"], standpoint, limit=1000)
            assert {hit.memory.id: hit.memory for hit in hits} == expected
            decisions = unit.projection.listing(HERE, standpoint, types=["decision"], limit=1000)
            assert ids(decisions) == {
                each.id for each in expected.values() if each.type == "decision"
            }

    def test_before_it_was_recorded_nothing_is_known(self, store: Store) -> None:
        """A memory is not believed on a day before it was recorded."""
        early = Standpoint(View.AS_OF, NOW, SOME_MOMENT - DAY)
        with store.writing() as unit:
            put(unit.projection, [a_memory(valid_from=SOME_MOMENT - 9 * DAY)])
            assert not unit.projection.listing(HERE, early)
            assert not unit.projection.by_words(HERE, ["fridays"], early)
            assert unit.projection.memory(HERE, "mem_derived", SOME_MOMENT - DAY) is None

    def test_purged_memories_never_appear(self, store: Store) -> None:
        """Not by id, words, list, edge, count or belief, and not as of a day before."""
        memory, other = a_memory(), a_memory("mem_other", "releases need a tag")
        purged = believing(memory, Status.PURGED)
        before = SOME_MOMENT + timedelta(hours=1)
        with store.writing() as unit:
            put(unit.projection, [memory, other])
            edge = PutEdge(an_edge(memory.id, other.id))
            unit.projection.apply(HERE.tenant, [edge], Stamp(SOME_MOMENT, None))
            put(unit.projection, [purged], SOME_MOMENT + DAY)
            asked = unit.projection
            assert asked.memory(HERE, memory.id) is None
            assert asked.memory(HERE, memory.id, before) is None
            assert ids(asked.listing(HERE, HISTORY, statuses=list(Status))) == {other.id}
            past = Standpoint(View.AS_OF, before, before)
            assert ids(asked.listing(HERE, past)) == {other.id}
            assert not asked.by_words(HERE, ["fridays"], HISTORY)
            assert not asked.by_words(HERE, ["fridays"], past)
            assert not asked.beliefs(HERE, memory.id)
            assert not asked.neighbours(HERE, memory.id)
            assert not asked.neighbours(HERE, other.id)
            assert not asked.neighbours(HERE, other.id, believed_on=before)
            assert list(asked.counts(HERE)) == [(HERE.scope, "fact", "active", 1)]

    def test_a_list_is_newest_first_and_pages_by_position(self, store: Store) -> None:
        """Pages joined together give every memory once, newest first."""
        with store.writing() as unit:
            put(
                unit.projection,
                (
                    a_memory(f"mem_{n}", f"fact {n}", realm=VISIBLE[n % 4], position=n)
                    for n in range(1, 12)
                ),
            )
            found: list[int] = []
            before = None
            while page := unit.projection.listing(HERE, CURRENT, limit=4, before=before):
                found += [memory.position for memory in page]
                before = page[-1].position
            assert found == list(range(11, 0, -1))

    def test_a_list_pages_through_what_has_no_position(self, store: Store) -> None:
        """Conclusions all stand at position 0; going on from the last one shown misses none."""
        with store.writing() as unit:
            kinds = ("fact", "decision", "episode")
            everything = [
                a_memory(
                    f"mem_{n}", f"fact {n}", realm=VISIBLE[n % 4], type=kinds[n % 3],
                    position=max(0, n - 20),
                )
                for n in range(1, 27)
            ]  # fmt: skip
            put(unit.projection, everything)
            for asked in ((), ("fact", "decision")):
                due = [each for each in everything if not asked or each.type in asked]
                found: list[str] = []
                last = None
                while page := unit.projection.listing(
                    HERE, CURRENT, types=asked, limit=4, before=last
                ):
                    found += [each.id for each in page]
                    last = page[-1]
                assert found == [each.id for each in reversed(due)]

    def test_a_list_may_ask_for_other_statuses(self, store: Store) -> None:
        """`statuses` replaces those of the view, and validity is not asked."""
        everything = in_every_standing()
        with store.writing() as unit:
            put(unit.projection, everything)
            for wanted in ([Status.FORGOTTEN], [Status.ARCHIVED, Status.QUARANTINED], []):
                found = unit.projection.listing(HERE, CURRENT, statuses=wanted, limit=1000)
                assert ids(found) == {each.id for each in everything if each.status in wanted}
            typed = unit.projection.listing(
                HERE, CURRENT, statuses=[Status.REJECTED], types=["decision"], limit=1000
            )
            assert {each.type for each in typed} == {"decision"}

    def test_types_are_filtered(self, store: Store) -> None:
        """Only the types asked for are returned, by list and by words."""
        kinds = ("fact", "decision", "episode", "invented_type")
        with store.writing() as unit:
            put(
                unit.projection,
                (a_memory(f"mem_{kind}", "deploys", type=kind) for kind in kinds),
            )
            for wanted in (["fact"], ["episode"], ["episode", "decision"], ["invented_type"]):
                expected = {f"mem_{kind}" for kind in wanted}
                assert ids(unit.projection.listing(HERE, CURRENT, types=wanted)) == expected
                hits = unit.projection.by_words(HERE, ["deploys"], CURRENT, types=wanted)
                assert {hit.memory.id for hit in hits} == expected
            assert not unit.projection.listing(HERE, CURRENT, types=["unknown"])

    def test_any_of_the_words_is_enough(self, store: Store) -> None:
        """A memory that contains one of the words is found, and says which."""
        with store.writing() as unit:
            put(
                unit.projection,
                [
                    a_memory("mem_a", "postgres listens on port 5433"),
                    a_memory("mem_b", "redis listens on another socket"),
                    a_memory("mem_c", "kafka was rejected"),
                ],
            )
            hits = unit.projection.by_words(HERE, ["postgres", "socket", "mysql"], CURRENT)
            matched = {hit.memory.id: hit.matched for hit in hits}
            assert matched == {"mem_a": ("postgres",), "mem_b": ("socket",)}
            assert not unit.projection.by_words(HERE, ["mysql"], CURRENT)
            assert not unit.projection.by_words(HERE, [], CURRENT)

    def test_a_phrase_is_found_as_a_row_of_words(self, store: Store) -> None:
        """An entry with spaces is a phrase: the words in this order, next to each other."""
        with store.writing() as unit:
            put(
                unit.projection,
                [
                    a_memory("mem_a", "never force push to main"),
                    a_memory("mem_b", "push with force only to a fork"),
                ],
            )
            hits = unit.projection.by_words(HERE, ["force push"], CURRENT)
            assert [hit.memory.id for hit in hits] == ["mem_a"]
            hits = unit.projection.by_words(HERE, ["force push", "fork"], CURRENT)
            matched = {hit.memory.id: hit.matched for hit in hits}
            assert matched == {"mem_a": ("force push",), "mem_b": ("fork",)}

    def test_the_best_comes_first(self, store: Store) -> None:
        """Scores never rise along an answer; more and rarer words fit better."""
        with store.writing() as unit:
            put(
                unit.projection,
                [
                    *(a_memory(f"mem_{n}", f"deploys of a service {n}") for n in range(8)),
                    a_memory("mem_rare", "kubernetes of a service nine"),
                    a_memory("mem_both", "kubernetes deploys of service ten"),
                ],
            )
            hits = unit.projection.by_words(HERE, ["kubernetes", "deploys"], CURRENT)
            assert [hit.memory.id for hit in hits[:2]] == ["mem_both", "mem_rare"]
            scores = [hit.score for hit in hits]
            assert scores == sorted(scores, reverse=True)
            assert len(unit.projection.by_words(HERE, ["deploys"], CURRENT, limit=3)) == 3

    def test_what_may_answer_is_found_behind_many_that_may_not(self, store: Store) -> None:
        """Hundreds of better fits that are forgotten do not hide the one that is held."""
        with store.writing() as unit:
            put(
                unit.projection,
                [
                    *(
                        a_memory(f"mem_gone_{n}", "deploys", status=Status.FORGOTTEN)
                        for n in range(300)
                    ),
                    a_memory("mem_held", "of deploys we only know that they are slow"),
                ],
            )
            hits = unit.projection.by_words(HERE, ["deploys"], CURRENT, limit=3)
            assert [hit.memory.id for hit in hits] == ["mem_held"]

    def test_any_text_is_measured_like_a_memory(self, store: Store) -> None:
        """A text's score is what a memory with this content would score, whoever wrote it."""
        words = ["kubernetes", "deploys"]
        with store.writing() as unit:
            put(unit.projection, one_per_realm())
            put(unit.projection, [a_memory("mem_k", "kubernetes deploys the service")])
            hits = unit.projection.by_words(HERE, words, CURRENT)
            texts = [hit.memory.content for hit in hits]
            alone = [[text] for text in (*texts, "nothing of it", "")]
            together = [texts, [*texts, "nothing of it", ""], []]
            first, second = unit.projection.word_scores(HERE, words, [alone, together])
            assert list(first) == pytest.approx([*(hit.score for hit in hits), 0.0, 0.0])
            assert second[0] > second[1] > second[2] == 0.0

    def test_what_happened_around_an_episode(self, store: Store) -> None:
        """Active episodes of its session, so many before and after, in order; itself not."""
        scribe = Scribe(store)
        for number in range(1, 8):
            session = "s2" if number == 4 else "s1"
            scribe.write(a_capture(f"e{number}", event_id=f"ev{number}", session=session), HERE)
        lonely = scribe.write(a_capture("alone", event_id="ev8"), HERE)
        elsewhere = a_capture("elsewhere", event_id="ev9", session="s1")
        scribe.write(elsewhere, HERE.in_scope("project:there"))
        with store.writing() as unit:
            episodes = [unit.projection.born_at(HERE.tenant, n) for n in range(1, 10)]
            memories = [each for each in episodes if each is not None]
            third = memories[2]
            put(unit.projection, [believing(memories[4], Status.FORGOTTEN)], NOW)
            around = unit.projection.around(HERE, [third, memories[lonely.record.position - 1]], 2)
            found = {each: [other.content for other in others] for each, others in around.items()}
            assert found.pop(third.id) == ["e1", "e2", "e6", "e7"]
            assert [other.position for other in around[third.id]] == [1, 2, 6, 7]
            assert not any(found.values())
            assert not any(unit.projection.around(HIDDEN[1], [third], 2).values())
            assert not any(unit.projection.around(HERE, memories[8:], 2).values())

    def test_what_happened_in_a_span_of_time(self, store: Store) -> None:
        """Active episodes by when they happened, told or recorded; what is too many is thinned."""
        scribe = Scribe(store)
        began = scribe.clock.now()
        for number in range(6):
            scribe.write(a_capture(f"live{number}", event_id=f"ev{number}"), HERE)
        long_ago = replace(a_capture("long ago", event_id="old"), occurred_at=began - 9 * DAY)
        scribe.write(long_ago, HERE)
        scribe.write(a_capture("elsewhere", event_id="other"), HERE.in_scope("project:there"))
        ended = scribe.clock.now() + DAY

        def told(since: datetime, until: datetime, limit: int = 10) -> list[str]:
            with store.reading() as unit:
                found = unit.projection.happened(HERE, since, until, limit)
                return [each.content for each in found]

        live = [f"live{number}" for number in range(6)]
        assert told(began - 10 * DAY, ended) == ["long ago", *live]
        assert told(began - 10 * DAY, began - DAY) == ["long ago"]
        assert told(began, ended) == live
        assert told(began, ended, limit=3) == ["live0", "live1", "live5"]
        with store.reading() as unit:
            third = unit.projection.born_at(HERE.tenant, 3)
            assert third is not None
            moment = third.recorded_at
            assert not unit.projection.happened(Realm("stranger", "x", "global"), began, ended, 5)
        assert told(moment, moment + MICROSECOND) == ["live2"]

    def test_edges_are_seen_from_both_ends(self, store: Store) -> None:
        """The standing edges at a memory are returned, of all or of some relations."""
        first = an_edge("mem_a", "mem_b", edge_id="edge_x", relation="uses")
        second = an_edge("mem_c", "mem_a", edge_id="edge_y", relation="owns")
        with store.writing() as unit:
            put(unit.projection, (a_memory(f"mem_{each}", each) for each in "abc"))
            changes = [PutEdge(first), PutEdge(second)]
            unit.projection.apply(HERE.tenant, changes, Stamp(SOME_MOMENT, None))
            asked = unit.projection.neighbours
            assert {edge.id for edge in asked(HERE, "mem_a")} == {"edge_x", "edge_y"}
            assert list(asked(HERE, "mem_b")) == [first]
            assert list(asked(HERE, "mem_a", relations=["owns", "likes"])) == [second]
            assert not asked(HERE, "mem_a", relations=["likes"])
            assert not asked(HERE, "mem_none")

    def test_edges_to_what_is_hidden_are_hidden(self, store: Store) -> None:
        """An edge shows only if it and its far end are visible to the asker."""
        private = Realm(HERE.tenant, "bob", HERE.scope)
        with store.writing() as unit:
            put(
                unit.projection,
                [
                    a_memory("mem_a", "a"),
                    a_memory("mem_b", "b", realm=SHARED_GLOBAL),
                    a_memory("mem_hidden", "h", realm=private),
                ],
            )
            edges = [
                an_edge("mem_a", "mem_b", edge_id="edge_seen"),
                an_edge("mem_a", "mem_hidden", edge_id="edge_far"),
                an_edge("mem_hidden", "mem_a", edge_id="edge_near"),
                an_edge("mem_a", "mem_b", edge_id="edge_theirs", realm=private),
            ]
            changes = [PutEdge(edge) for edge in edges]
            unit.projection.apply(HERE.tenant, changes, Stamp(SOME_MOMENT, None))
            for end in ("mem_a", "mem_b"):
                found = unit.projection.neighbours(HERE, end)
                assert [edge.id for edge in found] == ["edge_seen"]
            assert not unit.projection.neighbours(HERE, "mem_hidden")

    def test_edges_stood_while_they_stood(self, store: Store) -> None:
        """As of a moment, the edges that stood then are returned."""
        edge = replace(
            an_edge("mem_a", "mem_b", at=SOME_MOMENT + DAY),
            ended_at=SOME_MOMENT + 2 * DAY,
            ended_by=9,
        )
        with store.writing() as unit:
            put(unit.projection, (a_memory(f"mem_{each}", each) for each in "ab"))
            unit.projection.apply(HERE.tenant, [PutEdge(edge)], Stamp(SOME_MOMENT, None))
            asked = unit.projection.neighbours
            assert not asked(HERE, "mem_a")
            for days, standing in ((0, False), (1, True), (2, False)):
                then = SOME_MOMENT + days * DAY
                assert bool(asked(HERE, "mem_a", believed_on=then)) is standing
            before = SOME_MOMENT - DAY
            assert not asked(HERE, "mem_a", believed_on=before)

    def test_counts_add_up_per_scope_type_and_status(self, store: Store) -> None:
        """What is visible is counted by scope, type and status, whoever of the visible owns it."""
        with store.writing() as unit:
            put(unit.projection, one_per_realm())
            put(
                unit.projection,
                [
                    a_memory("mem_x", "x", type="episode", status=Status.FORGOTTEN),
                    a_memory("mem_y", "y", type="episode"),
                    a_memory("mem_z", "z", realm=SHARED, type="episode"),
                ],
            )
            assert list(unit.projection.counts(HERE)) == [
                ("global", "fact", "active", 2),
                (HERE.scope, "episode", "active", 2),
                (HERE.scope, "episode", "forgotten", 1),
                (HERE.scope, "fact", "active", 2),
            ]
            assert list(unit.projection.counts(Realm("nobody", "ann", GLOBAL))) == []
