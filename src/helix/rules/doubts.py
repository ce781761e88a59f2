"""What speaks against a belief, and what a person has looked at already.

A doubt is a few words on the belief. Once a person has vouched for a memory all the same, the
doubt stays as settled, so that the same finding does not ask again night after night.
"""

from __future__ import annotations

from dataclasses import replace

from helix.model.memory import Belief
from helix.rules.agreement import contradicted

CONTRADICTED = "contradicted by "
SETTLED = "looked at: "


def open_doubts(belief: Belief) -> tuple[str, ...]:
    """Return what speaks against a belief that nobody has looked at."""
    return tuple(each for each in belief.doubts if not each.startswith(SETTLED))


def other_doubts(belief: Belief) -> tuple[str, ...]:
    """Return the open doubts that are no contradictions: gone files, lost grounds, old age."""
    return tuple(each for each in open_doubts(belief) if not each.startswith(CONTRADICTED))


def rivals(belief: Belief) -> tuple[str, ...]:
    """Return the ids of the memories that a belief is contradicted by."""
    return tuple(
        each[len(CONTRADICTED) :] for each in belief.doubts if each.startswith(CONTRADICTED)
    )


def without_rival(belief: Belief, rival: str) -> Belief:
    """Return a belief that this memory no longer contradicts."""
    doubts = tuple(each for each in belief.doubts if each != f"{CONTRADICTED}{rival}")
    return replace(belief, doubts=doubts)


def opposed(belief: Belief, rival: str) -> Belief:
    """Return a belief that this memory contradicts: it is less sure, and says why."""
    doubts = (*belief.doubts, f"{CONTRADICTED}{rival}")
    return replace(belief, confidence=contradicted(belief.confidence), doubts=doubts)


def reconciled(belief: Belief, rival: str) -> Belief:
    """Return a belief of which a person said that it holds beside this memory.

    The doubt stays as settled, so that the pair is not asked about again.
    """
    other = without_rival(belief, rival)
    return replace(other, doubts=(*other.doubts, f"{SETTLED}{CONTRADICTED}{rival}"))


def settled(belief: Belief) -> Belief:
    """Return a belief that a person vouches for in spite of what speaks against it.

    A contradiction is not settled by this: between two somebody has to decide.
    """
    doubts = dict.fromkeys(
        each if each.startswith((CONTRADICTED, SETTLED)) else SETTLED + each
        for each in belief.doubts
    )
    return replace(belief, doubts=tuple(doubts))


def was_settled(belief: Belief, doubt: str) -> bool:
    """Return whether a person has looked at this very doubt."""
    return SETTLED + doubt in belief.doubts
