"""Finding what is ready for promotion: the only module here that touches a port."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime

from helix.model.life import Life
from helix.model.proposal import Proposal
from helix.model.scope import Realm
from helix.model.types import FACT
from helix.ports.store import Unit
from helix.reinforcement.promoting import promotion
from helix.rules.naming import fingerprint
from helix.rules.policy import Policy
from helix.rules.promotion import Readiness, readiness

MOST_LOOKED_AT = 100_000


def promotions(
    unit: Unit,
    realm: Realm,
    now: datetime,
    policy: Policy,
    *,
    turned_away: Callable[[str], bool],
    only: Collection[str] | None = None,
) -> list[Proposal]:
    """Return the promotions that are due in a realm, of these episodes or of all.

    An episode whose words are held already, or that was promoted before, is passed over, and
    so is all but the first of several in the same words. So are one under suspicion, which
    counts for more only once the user has looked, and words the user has `turned_away`.
    """
    found = []
    said: set[str] = set()
    for life in _candidates(unit, realm, policy, only):
        episode = unit.projection.held(realm.tenant, life.memory_id)
        if episode is None or readiness(life, policy) is not Readiness.READY:
            continue
        if episode.belief.suspicion is not None or turned_away(episode.content):
            continue
        proposal = promotion(episode, now)
        words = fingerprint(FACT, episode.content)
        if words in said or unit.projection.alike(realm, words, now) is not None:
            continue
        if not _done(unit, realm, proposal):
            said.add(words)
            found.append(proposal)
    return found


def _candidates(
    unit: Unit, realm: Realm, policy: Policy, only: Collection[str] | None
) -> list[Life]:
    if only is not None:
        return list(unit.lives.of(realm, list(only)).values())
    return list(unit.lives.often_used(realm, policy.promotion_uses, MOST_LOOKED_AT))


def _done(unit: Unit, realm: Realm, proposal: Proposal) -> bool:
    # Somebody may have forgotten what was promoted; it is not promoted a second time.
    edge = proposal.undo[0]
    return unit.projection.edge(realm.tenant, getattr(edge, "edge_id", "")) is not None
