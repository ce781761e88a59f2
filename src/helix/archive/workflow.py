"""Sweeping: reading lives page by page and proposing what should step back.

The only module here that touches a port. A sweep is read in pages, so that it costs the
same memory however much there is, and looked at again inside the writing transaction: what
was used, pinned or decided meanwhile is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from helix.archive import proposing
from helix.archive.compressing import AS_IT_CAME, wanted_bits
from helix.model.edge import Edge
from helix.model.life import Life
from helix.model.memory import Status
from helix.model.proposal import Proposal
from helix.model.scope import Realm
from helix.ports.lives import START, Cursor
from helix.ports.store import Unit
from helix.rules.policy import Archiving, Policy

PAGE = 500
MOST_EXPIRING = 100_000


class Sweep(StrEnum):
    """The sweeps, in the order in which they run."""

    EXPIRY = "expiry"
    EDGES = "edges"
    COLD = "cold"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class Found:
    """What one look proposes; `after` is where the next look goes on, None at the end."""

    proposals: tuple[Proposal, ...]
    after: Cursor | None
    looked_at: int


@dataclass(frozen=True, slots=True)
class Round:
    """One round through a realm: everything the steps of a sweep share."""

    unit: Unit
    realm: Realm
    now: datetime
    policy: Policy


def look(about: Round, kind: Sweep, after: Cursor = START) -> Found:
    """Look at one page and return what a sweep would do with it."""
    match kind:
        case Sweep.EXPIRY:
            due = about.unit.lives.expiring(about.realm, about.now, MOST_EXPIRING)
            return Found(tuple(proposing.expired(due, about.now)), None, len(due))
        case Sweep.EDGES:
            return _faint(about, after)
        case Sweep.COLD | Sweep.ARCHIVE:
            page = about.unit.lives.page(about.realm, after, PAGE)
            lives = [life for _, life in page]
            proposals = _stepping_back(about, kind, lives)
            at_end = len(page) < PAGE or _too_young(about, kind, lives[-1])
            return Found(tuple(proposals), None if at_end else page[-1][0], len(page))


def still(about: Round, kind: Sweep, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return those proposals that hold now, judged anew by what stands now."""
    ids = [each.about for each in proposals]
    if kind is Sweep.EDGES:
        edges = [about.unit.projection.edge(about.realm.tenant, each) for each in ids]
        return _cooled(about, [edge for edge in edges if edge is not None])
    lives = list(about.unit.lives.of(about.realm, ids).values())
    if kind is Sweep.EXPIRY:
        return proposing.expired(lives, about.now)
    return _stepping_back(about, kind, lives)


def _stepping_back(about: Round, kind: Sweep, lives: Sequence[Life]) -> list[Proposal]:
    reading, realm = about.unit.lives, about.realm
    if kind is Sweep.COLD:
        proposed = proposing.cold(lives, about.now, about.policy)
        summarised = reading.summarised(realm, [each.about for each in proposed])
        proposed = [each for each in proposed if each.about in summarised]
    else:
        proposed = proposing.below_the_floor(lives, about.now, about.policy)
    causes = reading.causes(realm, [each.about for each in proposed])
    return [each for each in proposed if each.about not in causes]


def _faint(about: Round, after: Cursor) -> Found:
    page = about.unit.lives.likenesses(about.realm, about.policy.edge_floor, after, PAGE)
    proposals = _cooled(about, [edge for _, edge in page])
    return Found(tuple(proposals), page[-1][0] if len(page) == PAGE else None, len(page))


def _cooled(about: Round, edges: Sequence[Edge]) -> list[Proposal]:
    ends = [end for edge in edges for end in (edge.from_id, edge.to_id)]
    lives = about.unit.lives.of(about.realm, ends)
    return proposing.faint(edges, lives, about.now, about.policy)


def _too_young(about: Round, kind: Sweep, last: Life) -> bool:
    """Return whether everything recorded after this one is too young for the sweep."""
    if not last.position:
        return False  # a conclusion: it stands before all records, whatever its age
    policy = about.policy
    days = policy.warm_days
    if kind is Sweep.ARCHIVE:
        layers = policy.archiving is Archiving.LAYERS
        days = policy.archive_age_days if layers else policy.floor_age_days
    return about.now - last.recorded_at < timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Precision:
    """Which vectors of a page should be kept more coarsely, and which more finely again."""

    coarser: Mapping[str, int]
    finer: tuple[str, ...]
    after: Cursor | None
    looked_at: int


def precision(about: Round, model: str, status: Status, after: Cursor = START) -> Precision:
    """Look at the vectors of one page of memories."""
    page = about.unit.lives.page(about.realm, after, PAGE, status)
    wanted = wanted_bits([life for _, life in page], about.now, about.policy)
    kept = about.unit.enrichment.bits_of(about.realm, model, list(wanted))
    return Precision(
        {each: wanted[each] for each, bits in kept.items() if bits > wanted[each]},
        tuple(each for each, bits in kept.items() if bits < wanted[each] == AS_IT_CAME),
        page[-1][0] if len(page) == PAGE else None,
        len(page),
    )
