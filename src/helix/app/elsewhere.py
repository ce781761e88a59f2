"""What stands elsewhere is not named here.

A memory that holds everywhere may be replaced, cited or argued with by one that a single
project holds, and an id is made of words. Whoever does not see that one is told that something
happened, not to what.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from helix.ledger.workflow import Told
from helix.model.act import Resolved, Used
from helix.model.memory import Belief, Memory
from helix.model.recollection import Recollected, Recollection, Remembered
from helix.model.scope import Realm
from helix.ports.store import Unit

UNSEEN = "(decided where it cannot be seen from here)"
SOMETHING = "something that cannot be seen from here"


def seen_ids(unit: Unit, asker: Realm, memory_ids: Iterable[str]) -> frozenset[str]:
    """Return those of some memories that the asker may know of."""
    wanted = sorted({*memory_ids} - {""})
    return frozenset(unit.projection.memories(asker, wanted)) if wanted else frozenset()


def told_here(unit: Unit, asker: Realm, told: Told) -> Told:
    """Return a record as the asker may read it.

    Nothing is written any more that would need this; older versions wrote what concerns two
    realms into the wider one.
    """
    act = told.act
    if isinstance(act, Used) and act.because:
        if not seen_ids(unit, asker, [act.because]):
            return replace(told, act=replace(act, because=""))
    elif isinstance(act, Resolved):
        seen = seen_ids(unit, asker, [act.first, act.second])
        first, second = (each if each in seen else SOMETHING for each in (act.first, act.second))
        return replace(told, act=replace(act, first=first, second=second))
    return told


def beliefs_here(unit: Unit, asker: Realm, beliefs: Sequence[Belief]) -> list[Belief]:
    """Return beliefs without the names of successors that cannot be seen."""
    seen = seen_ids(unit, asker, (each.superseded_by for each in beliefs))
    return [_without_unseen(each, seen) for each in beliefs]


def memories_here(unit: Unit, asker: Realm, memories: Sequence[Memory]) -> list[Memory]:
    """Return memories without the names of successors that cannot be seen."""
    seen = seen_ids(unit, asker, (each.belief.superseded_by for each in memories))
    return [_naming_only(each, seen) for each in memories]


def answer_here(unit: Unit, asker: Realm, answer: Recollection) -> Recollection:
    """Return an answer without the names of successors that cannot be seen."""
    best = answer.remembered if isinstance(answer, Recollected) else (answer.closest,)
    shown = [each.memory for each in (*best, *answer.archived, *answer.left_out) if each]
    replaced = {each.belief.superseded_by for each in shown} - {""}
    unseen = replaced - seen_ids(unit, asker, replaced)
    if not unseen:
        return answer
    seen = replaced - unseen

    def here(found: Remembered) -> Remembered:
        return replace(found, memory=_naming_only(found.memory, seen))

    left_out = tuple(
        replace(
            each,
            memory=_naming_only(each.memory, seen),
            because_of="" if each.because_of in unseen else each.because_of,
        )
        for each in answer.left_out
    )
    archived = tuple(map(here, answer.archived))
    if isinstance(answer, Recollected):
        told = tuple(map(here, answer.remembered))
        return replace(answer, remembered=told, archived=archived, left_out=left_out)
    closest = answer.closest and here(answer.closest)
    return replace(answer, closest=closest, archived=archived, left_out=left_out)


def _naming_only(memory: Memory, seen: AbstractSet[str]) -> Memory:
    belief = _without_unseen(memory.belief, seen)
    return memory if belief is memory.belief else replace(memory, belief=belief)


def _without_unseen(belief: Belief, seen: AbstractSet[str]) -> Belief:
    if not belief.superseded_by or belief.superseded_by in seen:
        return belief
    return replace(belief, superseded_by="")
