"""Taking a conclusion back because what it says holds no more, or is to be told no more.

Nothing is deleted: it steps back with its reason, a run that did so can be reverted, and it
comes back by itself once it holds again. Where a person brought it back, it stays.
"""

from __future__ import annotations

from dataclasses import replace

from helix.model.changes import PutMemory
from helix.model.memory import Belief, Memory, Status
from helix.model.night import Conclusion, Decision, Night
from helix.rules.doubts import SETTLED

WITHDRAWN = "withdrawn: "


def withdrawn(night: Night, memory: Memory, why: str, *, forgotten: bool) -> Conclusion | None:
    """Return the conclusion that something concluded is told no more; None if that is not ours.

    What is `forgotten` may not be told at all; the rest held in its time, and ends here.
    """
    belief = memory.belief
    if memory.status is not Status.ACTIVE or belief.pinned or _was_brought_back(belief):
        return None
    ended = replace(
        belief,
        status=Status.FORGOTTEN if forgotten else Status.ARCHIVED,
        valid_to=belief.valid_to if forgotten else max(belief.valid_from, night.now),
        believed_from=night.now,
        doubts=(*belief.doubts, WITHDRAWN + why),
    )
    changes = (PutMemory(replace(memory, belief=ended)),)
    return Conclusion(Decision.WITHDRAW, "", why, (memory.id,), changes)


def was_withdrawn(memory: Memory) -> bool:
    """Return whether a memory stepped back because sleep took it back."""
    stepped_back = memory.status in (Status.ARCHIVED, Status.FORGOTTEN)
    return stepped_back and any(each.startswith(WITHDRAWN) for each in memory.belief.doubts)


def told_again(night: Night, memory: Memory) -> Memory:
    """Return what was given up as it is believed once it holds again."""
    doubts = tuple(each for each in memory.belief.doubts if not each.startswith(WITHDRAWN))
    belief = replace(
        memory.belief, status=Status.ACTIVE, valid_to=None, superseded_by="", doubts=doubts,
        believed_from=night.now,
    )  # fmt: skip
    return replace(memory, belief=belief)


def _was_brought_back(belief: Belief) -> bool:
    return any(each.removeprefix(SETTLED).startswith(WITHDRAWN) for each in belief.doubts)
