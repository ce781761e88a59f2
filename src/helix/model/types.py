"""The types and shapes of memory, and how a domain adds its own.

Shape says how a memory behaves (does it fade, how is it used); type says what it is.
The ten coding types are a default, not a limit: `Schema.with_types` registers others,
and nothing else in Helix names a type it does not need to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType

from helix.model.errors import BadInput
from helix.model.frozen import dataclass


class Shape(StrEnum):
    """The four shapes of long-term memory."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True)
class MemoryType:
    """A registered type: its name, its shape, and one line on what it holds.

    `also` names a second shape for types that stand between two, as `project` does.
    """

    name: str
    shape: Shape
    holds: str
    also: Shape | None = None


EPISODE = "episode"
FACT = "fact"

CODING_TYPES = (
    MemoryType("identity", Shape.SEMANTIC, "who the user is"),
    MemoryType("preference", Shape.SEMANTIC, "how they like things done"),
    MemoryType("project", Shape.SEMANTIC, "a codebase and its shape", also=Shape.ENTITY),
    MemoryType("decision", Shape.SEMANTIC, "a durable choice and its rationale"),
    MemoryType("convention", Shape.PROCEDURAL, "a rule or standard that holds here"),
    MemoryType("snippet", Shape.PROCEDURAL, "a reusable idiom"),
    MemoryType("procedure", Shape.PROCEDURAL, "a verified how-to, keyed by its trigger"),
    MemoryType("entity", Shape.ENTITY, "a person, team, repository or service"),
    MemoryType(EPISODE, Shape.EPISODIC, "something that happened"),
    MemoryType(FACT, Shape.SEMANTIC, "anything else that is so"),
)

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True)
class Schema:
    """The memory types a store knows."""

    types: Mapping[str, MemoryType] = field(
        default_factory=lambda: MappingProxyType({kind.name: kind for kind in CODING_TYPES})
    )

    def with_types(self, added: Iterable[MemoryType]) -> Schema:
        """Return a schema that knows the added types too."""
        known = dict(self.types)
        for kind in added:
            if not _NAME.fullmatch(kind.name):
                raise BadInput(
                    f"{kind.name!r} cannot name a memory type",
                    code="unusable_type",
                    remedy="use lower-case letters, digits and underscores, starting with a letter",
                )
            if known.get(kind.name, kind) != kind:
                raise BadInput(
                    f"the memory type {kind.name!r} is already registered differently",
                    code="type_taken",
                    remedy="choose another name for the new type",
                )
            known[kind.name] = kind
        return Schema(MappingProxyType(known))

    def shape_of(self, name: str) -> Shape:
        """Return the shape of a registered type, or raise `BadInput`."""
        return self[name].shape

    def __getitem__(self, name: str) -> MemoryType:
        """Return a registered type, or raise `BadInput` naming those that exist."""
        try:
            return self.types[name]
        except KeyError:
            raise BadInput(
                f"there is no memory type {name!r}",
                code="unknown_type",
                remedy="use one of: " + ", ".join(sorted(self.types)),
            ) from None

    def __iter__(self) -> Iterator[MemoryType]:
        """Iterate over the types in the order of their registration."""
        return iter(self.types.values())
