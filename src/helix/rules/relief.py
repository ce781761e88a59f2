"""A belief as it would be had something that was held against it never been. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from helix.model.memory import Belief
from helix.model.suspicion import Suspicion
from helix.rules.agreement import CONTRADICTED_SHARE
from helix.rules.doubts import CONTRADICTED
from helix.rules.mentions import mentioned


def relieved(belief: Belief, gone: Collection[str]) -> Belief:
    """Return a belief without the doubts and suspicions that name what is gone.

    What a contradiction took of its confidence is given back.
    """
    lifted = [each for each in belief.doubts if mentioned([each], gone)]
    confidence = belief.confidence
    for doubt in lifted:
        if doubt.startswith(CONTRADICTED):
            confidence = min(1.0, confidence / (1.0 - CONTRADICTED_SHARE))
    return replace(
        belief,
        doubts=tuple(each for each in belief.doubts if each not in lifted),
        confidence=round(confidence, 6) if lifted else belief.confidence,
        suspicion=without_reasons(belief.suspicion, gone),
    )


def without_reasons(suspicion: Suspicion | None, gone: Collection[str]) -> Suspicion | None:
    """Return a suspicion without the reasons that name what is gone; None if none is left."""
    if suspicion is None or not mentioned(suspicion.reasons, gone):
        return suspicion
    left = tuple(each for each in suspicion.reasons if not mentioned([each], gone))
    return replace(suspicion, reasons=left) if left else None
