"""What every `Enrichment` promises."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from helix.model.changes import DropMemory, PutMemory
from helix.model.memory import Status
from helix.model.question import Standpoint, View
from helix.ports.embedder import EmbedderUnavailable
from helix.ports.enrichment import (
    MOST_ABOUT,
    REFERENCES,
    SIMILAR_TO,
    Enriched,
    Enrichment,
    Novelty,
    Tie,
)
from helix.ports.projection import Stamp
from helix.ports.store import Store, Unit
from helix.rules.precision import COARSE_BITS
from helix.rules.similarity import Vectors, packed, unit
from helix.testing.builders import HERE, a_memory
from helix.testing.clock import SOME_MOMENT
from helix.testing.contracts.asking import HIDDEN, VISIBLE, one_per_realm, put
from helix.testing.contracts.projection import believing

MODEL = "a-model"
DIMENSION = 4
NOW = Standpoint(View.CURRENT, SOME_MOMENT)


def towards(*weights: float) -> Vectors:
    """Return a unit vector."""
    return unit(np.asarray(weights, dtype=np.float32))


EAST, NORTH, NORTH_EAST = towards(1, 0, 0, 0), towards(0, 1, 0, 0), towards(1, 1, 0, 0)


def enrich(
    enrichment: Enrichment, vector: Vectors = EAST, entities: Sequence[str] = ("otter",)
) -> list[str]:
    """Enrich everything that waits with the same vector and mentions; return the ids."""
    waiting = enrichment.waiting(MODEL, 1000)
    found = [Enriched(key, packed(vector), tuple(entities)) for key, _ in waiting]
    enrichment.keep(MODEL, DIMENSION, found)
    return [memory.id for _, memory in waiting]


def enriched_one_by_one(unit: Unit, memories: dict[str, Vectors]) -> None:
    """Put memories and enrich each with a vector of its own."""
    for content, vector in memories.items():
        put(unit.projection, [a_memory(f"mem_{content}", content)])
        enrich(unit.enrichment, vector)


def found(unit: Unit, asked: Vectors, **narrowing: object) -> list[tuple[str, float]]:
    """Return what is found by meaning, with rounded closeness."""
    hits = unit.enrichment.by_meaning(HERE, MODEL, asked, NOW, **narrowing)  # type: ignore[arg-type]
    return [(memory.id, round(cosine, 2)) for memory, cosine in hits]


class EnrichmentContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_vectors_can_be_kept_coarsely_and_finely_again(self, store: Store) -> None:
        """They are found as before, with almost the same closeness, and take less room."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"east": EAST, "north": NORTH, "between": NORTH_EAST})
            fine = found(unit, EAST)
            whole = unit.enrichment.precisions(HERE, MODEL)
            assert whole == [(16, 3, 3 * 2 * DIMENSION)]
            wanted = {"mem_east": 8, "mem_north": 4, "mem_unknown": 2}
            assert unit.enrichment.coarsen(HERE, MODEL, wanted) == 2
            assert unit.enrichment.coarsen(HERE, MODEL, {"mem_north": 8}) == 0
            ids = ["mem_east", "mem_north", "mem_between", "mem_unknown"]
            assert unit.enrichment.bits_of(HERE, MODEL, ids) == {
                "mem_east": 8, "mem_north": 4, "mem_between": 16,
            }  # fmt: skip
            assert [bits for bits, _, _ in unit.enrichment.precisions(HERE, MODEL)] == [16, 8, 4]
            assert [name for name, _ in found(unit, EAST)] == [name for name, _ in fine]
            assert dict(found(unit, EAST))["mem_east"] == 1.0
            unit.enrichment.refine(HERE, MODEL, {"mem_north": (packed(NORTH), b"")})
            assert unit.enrichment.bits_of(HERE, MODEL, ["mem_north"]) == {"mem_north": 16}
            assert dict(found(unit, NORTH))["mem_north"] == 1.0

    @pytest.mark.parametrize("bits", COARSE_BITS)
    def test_coarse_vectors_come_back_as_coarse_as_they_were(self, store: Store, bits: int) -> None:
        """Folding anew changes no precision, and what is compared afterwards is as close."""
        wide = np.random.default_rng(7).standard_normal((2, 64)).astype(np.float32)
        both = [a_memory("mem_fine", "fine"), a_memory("mem_coarse", "coarse")]
        with store.writing() as unit:
            put(unit.projection, both)
            waiting = unit.enrichment.waiting(MODEL, 9)
            kept = [
                Enriched(key, packed(towards(*vector)), ())
                for (key, _), vector in zip(waiting, wide, strict=True)
            ]
            unit.enrichment.keep(MODEL, 64, kept)
            unit.enrichment.coarsen(HERE, MODEL, {"mem_coarse": bits})
            asked = towards(*wide[1])
            before = found(unit, asked), list(unit.enrichment.precisions(HERE, MODEL))
            unit.enrichment.set_aside(HERE.tenant)
            unit.projection.clear(HERE.tenant)
            put(unit.projection, both)
            unit.enrichment.bring_back(HERE.tenant)
            assert (found(unit, asked), list(unit.enrichment.precisions(HERE, MODEL))) == before
            ids = ["mem_fine", "mem_coarse"]
            held = unit.enrichment.held_of(HERE, MODEL, ids)
            assert {each: held[each].bits for each in ids} == {"mem_fine": 16, "mem_coarse": bits}
            assert unit.enrichment.coarsen(HERE, MODEL, {"mem_coarse": 2}) == int(bits > 2)

    def test_vectors_of_another_length_are_refused_by_name(self, store: Store) -> None:
        """Under one name a server may answer with another model; the two cannot be compared."""
        longer = towards(1, 0, 0, 0, 0, 0)
        with store.writing() as unit:
            enriched_one_by_one(unit, {"east": EAST})
            put(unit.projection, [a_memory("mem_new", "new")])
            ((key, _),) = unit.enrichment.waiting(MODEL, 9)
            with pytest.raises(EmbedderUnavailable, match="6 numbers, not 4"):
                unit.enrichment.keep(MODEL, 6, [Enriched(key, packed(longer), ())])
            with pytest.raises(EmbedderUnavailable, match="6 numbers, not 4"):
                found(unit, longer)
            with pytest.raises(EmbedderUnavailable, match="6 numbers, not 4"):
                unit.enrichment.nearest(HERE, MODEL, longer[np.newaxis], 3)
            with pytest.raises(EmbedderUnavailable, match="6 numbers, not 4"):
                unit.enrichment.refine(HERE, MODEL, {"mem_east": (packed(longer), b"")})
            assert found(unit, EAST) == [("mem_east", 1.0)]
            unit.enrichment.ahead(HERE, MODEL)(longer)
            assert len(unit.enrichment.waiting(MODEL, 9)) == 1

    def test_vectors_of_words_go_with_the_vector_of_the_whole(self, store: Store) -> None:
        """Seen by whoever sees the memory; gone when it is kept coarsely, back when finely."""
        with store.writing() as unit:
            put(unit.projection, [a_memory("mem_a", "a"), a_memory("mem_b", "b")])
            (first, _), (second, _) = unit.enrichment.waiting(MODEL, 9)
            both = [
                Enriched(first, packed(EAST), (), words=b"\x01\x02"),
                Enriched(second, packed(NORTH), ()),
            ]
            unit.enrichment.keep(MODEL, DIMENSION, both)
            unit.enrichment.keep(MODEL, DIMENSION, [Enriched(first, packed(EAST), (), words=b"x")])
            ids = ["mem_a", "mem_b", "mem_unknown"]
            assert unit.enrichment.words_of(HERE, MODEL, ids) == {"mem_a": b"\x01\x02"}
            assert unit.enrichment.words_of(HERE, "another", ids) == {}
            assert unit.enrichment.words_of(HERE.in_scope("project:there"), MODEL, ids) == {}
            unit.enrichment.coarsen(HERE, MODEL, {"mem_a": 4})
            assert unit.enrichment.words_of(HERE, MODEL, ids) == {}
            unit.enrichment.refine(HERE, MODEL, {"mem_a": (packed(EAST), b"\x03")})
            assert unit.enrichment.words_of(HERE, MODEL, ids) == {"mem_a": b"\x03"}
            unit.enrichment.keep_words(MODEL, [(second, b"\x04"), (first, b"")])
            assert unit.enrichment.words_of(HERE, MODEL, ids) == {
                "mem_a": b"\x03",
                "mem_b": b"\x04",
            }

    def test_vectors_of_words_are_gone_with_their_memory_and_model(self, store: Store) -> None:
        """Folding anew keeps them for whoever is there again; nobody inherits them."""
        ids = ["mem_a", "mem_b"]
        with store.writing() as unit:
            put(unit.projection, [a_memory("mem_a", "a"), a_memory("mem_b", "b")])
            waiting = unit.enrichment.waiting(MODEL, 9)
            found = [Enriched(key, packed(EAST), (), words=b"\x07") for key, _ in waiting]
            unit.enrichment.keep(MODEL, DIMENSION, found)
            unit.enrichment.set_aside(HERE.tenant)
            unit.projection.clear(HERE.tenant)
            put(unit.projection, [a_memory("mem_b", "b"), a_memory("mem_a", "another")])
            unit.enrichment.bring_back(HERE.tenant)
            assert unit.enrichment.words_of(HERE, MODEL, ids) == {"mem_b": b"\x07"}
            assert not unit.enrichment.wordless(MODEL, 9)
            unit.projection.apply(
                HERE.tenant, [DropMemory(HERE, "mem_b")], Stamp(SOME_MOMENT, None)
            )
            assert unit.enrichment.words_of(HERE, MODEL, ids) == {}
            put(unit.projection, [a_memory("mem_b", "b")])
            assert unit.enrichment.words_of(HERE, MODEL, ids) == {}
            waiting = unit.enrichment.waiting(MODEL, 9)
            found = [Enriched(key, packed(EAST), (), words=b"\x08") for key, _ in waiting]
            unit.enrichment.keep(MODEL, DIMENSION, found)
            assert unit.enrichment.words_of(HERE, MODEL, ids).keys() == set(ids)
            assert unit.enrichment.drop(MODEL)
            assert unit.enrichment.words_of(HERE, MODEL, ids) == {}

    def test_novelty_is_kept_as_it_was_first_measured(self, store: Store) -> None:
        """Visible ones only; a dropped memory takes it along."""
        with store.writing() as unit:
            put(unit.projection, [a_memory("mem_new", "new")])
            ((key, _),) = unit.enrichment.waiting(MODEL, 9)
            for value in (0.8, 0.1):
                found_out = Enriched(key, packed(EAST), (), Novelty(value, 0.4))
                unit.enrichment.keep(MODEL, DIMENSION, [found_out])
            both = ["mem_new", "mem_unknown"]
            assert unit.enrichment.novelty_of(HERE, both) == {"mem_new": Novelty(0.8, 0.4)}
            assert unit.enrichment.novelty_of(HERE.in_scope("project:there"), both) == {}
            put(unit.projection, [])
            unit.projection.apply(
                HERE.tenant, [DropMemory(HERE, "mem_new")], Stamp(SOME_MOMENT, None)
            )
            assert unit.enrichment.novelty_of(HERE, both) == {}

    def test_another_realms_vectors_are_left_alone(self, store: Store) -> None:
        """Nobody else's precision is read or changed."""
        elsewhere = HERE.in_scope("project:there")
        with store.writing() as unit:
            enriched_one_by_one(unit, {"east": EAST})
            assert unit.enrichment.coarsen(elsewhere, MODEL, {"mem_east": 2}) == 0
            unit.enrichment.refine(elsewhere, MODEL, {"mem_east": (packed(NORTH), b"")})
            assert unit.enrichment.bits_of(elsewhere, MODEL, ["mem_east"]) == {}
            assert list(unit.enrichment.precisions(elsewhere, MODEL)) == []
            assert found(unit, EAST) == [("mem_east", 1.0)]

    def test_what_was_not_enriched_waits(self, store: Store) -> None:
        """Memories wait, oldest first, until they are enriched, for each model apart."""
        with store.writing() as unit:
            put(unit.projection, [a_memory("mem_a", "a"), a_memory("mem_b", "b")])
            assert [each.id for _, each in unit.enrichment.waiting(MODEL, 1)] == ["mem_a"]
            assert unit.enrichment.lag(MODEL).memories == 2
            assert unit.enrichment.lag(MODEL).since == SOME_MOMENT
            assert enrich(unit.enrichment) == ["mem_a", "mem_b"]
            assert not unit.enrichment.waiting(MODEL, 10)
            assert (unit.enrichment.lag(MODEL).memories, unit.enrichment.lag(MODEL).since) == (
                0,
                None,
            )
            assert len(unit.enrichment.waiting("another", 10)) == 2
            assert list(unit.enrichment.models()) == [(MODEL, 2)]

    def test_keeping_twice_equals_once(self, store: Store) -> None:
        """The first thing found out stays."""
        with store.writing() as unit:
            put(unit.projection, [a_memory("mem_a", "a")])
            ((key, _),) = unit.enrichment.waiting(MODEL, 10)
            for vector in (EAST, NORTH):
                kept = [Enriched(key, packed(vector), ("otter",))]
                unit.enrichment.keep(MODEL, DIMENSION, kept)
            assert found(unit, EAST) == [("mem_a", 1.0)]
            assert unit.enrichment.entities_of(HERE, ["mem_a"]) == {"mem_a": ("otter",)}

    def test_the_nearest_comes_first(self, store: Store) -> None:
        """What may answer is ordered by cosine, up to the limit."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"east": EAST, "north": NORTH, "between": NORTH_EAST})
            assert found(unit, EAST) == [
                ("mem_east", 1.0),
                ("mem_between", 0.71),
                ("mem_north", 0.0),
            ]
            assert [each for each, _ in found(unit, NORTH, limit=2)] == ["mem_north", "mem_between"]
            assert not found(unit, EAST, types=["decision"])
            assert not unit.enrichment.by_meaning(HERE, "another", EAST, NOW)

    def test_what_may_not_answer_takes_no_place(self, store: Store) -> None:
        """Forgotten memories are left out before the limit counts."""
        with store.writing() as unit:
            gone = [
                a_memory(f"mem_{number}", f"gone {number}", status=Status.FORGOTTEN)
                for number in range(30)
            ]
            put(unit.projection, [*gone, a_memory("mem_held", "held")])
            enrich(unit.enrichment)
            assert found(unit, EAST, limit=2) == [("mem_held", 1.0)]

    def test_only_what_is_visible_is_returned(self, store: Store) -> None:
        """By meaning, by vector and by mention, nothing of another realm is seen."""
        everything = one_per_realm()
        seen = {memory.id for memory in everything if memory.realm in VISIBLE}
        with store.writing() as unit:
            put(unit.projection, everything)
            enrich(unit.enrichment)
            ids = [memory.id for memory in everything]
            hits = unit.enrichment.by_meaning(HERE, MODEL, EAST, NOW)
            assert {memory.id for memory, _ in hits} == seen
            assert set(unit.enrichment.vectors_of(HERE, MODEL, ids)) == seen
            assert set(unit.enrichment.entities_of(HERE, ids)) == seen
            assert set(unit.enrichment.mentioning(HERE, ["otter"], 99)["otter"]) == seen
            assert len(HIDDEN) + len(seen) == len(ids)

    def test_what_is_hidden_does_not_count_as_common(self, store: Store) -> None:
        """An entity is left out if more visible memories than wanted mention it."""
        with store.writing() as unit:
            put(unit.projection, one_per_realm())
            enrich(unit.enrichment)
            assert len(unit.enrichment.mentioning(HERE, ["otter"], 4)["otter"]) == 4
            assert unit.enrichment.mentioning(HERE, ["otter"], 3) == {}
            assert list(unit.enrichment.mentioning(HERE, ["badger"], 3).get("badger", [])) == []

    def test_vectors_come_back_as_kept(self, store: Store) -> None:
        """In half precision, by id; what has none is left out."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"a": NORTH_EAST})
            put(unit.projection, [a_memory("mem_b", "b")])
            kept = unit.enrichment.vectors_of(HERE, MODEL, ["mem_a", "mem_b", "mem_none"])
            assert list(kept) == ["mem_a"]
            np.testing.assert_array_equal(kept["mem_a"], unpacked_again(NORTH_EAST))

    def test_vectors_are_told_with_their_precision(self, store: Store) -> None:
        """As `vectors_of` gives them, and with the bits they are kept with now."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"a": NORTH_EAST, "b": EAST})
            unit.enrichment.coarsen(HERE, MODEL, {"mem_a": 4})
            ids = ["mem_a", "mem_b", "mem_none"]
            held = unit.enrichment.held_of(HERE, MODEL, ids)
            assert {each: held[each].bits for each in held} == {"mem_a": 4, "mem_b": 16}
            for memory_id, vector in unit.enrichment.vectors_of(HERE, MODEL, ids).items():
                np.testing.assert_array_equal(held[memory_id].vector, vector)

    def test_dropping_a_model_lets_everything_wait_again(self, store: Store) -> None:
        """Nothing of a dropped model is left; another model's work stays."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"a": EAST})
            ((key, _),) = unit.enrichment.waiting("another", 10)
            unit.enrichment.keep("another", DIMENSION, [Enriched(key, packed(NORTH), ())])
            unit.enrichment.drop(MODEL)
            assert found(unit, EAST) == []
            assert len(unit.enrichment.waiting(MODEL, 10)) == 1
            assert unit.enrichment.by_meaning(HERE, "another", NORTH, NOW)

    def test_a_model_can_be_dropped_a_little_at_a_time(self, store: Store) -> None:
        """At once nothing of it is found; what is left is named until it is gone."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"a": EAST, "b": NORTH, "c": EAST})
            done = unit.enrichment.drop(MODEL, 2)
            assert found(unit, EAST) == []
            assert len(unit.enrichment.waiting(MODEL, 10)) == 3
            while not done:
                (name,) = unit.serving.left_over()
                done = unit.enrichment.drop(name, 2)
            assert unit.serving.left_over() == ()
            assert list(unit.enrichment.models()) == []

    def test_a_model_that_comes_back_is_found_once(self, store: Store) -> None:
        """Vectors kept before it was dropped do not come back with it."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"a": EAST})
            assert len(found(unit, EAST)) == 1
            unit.enrichment.drop(MODEL)
        with store.writing() as unit:
            enrich(unit.enrichment, NORTH)
            assert found(unit, NORTH) == [("mem_a", 1.0)]

    def test_what_is_folded_anew_is_enriched_anew(self, store: Store) -> None:
        """After the projection was thrown away, nothing old is found and everything waits."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"a": EAST, "b": NORTH})
            assert len(found(unit, EAST)) == 2
            unit.projection.clear(HERE.tenant)
            put(unit.projection, [a_memory("mem_c", "c"), a_memory("mem_d", "d")])
            assert found(unit, EAST) == []
            assert dict(unit.enrichment.entities_of(HERE, ["mem_c"])) == {"mem_c": ()}
            assert enrich(unit.enrichment, NORTH) == ["mem_c", "mem_d"]
            assert found(unit, NORTH) == [("mem_c", 1.0), ("mem_d", 1.0)]

    def test_a_dropped_memory_leaves_nothing_to_its_successor(self, store: Store) -> None:
        """Whatever is put next inherits neither vector nor mentions, and waits."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"a": EAST, "b": EAST})
            assert len(found(unit, EAST)) == 2
            drop = DropMemory(HERE, "mem_b")
            unit.projection.apply(HERE.tenant, [drop], Stamp(SOME_MOMENT, None))
            put(unit.projection, [a_memory("mem_c", "c")])
            assert found(unit, EAST) == [("mem_a", 1.0)]
            assert list(unit.enrichment.mentioning(HERE, ["otter"], 9)["otter"]) == ["mem_a"]
            assert enrich(unit.enrichment, NORTH) == ["mem_c"]
            assert found(unit, NORTH)[0] == ("mem_c", 1.0)

    def test_purged_memories_never_appear(self, store: Store) -> None:
        """Not by meaning, not by vector and not by mention."""
        memory = a_memory("mem_a", "a")
        with store.writing() as unit:
            put(unit.projection, [memory])
            enrich(unit.enrichment)
            purged = PutMemory(believing(memory, Status.PURGED))
            unit.projection.apply(HERE.tenant, [purged], Stamp(SOME_MOMENT, None))
            assert found(unit, EAST) == []
            assert unit.enrichment.vectors_of(HERE, MODEL, [memory.id]) == {}
            assert unit.enrichment.entities_of(HERE, [memory.id]) == {}
            mentioning = unit.enrichment.mentioning(HERE, ["otter"], 9)
            assert list(mentioning.get("otter", [])) == []
            put(unit.projection, [a_memory("mem_b", "b", status=Status.PURGED)])
            assert not unit.enrichment.waiting(MODEL, 10)
            assert unit.enrichment.lag(MODEL).memories == 0

    def test_the_nearest_are_those_of_exactly_the_realm(self, store: Store) -> None:
        """By key, for several vectors at once, whether they may answer or not."""
        everywhere = HERE.in_scope("global")
        with store.writing() as unit:
            enriched_one_by_one(unit, {"east": EAST, "between": NORTH_EAST})
            elsewhere = a_memory("mem_everywhere", "everywhere", realm=everywhere)
            put(unit.projection, [elsewhere, a_memory("mem_gone", "g", status=Status.FORGOTTEN)])
            enrich(unit.enrichment, NORTH)
            keys = {memory.id: key for key, memory in unit.enrichment.waiting("another", 9)}
            asked = np.stack([EAST, NORTH])
            by_east, by_north = unit.enrichment.nearest(HERE, MODEL, asked, 2)
            assert [key for key, _ in by_east] == [keys["mem_east"], keys["mem_between"]]
            assert [key for key, _ in by_north] == [keys["mem_gone"], keys["mem_between"]]
            assert [round(cosine, 2) for _, cosine in by_north] == [1.0, 0.71]
            ((only, _),) = unit.enrichment.nearest(everywhere, MODEL, asked[:1], 2)[0]
            assert only == keys["mem_everywhere"]
            none = unit.enrichment.nearest(HERE, "another", asked, 2)
            assert [list(each) for each in none] == [[], []]

    def test_likeness_ties_both_ways(self, store: Store) -> None:
        """A tie is seen from both ends, under its model alone; it goes with either end."""
        with store.writing() as unit:
            first, second = self._two(unit)
            alike = Enriched(second, packed(EAST), (), similar=((first, 0.9),))
            unit.enrichment.keep(MODEL, DIMENSION, [alike])
            tie = Tie("mem_b", SIMILAR_TO, "mem_a", 0.9)
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_a")) == [tie]
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_b")) == [tie]
            assert list(unit.enrichment.ties(HERE, "another", "mem_b")) == []
            drop = DropMemory(HERE, "mem_a")
            unit.projection.apply(HERE.tenant, [drop], Stamp(SOME_MOMENT, None))
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_b")) == []

    def test_a_name_refers_to_what_is_about_it(self, store: Store) -> None:
        """Whichever came first, seen from both ends; to itself nothing refers."""
        with store.writing() as unit:
            first, second = self._two(unit)
            issue = ("issue:#42",)
            unit.enrichment.keep(MODEL, 0, [Enriched(first, b"", (), named=issue)])
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_a")) == []
            about = Enriched(second, b"", (), named=issue, about=issue)
            unit.enrichment.keep(MODEL, 0, [about])
            tie = Tie("mem_a", REFERENCES, "mem_b", 1.0)
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_a")) == [tie]
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_b")) == [tie]

    def test_an_id_refers_to_its_memory(self, store: Store) -> None:
        """If there is such a memory and it is visible."""
        with store.writing() as unit:
            first, _ = self._two(unit)
            put(unit.projection, [a_memory("mem_hidden", "hidden", realm=HIDDEN[0])])
            ids = ("memory:mem_b", "memory:mem_none", "memory:mem_hidden", "memory:mem_a")
            unit.enrichment.keep(MODEL, 0, [Enriched(first, b"", (), named=ids)])
            tie = Tie("mem_a", REFERENCES, "mem_b", 1.0)
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_a")) == [tie]
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_b")) == [tie]
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_hidden")) == []

    def test_what_many_are_about_refers_to_none_of_them(self, store: Store) -> None:
        """A thing that more than a few memories are about tells nothing."""
        several = [a_memory(f"mem_{number}", str(number)) for number in range(MOST_ABOUT + 1)]
        with store.writing() as unit:
            put(unit.projection, [a_memory("mem_naming", "naming"), *several])
            (naming, _), *rest = unit.enrichment.waiting(MODEL, 20)
            issue = ("issue:#42",)
            kept = [Enriched(key, b"", (), about=issue) for key, _ in rest]
            unit.enrichment.keep(MODEL, 0, [Enriched(naming, b"", (), named=issue), *kept[:-1]])
            assert len(unit.enrichment.ties(HERE, MODEL, "mem_naming")) == MOST_ABOUT
            unit.enrichment.keep(MODEL, 0, kept[-1:])
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_naming")) == []
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_0")) == []

    def test_ties_come_back_to_memories_folded_anew(self, store: Store) -> None:
        """What was set aside returns to those that are there again, and to no others."""
        third = a_memory("mem_c", "c")
        with store.writing() as unit:
            first, second = self._two(unit)
            put(unit.projection, [third])
            ((last, _),) = unit.enrichment.waiting(MODEL, 10)[2:]
            issue = ("issue:#42",)
            unit.enrichment.keep(
                MODEL,
                DIMENSION,
                [
                    Enriched(first, packed(EAST), (), about=issue),
                    Enriched(second, packed(EAST), (), Novelty(0.1, 0.01), issue,
                             similar=((first, 0.99),)),
                    Enriched(last, packed(EAST), (), similar=((first, 0.9),)),
                ],
            )  # fmt: skip
            unit.enrichment.set_aside(HERE.tenant)
            unit.projection.clear(HERE.tenant)
            put(unit.projection, [a_memory("mem_b", "b"), a_memory("mem_a", "a")])
            unit.enrichment.bring_back(HERE.tenant)
            assert unit.enrichment.novelty_of(HERE, ["mem_a", "mem_b"]) == {
                "mem_b": Novelty(0.1, 0.01)
            }
            assert list(unit.enrichment.ties(HERE, MODEL, "mem_a")) == [
                Tie("mem_b", REFERENCES, "mem_a", 1.0),
                Tie("mem_b", SIMILAR_TO, "mem_a", 0.99),
            ]

    def _two(self, unit: Unit) -> tuple[int, int]:
        put(unit.projection, [a_memory("mem_a", "a"), a_memory("mem_b", "b")])
        (first, _), (second, _) = unit.enrichment.waiting(MODEL, 10)
        return first, second


def unpacked_again(vector: Vectors) -> Vectors:
    """Return a vector as half precision leaves it."""
    return vector.astype(np.float16).astype(np.float32)
