"""What each sweep proposes for the lives and edges it is shown. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from helix.model.changes import PutEdge, Step
from helix.model.edge import Edge
from helix.model.life import Life
from helix.model.memory import Status
from helix.model.proposal import Proposal
from helix.rules import stepping_back
from helix.rules.policy import Policy
from helix.rules.tiers import Tier, keeps_edge, stays_when_cold, tier

FAINT = "too faint a likeness"


def below_the_floor(lives: Iterable[Life], now: datetime, policy: Policy) -> list[Proposal]:
    """Return who should step back by the policy's own rule; causes are not known here."""
    judged = ((life, stepping_back.reason_to_archive(life, now, policy)) for life in lives)
    return [archived(life, reason) for life, reason in judged if reason]


def expired(lives: Iterable[Life], now: datetime) -> list[Proposal]:
    """Return what was to be held only until a moment that has passed."""
    return [
        archived(life, stepping_back.EXPIRED)
        for life in lives
        if life.status is Status.ACTIVE and stepping_back.expired(life, now)
    ]


def cold(lives: Iterable[Life], now: datetime, policy: Policy) -> list[Proposal]:
    """Return who may leave the cold tier, provided that a summary stands for them."""
    return [
        archived(life, stepping_back.SUMMARISED)
        for life in lives
        if life.status is Status.ACTIVE
        and not stepping_back.protected(life, policy)
        and tier(life, now, policy) in (Tier.COLD, Tier.ARCHIVE)
        and not stays_when_cold(life, policy)
    ]


def faint(
    edges: Iterable[Edge], ends: Mapping[str, Life], now: datetime, policy: Policy
) -> list[Proposal]:
    """Return the likenesses that no longer stand once an end of theirs has cooled down."""
    found = []
    for edge in edges:
        lives = [ends[each] for each in (edge.from_id, edge.to_id) if each in ends]
        order = list(Tier)
        colder = max((tier(life, now, policy) for life in lives), key=order.index, default=None)
        if colder is not None and edge.ended_at is None and not keeps_edge(edge, colder, policy):
            ended = PutEdge(replace(edge, ended_at=now))
            found.append(Proposal(edge.id, FAINT, (ended,), (PutEdge(edge),)))
    return found


def archived(life: Life, reason: str) -> Proposal:
    """Return a memory's step into the archive, and the step back to what it was."""
    there = Step(life.realm, life.memory_id, Status.ACTIVE, Status.ARCHIVED)
    back = Step(
        life.realm, life.memory_id, Status.ARCHIVED, Status.ACTIVE, life.believed_from
    )  # fmt: skip
    return Proposal(life.memory_id, reason, (there,), (back,))
