"""Edges: how memories hang together, each with its provenance."""

from __future__ import annotations

from datetime import datetime

from helix.model.frozen import dataclass
from helix.model.provenance import Provenance
from helix.model.scope import Realm

FOLLOWS = "follows"
CAUSED_BY = "caused_by"
SUPERSEDES = "supersedes"
CONTRADICTS = "contradicts"
EXTENDS = "extends"
DERIVED_FROM = "derived_from"
SUMMARISES = "summarises"
SIMILAR_TO = "similar_to"
MENTIONS = "mentions"
SUCCEEDED_IN = "succeeded_in"
FAILED_IN = "failed_in"
USED_WITH = "used_with"
"""A shortcut: both helped on the same occasions."""

COMMON_RELATIONS = (
    "works_on",
    "owns",
    "depends_on",
    "has_decision",
    "has_convention",
    "prefers",
    "uses",
    SUPERSEDES,
    CONTRADICTS,
    "related_to",
    "decided_by",
    EXTENDS,
    DERIVED_FROM,
    MENTIONS,
)
"""Relations people use most; any other lower-case name is taken as well."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed, weighted relation between two memories of one tenant.

    `ended_at` is set when the edge was taken back; it stays readable for the past.
    """

    id: str
    from_id: str
    to_id: str
    relation: str
    realm: Realm
    provenance: Provenance
    created_at: datetime
    weight: float = 1.0
    ended_at: datetime | None = None
    ended_by: int | None = None
