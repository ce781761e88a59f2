"""How well a system knows that it does not know: precision, recall, and their curve."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

STEPS = 20
"""Thresholds of the curve: confidences 0.05 apart."""


@dataclass(frozen=True, slots=True)
class Said:
    """Whether a question had an answer, and what was said to it."""

    answerable: bool
    abstained: bool
    confidence: float


def abstention(said: Sequence[Said]) -> dict[str, object]:
    """Return how abstaining went, at the system's own threshold and at every other.

    Abstaining is right on a question that memory cannot answer. At a threshold a system
    abstains when its confidence is below it. `auc` is the chance that a question with an
    answer was met with more confidence than one without.
    """
    without = [each for each in said if not each.answerable]
    return {
        "unanswerable": len(without),
        "answerable": len(said) - len(without),
        **_measured([(each, each.abstained) for each in said]),
        "auc": _auc(said),
        "curve": [
            {"threshold": step / STEPS}
            | _measured([(each, each.confidence < step / STEPS) for each in said])
            for step in range(STEPS + 1)
        ],
    }


def _measured(decided: Sequence[tuple[Said, bool]]) -> dict[str, object]:
    abstained = [each for each, silent in decided if silent]
    right = sum(not each.answerable for each in abstained)
    unanswerable = sum(not each.answerable for each, _ in decided)
    return {
        "abstained": len(abstained),
        "precision": round(right / len(abstained), 4) if abstained else None,
        "recall": round(right / unanswerable, 4) if unanswerable else None,
        "silenced": len(abstained) - right,
    }


def _auc(said: Sequence[Said]) -> float | None:
    known = sorted(each.confidence for each in said if each.answerable)
    unknown = [each.confidence for each in said if not each.answerable]
    if not known or not unknown:
        return None
    wins = sum(
        len(known) - (bisect_left(known, each) + bisect_right(known, each)) / 2 for each in unknown
    )
    return round(wins / (len(known) * len(unknown)), 4)
