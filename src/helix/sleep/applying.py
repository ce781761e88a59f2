"""From conclusions to a change set: only what still holds, with what it takes to undo it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from helix.model.changes import Change, DropEdge, DropMemory, PutEdge, PutMemory, Rate, Suspect
from helix.model.memory import Memory
from helix.model.night import Conclusion, Decision, Night, Passed
from helix.ports.projection import Projection

MOST_CHANGES = 12
"""Changes in one transaction: a millisecond or two for which a capture may have to wait."""


@dataclass(frozen=True, slots=True)
class Applicable:
    """What of a pass's conclusions can be applied now, and what undoes it."""

    conclusions: tuple[Conclusion, ...]
    changes: tuple[Change, ...]
    undo: tuple[Change, ...]
    passed: tuple[Passed, ...]


def in_parts(conclusions: Sequence[Conclusion], most: int) -> Iterator[tuple[Conclusion, ...]]:
    """Yield the conclusions in parts of so many changes, in their order; at least one part.

    A conclusion is whole in one part, however many changes it takes.
    """
    part: list[Conclusion] = []
    size = 0
    for conclusion in conclusions:
        if part and size + len(conclusion.changes) > most:
            yield tuple(part)
            part, size = [], 0
        part.append(conclusion)
        size += len(conclusion.changes)
    yield tuple(part)


def applicable(
    conclusions: Sequence[Conclusion],
    night: Night,
    projection: Projection,
    turned_away: Callable[[str], bool] = lambda _: False,
) -> Applicable:
    """Return what can be applied to the projection as it stands in this transaction.

    What exists already is left out, so that a second run changes nothing. What somebody
    changed since the night was read is left alone: their word is newer than the conclusion.
    Words that the user has `turned_away` or erased are not concluded again.
    """
    before = _Before(night, projection)
    kept: list[Conclusion] = []
    changes: list[Change] = []
    undo: list[list[Change]] = []
    passed: list[Passed] = []
    for conclusion in conclusions:
        if conclusion.key and before.exists(conclusion.key):
            continue
        wanted = [change for change in conclusion.changes if before.differs(change)]
        if not wanted:
            continue
        if again := before.first_new(wanted, turned_away):
            passed.append(Passed(again, "these words were turned away or erased"))
            continue
        if moved := before.moved(wanted):
            passed.append(Passed(moved, "it changed while sleep was reading"))
            continue
        kept.append(conclusion)
        undo.append([back for change in wanted if (back := before.undone(change, conclusion))])
        changes += wanted
        before.note(wanted)
    way_back = tuple(change for group in reversed(undo) for change in reversed(group))
    return Applicable(tuple(kept), tuple(changes), way_back, tuple(passed))


class _Before:
    """What stands in the projection before a change set, and what the change set made of it."""

    def __init__(self, night: Night, projection: Projection) -> None:
        self._night = night
        self._projection = projection
        self._put: dict[str, Memory] = {}
        self._read: dict[str, Memory | None] = {}
        self._drawn: set[str] = set()

    def exists(self, key: str) -> bool:
        if key in self._put or key in self._drawn:
            return True
        tenant = self._night.realm.tenant
        if key.startswith("link_"):
            return self._projection.edge(tenant, key) is not None
        return self._held(key) is not None

    def first_new(self, changes: Iterable[Change], turned_away: Callable[[str], bool]) -> str:
        new = [
            change.memory
            for change in changes
            if isinstance(change, PutMemory) and self._held(change.memory.id) is None
        ]
        return next((each.id for each in new if turned_away(each.content)), "")

    def moved(self, changes: Iterable[Change]) -> str:
        for change in changes:
            if isinstance(change, PutMemory):
                seen = self._night.held.get(change.memory.id)
                held = self._standing(change.memory.id)
                if (held and held.belief) != (seen and seen.belief):
                    return change.memory.id
        return ""

    def differs(self, change: Change) -> bool:
        match change:
            case PutMemory(memory):
                return self._held(memory.id) != memory
            case PutEdge(edge):
                return not self.exists(edge.id)
            case Rate(_, memory_id, leaves, enters):
                held = self._held(memory_id)
                # Somebody else's rating since is not touched.
                return held is not None and held.importance_base == leaves != enters
            case Suspect(_, memory_id, leaves, enters):
                held = self._held(memory_id)
                # Somebody who vouched for it since has looked at it.
                return held is not None and held.belief.suspicion == leaves != enters
            case _:
                return True

    def undone(self, change: Change, conclusion: Conclusion) -> Change | None:
        realm = self._night.realm
        match change:
            case PutMemory(memory):
                held = self._held(memory.id)
                return DropMemory(realm, memory.id) if held is None else PutMemory(held)
            case PutEdge(edge):
                return DropEdge(realm, edge.id)
            case Rate(_, memory_id, leaves, enters):
                return Rate(realm, memory_id, enters, leaves)
            case Suspect(_, memory_id, leaves, enters):
                held = self._held(memory_id)
                since = held.belief.believed_from if held else None
                return Suspect(realm, memory_id, enters, leaves, since)
            case _:
                # What went because its grounds were erased must not be kept for coming back.
                assert conclusion.decision is Decision.WITHDRAW
                return None

    def note(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if isinstance(change, PutMemory):
                self._put[change.memory.id] = change.memory
            elif isinstance(change, PutEdge):
                self._drawn.add(change.edge.id)

    def _held(self, memory_id: str) -> Memory | None:
        return self._put.get(memory_id) or self._standing(memory_id)

    def _standing(self, memory_id: str) -> Memory | None:
        # Three times asked for each change, and read once: others wait meanwhile.
        if memory_id not in self._read:
            tenant = self._night.realm.tenant
            self._read[memory_id] = self._projection.held(tenant, memory_id)
        return self._read[memory_id]
