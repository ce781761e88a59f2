"""Folding what happened: episodes, the sessions they belong to, and the edges between them."""

from __future__ import annotations

from dataclasses import replace

from helix.model import act as acts
from helix.model.changes import (
    AddImportance,
    Change,
    PutEdge,
    PutMemory,
    PutSession,
    SpendImportance,
)
from helix.model.edge import CAUSED_BY, FOLLOWS, Edge
from helix.model.memory import Belief, EventTime, Memory, Status
from helix.model.provenance import Provenance
from helix.model.record import Record
from helix.model.scope import may_read
from helix.model.session import Session
from helix.model.types import EPISODE, Shape
from helix.ports.projection import Known
from helix.rules.agreement import first_confidence
from helix.rules.foreign import standing
from helix.rules.importance import SLEEP_AT, millipoints
from helix.rules.naming import edge_id, episode_id

Changes = tuple[Change, ...]


def captured(record: Record, act: acts.Captured, known: Known) -> Changes:
    """Return the episode, its place in its session, its causes, and what it weighs."""
    episode = episode_of(record, act)
    around = act.circumstances
    links: list[tuple[Memory, str, str]] = []
    changes: list[Change] = [PutMemory(episode)]
    if around.session:
        session = _session(record, around.session, around.agent, known)
        if session.last_episode:
            links.append((episode, FOLLOWS, session.last_episode))
        changes.append(
            PutSession(replace(session, episodes=session.episodes + 1, last_episode=episode.id))
        )
    if around.parent_event_id:
        # A cause in another project must not be reachable from here.
        parent = known.episode_of(record.realm, around.parent_event_id)
        if parent is not None:
            links.append((episode, CAUSED_BY, parent.id))
    # The effect may have been captured before its cause. One that found it in another realm,
    # under the same id, waits no longer.
    links += [
        (child, CAUSED_BY, episode.id)
        for child in known.awaiting(record.realm.tenant, around.event_id)
        if may_read(child.realm, record.realm)
        and known.episode_of(child.realm, around.event_id) is None
    ]
    if links:
        provenance = Provenance(act.source, record.position)
        changes += [
            PutEdge(
                Edge(
                    id=edge_id(record.position, ordinal),
                    from_id=start.id,
                    to_id=to_id,
                    relation=relation,
                    realm=start.realm,
                    provenance=provenance,
                    created_at=record.recorded_at,
                )
            )
            for ordinal, (start, relation, to_id) in enumerate(links, 1)
        ]
    if episode.status is Status.ACTIVE:
        weighs = millipoints(episode.importance)
        changes.append(AddImportance(record.realm, weighs))
        if known.importance_budget(record.realm) + weighs >= SLEEP_AT:
            changes.append(SpendImportance(record.realm))
    return tuple(changes)


def episode_of(record: Record, act: acts.Captured) -> Memory:
    """Return the memory of what happened."""
    happened = act.occurred_at or record.recorded_at
    return Memory(
        id=episode_id(act.content, record.position),
        type=EPISODE,
        shape=Shape.EPISODIC,
        content=act.content,
        realm=record.realm,
        position=record.position,
        recorded_at=record.recorded_at,
        fingerprint="",
        importance_base=act.importance_base,
        importance_hint=act.importance_hint,
        belief=Belief(
            status=standing(act.suspicion),
            # That it happened is true from the moment it is recorded, whenever it happened;
            # event time is kept apart.
            valid_from=min(happened, record.recorded_at),
            valid_to=None,
            confidence=first_confidence(act.source.origin),
            since=record.position,
            stems_from=record.position,
            believed_from=record.recorded_at,
            provenance=(Provenance(act.source, record.position),),
            suspicion=act.suspicion,
        ),
        event_time=EventTime(start=act.occurred_at) if act.occurred_at else None,
        circumstances=act.circumstances,
        attributes=act.attributes,
    )


def session_started(record: Record, act: acts.SessionStarted, known: Known) -> Changes:
    """Return the session, open from here."""
    session = _session(record, act.session, act.source.agent, known)
    return (PutSession(replace(session, agent=act.source.agent, ended_at=None)),)


def session_ended(record: Record, act: acts.SessionEnded, known: Known) -> Changes:
    """Return the session, closed here."""
    session = _session(record, act.session, act.source.agent, known)
    closed = PutSession(replace(session, ended_at=record.recorded_at))
    if known.importance_budget(record.realm):
        return (closed, SpendImportance(record.realm))
    return (closed,)


def _session(record: Record, session_id: str, agent: str, known: Known) -> Session:
    session = known.session(record.realm, session_id)
    return session or Session(session_id, record.realm, record.recorded_at, agent=agent)
