"""What every `Enrichment` promises."""

# ruff: noqa: PLR2004 - expected values are literals, so that a rule can be read

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from helix.model.changes import DropMemory, PutMemory
from helix.model.memory import Status
from helix.model.question import Standpoint, View
from helix.ports.enrichment import Enriched, Enrichment, Novelty
from helix.ports.projection import Stamp
from helix.ports.store import Store, Unit
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
            unit.enrichment.refine(HERE, MODEL, {"mem_north": packed(NORTH)})
            assert unit.enrichment.bits_of(HERE, MODEL, ["mem_north"]) == {"mem_north": 16}
            assert dict(found(unit, NORTH))["mem_north"] == 1.0

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

    def test_the_closest_are_those_of_exactly_the_realm(self, store: Store) -> None:
        """Highest cosine first, at most so many."""
        with store.writing() as unit:
            enriched_one_by_one(unit, {"east": EAST, "north": NORTH, "between": NORTH_EAST})
            cosines = unit.enrichment.closest(HERE, MODEL, EAST, 2)
            assert [round(each, 2) for each in cosines] == [1.0, 0.71]
            elsewhere = HERE.in_scope("project:there")
            assert list(unit.enrichment.closest(elsewhere, MODEL, EAST, 2)) == []
            assert list(unit.enrichment.closest(HERE, "another-model", EAST, 2)) == []

    def test_another_realms_vectors_are_left_alone(self, store: Store) -> None:
        """Nobody else's precision is read or changed."""
        elsewhere = HERE.in_scope("project:there")
        with store.writing() as unit:
            enriched_one_by_one(unit, {"east": EAST})
            assert unit.enrichment.coarsen(elsewhere, MODEL, {"mem_east": 2}) == 0
            unit.enrichment.refine(elsewhere, MODEL, {"mem_east": packed(NORTH)})
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


def unpacked_again(vector: Vectors) -> Vectors:
    """Return a vector as half precision leaves it."""
    return vector.astype(np.float16).astype(np.float32)
