"""Ten types in four shapes, and room for more."""

from __future__ import annotations

import pytest
from tests.spec.reading import current, kept, said, sound

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.model.errors import BadInput
from helix.model.types import CODING_TYPES, MemoryType, Schema, Shape
from helix.testing.builders import open_memory

SHAPES = {
    "identity": Shape.SEMANTIC,
    "preference": Shape.SEMANTIC,
    "project": Shape.SEMANTIC,
    "decision": Shape.SEMANTIC,
    "convention": Shape.PROCEDURAL,
    "snippet": Shape.PROCEDURAL,
    "procedure": Shape.PROCEDURAL,
    "entity": Shape.ENTITY,
    "episode": Shape.EPISODIC,
    "fact": Shape.SEMANTIC,
}
RECIPE = MemoryType("recipe", Shape.PROCEDURAL, "how to cook something")


def test_there_are_ten_types_in_four_shapes() -> None:
    """The coding types and their shapes are those of the specification."""
    assert {kind.name: kind.shape for kind in CODING_TYPES} == SHAPES
    assert {shape.value for shape in Shape} == {"episodic", "semantic", "procedural", "entity"}
    assert Schema()["project"].also is Shape.ENTITY


@pytest.mark.parametrize("name", sorted(SHAPES.keys() - {"episode"}))
def test_every_type_can_be_remembered_and_asked_for(memory: Helix, name: str) -> None:
    """A memory bears its type and the type's shape, and is found by either."""
    held = kept(memory.remember("otters hold hands", type=name))
    assert (held.type, held.shape) == (name, SHAPES[name])
    assert said(memory.recall("otters", types=[name])) == {"otters hold hands"}
    other = "fact" if name != "fact" else "decision"
    assert said(memory.recall("otters", types=[other])) == set()
    assert [each.id for each in memory.list(types=[name])] == [held.id]


def test_an_episode_is_captured_not_asserted(memory: Helix) -> None:
    """What happened comes in through capture; the remedy says so."""
    with pytest.raises(BadInput) as refused:
        memory.remember("it rained", type="episode")
    assert "capture" in refused.value.remedy
    assert kept(memory.capture("it rained")).shape is Shape.EPISODIC


def test_an_unknown_type_is_refused_with_those_that_exist(memory: Helix) -> None:
    """Neither remembering nor asking takes a type nobody registered."""
    with pytest.raises(BadInput) as refused:
        memory.remember("soup", type="recipe")
    assert "convention" in refused.value.remedy
    with pytest.raises(BadInput):
        memory.recall("soup", types=["recipe"])


def test_a_domain_registers_its_own_type(store: SqliteStore) -> None:
    """A registered type is remembered, recalled, corrected and counted like any other."""
    memory = open_memory(store, types=[RECIPE])
    soup = kept(memory.remember("soup needs salt", type="recipe"))
    assert soup.shape is Shape.PROCEDURAL
    assert said(memory.recall("soup", types=["recipe"])) == {"soup needs salt"}
    memory.correct(soup.id, "soup needs pepper")
    assert current(memory) == {"soup needs pepper"}
    assert ("project:here", "recipe", "active", 1) in memory.upkeep.status().counts
    sound(memory)


def test_what_was_written_with_a_type_is_readable_without_it(store: SqliteStore) -> None:
    """A store opened without a domain's types still lists and finds its memories."""
    open_memory(store, types=[RECIPE]).remember("soup needs salt", type="recipe")
    memory = open_memory(store)
    assert current(memory) == {"soup needs salt"}
    assert said(memory.recall("soup")) == {"soup needs salt"}


@pytest.mark.parametrize("name", ["", "Recipe", "1st", "a-b", "a b", "x" * 41, "é"])
def test_a_type_needs_a_plain_name(name: str) -> None:
    """Lower-case letters, digits and underscores, starting with a letter."""
    with pytest.raises(BadInput) as refused:
        Schema().with_types([MemoryType(name, Shape.SEMANTIC, "")])
    assert refused.value.code == "unusable_type"


def test_a_type_cannot_be_registered_twice_differently() -> None:
    """Registering the same again is harmless; another meaning is refused."""
    schema = Schema().with_types([RECIPE]).with_types([RECIPE])
    assert schema["recipe"] == RECIPE
    with pytest.raises(BadInput) as refused:
        schema.with_types([MemoryType("fact", Shape.ENTITY, "something else")])
    assert refused.value.code == "type_taken"


def test_registering_leaves_other_schemas_alone() -> None:
    """A schema is a value: adding a type gives a new one."""
    before = Schema()
    before.with_types([RECIPE])
    assert "recipe" not in {kind.name for kind in before}
