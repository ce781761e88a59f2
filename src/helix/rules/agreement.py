"""How sure Helix is, to begin with and after a confirmation."""

from __future__ import annotations

from helix.model.provenance import Origin

BEGINNING = {Origin.USER_ASSERTED: 0.9, Origin.AGENT_INGESTED: 0.6}
"""A first word is never certainty; a user's word weighs more than an agent's."""

CONFIRMING_SHARE = {Origin.USER_ASSERTED: 0.5, Origin.AGENT_INGESTED: 0.1}
"""The share of the remaining doubt that one confirmation removes."""


DOUBTING_SHARE = {Origin.USER_ASSERTED: 0.3, Origin.AGENT_INGESTED: 0.1}
"""The share of confidence that is lost when a memory misled somebody."""

MISLEADING = 1
"""Up to this quality of a use, the memory itself is in doubt."""

CONTRADICTED_SHARE = 0.2
"""The share of confidence that a contradiction takes."""


SUREST_RELIEVED = 0.95
"""What a relief does not lift a belief above; only further voices do."""


def first_confidence(origin: Origin) -> float:
    """Return the confidence of a thing that one source has said."""
    return BEGINNING[origin]


def confirmed(confidence: float, origin: Origin) -> float:
    """Return the confidence after a confirmation; it rises and never passes 1."""
    return round(confidence + (1.0 - confidence) * CONFIRMING_SHARE[origin], 6)


def doubted(confidence: float, origin: Origin) -> float:
    """Return the confidence after a memory misled somebody; it falls and never passes 0."""
    return round(confidence * (1.0 - DOUBTING_SHARE[origin]), 6)


def contradicted(confidence: float) -> float:
    """Return the confidence after a contradiction that could not replace it."""
    return round(confidence * (1.0 - CONTRADICTED_SHARE), 6)


def relieved(confidence: float) -> float:
    """Return the confidence after a contradiction turned out to be none: what it took is back."""
    before = round(confidence / (1.0 - CONTRADICTED_SHARE), 6)
    return max(confidence, min(before, SUREST_RELIEVED))
