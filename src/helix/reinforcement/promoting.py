"""What a promotion makes: a new memory, and the edge to the episode it rests on."""

from __future__ import annotations

import hashlib
from datetime import datetime

from helix.model.changes import DropEdge, DropMemory, PutEdge, PutMemory
from helix.model.edge import DERIVED_FROM, Edge
from helix.model.memory import Belief, Memory, Status
from helix.model.proposal import Proposal
from helix.model.provenance import Origin, Provenance, Source
from helix.model.types import FACT, Shape
from helix.rules.naming import fingerprint, slug
from helix.rules.promotion import Readiness

HELIX = Source("helix", Origin.AGENT_INGESTED, extractor="promotion")
"""Who concludes: Helix itself, which vouches for nothing; the witnesses are the episode's."""


def promotion(episode: Memory, now: datetime) -> Proposal:
    """Return the promotion of an episode; the same episode always gives the same ids."""
    digest = hashlib.sha256(episode.id.encode()).hexdigest()[:8]
    memory = Memory(
        id=f"mem_{slug(episode.content) or 'promoted'}_{digest}",
        type=FACT,
        shape=Shape.SEMANTIC,
        content=episode.content,
        realm=episode.realm,
        position=0,
        recorded_at=now,
        fingerprint=fingerprint(FACT, episode.content),
        importance_base=episode.importance_base,
        importance_hint=episode.importance_hint,
        belief=Belief(
            status=Status.ACTIVE,
            valid_from=episode.belief.valid_from,
            valid_to=None,
            confidence=episode.belief.confidence,
            since=0,
            stems_from=0,
            believed_from=now,
            provenance=episode.belief.provenance,
        ),
        event_time=episode.event_time,
    )
    edge = Edge(
        id=f"edge_promoted_{digest}",
        from_id=memory.id,
        to_id=episode.id,
        relation=DERIVED_FROM,
        realm=episode.realm,
        provenance=Provenance(HELIX, 0),
        created_at=now,
    )
    return Proposal(
        episode.id,
        Readiness.READY.value,
        (PutMemory(memory), PutEdge(edge)),
        (DropEdge(episode.realm, edge.id), DropMemory(episode.realm, memory.id)),
    )
