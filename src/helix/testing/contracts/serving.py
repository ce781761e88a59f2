"""What every `Serving` promises."""

from __future__ import annotations

import pytest

from helix.ports.enrichment import Enriched
from helix.ports.store import Store, Unit
from helix.rules.similarity import packed
from helix.testing.builders import a_memory
from helix.testing.contracts.asking import put
from helix.testing.contracts.enrichment import DIMENSION, EAST

OLD, NEW = "old/1", "new/1"


def enrich(unit: Unit, model: str, limit: int = 100) -> None:
    """Enrich what waits for a model, up to so many."""
    kept = [Enriched(key, packed(EAST), ()) for key, _ in unit.enrichment.waiting(model, limit)]
    unit.enrichment.keep(model, DIMENSION, kept)


def two_memories_known_to(unit: Unit, model: str) -> None:
    """Put two memories and let a model that serves know both."""
    put(unit.projection, [a_memory("mem_a", "a"), a_memory("mem_b", "b")])
    unit.serving.adopt(model)
    enrich(unit, model)


class ServingContract:
    """Override `store` with a fixture that gives a new, empty store."""

    @pytest.fixture
    def store(self) -> Store:
        """Return a new, empty store."""
        raise NotImplementedError

    def test_the_first_model_is_adopted_and_stays(self, store: Store) -> None:
        """None serves at first; the first to ask does, whoever asks after it."""
        with store.writing() as unit:
            assert (unit.serving.current(), unit.serving.coming()) == ("", "")
            assert unit.serving.adopt(OLD) == OLD
            assert unit.serving.adopt(NEW) == OLD
        with store.reading() as unit:
            assert unit.serving.current() == OLD

    def test_a_prepared_model_does_not_serve_yet(self, store: Store) -> None:
        """Until it has caught up, the old one serves, and taking over is refused."""
        with store.writing() as unit:
            two_memories_known_to(unit, OLD)
            unit.serving.prepare(NEW)
            assert (unit.serving.current(), unit.serving.coming()) == (OLD, NEW)
            assert not unit.serving.take_over(NEW)
            enrich(unit, NEW, limit=1)
            assert not unit.serving.take_over(NEW)
            assert (unit.serving.current(), unit.serving.coming()) == (OLD, NEW)

    def test_a_model_that_has_caught_up_takes_over(self, store: Store) -> None:
        """It need know no more than the old one did; what the old one kept is left over."""
        with store.writing() as unit:
            two_memories_known_to(unit, OLD)
            unit.serving.prepare(NEW)
            enrich(unit, NEW)
            put(unit.projection, [a_memory("mem_c", "c")])
            assert unit.serving.left_over() == ()
            assert unit.serving.take_over(NEW)
            assert (unit.serving.current(), unit.serving.coming()) == (NEW, "")
            assert unit.serving.left_over() == (OLD,)

    def test_a_switch_can_be_given_up(self, store: Store) -> None:
        """Preparing the one that serves ends it; preparing a third one redirects it."""
        with store.writing() as unit:
            two_memories_known_to(unit, OLD)
            unit.serving.prepare(NEW)
            unit.serving.prepare("third/1")
            assert unit.serving.coming() == "third/1"
            assert not unit.serving.take_over(NEW)
            unit.serving.prepare(OLD)
            assert (unit.serving.current(), unit.serving.coming()) == (OLD, "")

    def test_preparing_the_first_lets_it_serve(self, store: Store) -> None:
        """Where none serves, there is nothing to catch up with."""
        with store.writing() as unit:
            unit.serving.prepare(NEW)
            assert (unit.serving.current(), unit.serving.coming()) == (NEW, "")
