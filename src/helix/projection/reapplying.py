"""What Helix concluded about a memory stays when an earlier act on it is undone. Pure.

A conclusion is no act, so no rollback names it. Returning to the belief before an act would
drop it silently: something superseded would be told as current again, a doubt would be gone.
So whatever it changed is changed again in the belief returned to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from helix.model.memory import Belief
from helix.ports.projection import Earlier

T = TypeVar("T")

Conclusion = tuple[Belief, Belief]
"""What was believed before Helix concluded something, and after."""


def concluded_after(
    position: int | None, earlier: Sequence[Earlier], present: Belief
) -> list[Conclusion]:
    """Return what was concluded since the act at a position, or ever, oldest first.

    Conclusions with no act between them count as one: one that was taken back comes to nothing.
    """
    ended_by = [each.ended_by for each in earlier]
    beliefs = [*(each.belief for each in earlier), present]
    first = 0 if position is None else ended_by.index(position) + 1
    found = []
    for concluded, group in groupby(
        range(first, len(earlier)), key=lambda at: ended_by[at] is None
    ):
        stretch = list(group)
        if concluded:
            found.append((beliefs[stretch[0]], beliefs[stretch[-1] + 1]))
    return found


def reapplied(belief: Belief, conclusions: Sequence[Conclusion]) -> Belief:
    """Return the belief with what was concluded in it, where the undone acts left that alone."""
    for before, after in conclusions:
        belief = _reapplied(belief, before, after)
    return belief


def _reapplied(belief: Belief, before: Belief, after: Belief) -> Belief:
    # Where the undone act itself changed how the memory stands, what it returns to goes first:
    # undoing an approval holds back again, whatever was concluded from it meanwhile.
    stands = after if _standing(belief) == _standing(before) else belief
    suspected = after if belief.suspicion == before.suspicion else belief
    gone = set(before.doubts) - set(after.doubts)
    doubts = [each for each in belief.doubts if each not in gone]
    return replace(
        belief,
        status=stands.status,
        valid_from=stands.valid_from,
        valid_to=stands.valid_to,
        superseded_by=stands.superseded_by,
        suspicion=suspected.suspicion,
        doubts=tuple(dict.fromkeys((*doubts, *_added(before.doubts, after.doubts)))),
        confidence=_confidence(belief.confidence, before.confidence, after.confidence),
        confirmations=max(0, belief.confirmations + after.confirmations - before.confirmations),
        provenance=(*belief.provenance, *_added(before.provenance, after.provenance)),
    )


def _standing(belief: Belief) -> tuple[object, ...]:
    return belief.status, belief.valid_from, belief.valid_to, belief.superseded_by


def _added(before: Sequence[T], after: Sequence[T]) -> list[T]:
    return [each for each in after if each not in before]


def _confidence(returned_to: float, before: float, after: float) -> float:
    if returned_to == before:
        return after
    # A doubt takes a share, so the same share is taken of what is believed without the act.
    share = after / before if before else 1.0
    return round(min(1.0, returned_to * share), 6)
