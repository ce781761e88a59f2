"""How far a source is trusted, and what that does to fading.

Trust belongs to the source; how sure Helix is that a memory is true is its confidence.
"""

from __future__ import annotations

from collections.abc import Iterable

from helix.model.provenance import FIRST_HAND, Origin, Source
from helix.rules.influence import independent

HUMAN = 1.0
AGENT = 0.7
"""An agent that speaks for itself."""

INGESTED = 0.5
"""An agent that passes on what it read elsewhere, or what an extractor took out of it."""

RATE_PER_DOUBT = 4.0
"""The rate is 1 + 4 (1 - trust) times the usual: exactly 3 times for what was ingested."""


def trust_of(source: Source) -> float:
    """Return how far a source is trusted, in [0, 1]."""
    if source.origin is Origin.USER_ASSERTED:
        return HUMAN
    return AGENT if source.extractor in FIRST_HAND and not source.ref else INGESTED


def trust_among(sources: Iterable[Source]) -> float:
    """Return the trust in what several sources vouch for: that of the best of them."""
    return max(map(trust_of, sources), default=INGESTED)


def fading_rate(trust: float) -> float:
    """Return how many times faster a memory fades than a person's word."""
    return 1.0 + RATE_PER_DOUBT * (1.0 - trust)


def corroborated(sources: Iterable[Source]) -> bool:
    """Return whether the user vouches for it, or two independent agents do."""
    known = list(sources)
    if any(each.origin is Origin.USER_ASSERTED for each in known):
        return True
    return len({each.agent for each in known}) > 1 and independent(known) > 1
