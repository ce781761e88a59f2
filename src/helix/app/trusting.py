"""Trusting: which sources may be imported without a look at each memory.

What lies in the project, and what the user's own agents wrote down, is the user's. Anything
else is held back when it is imported, until the user trusts where it comes from: once, for
what waits and for what comes later. Trust can be taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from helix.app.context import Context
from helix.app.going_through import every_one
from helix.app.recording import record
from helix.capture import judging
from helix.capture.admission import admitted_name, cleaning, redacting
from helix.model.errors import Conflict, NotFound
from helix.model.memory import Memory, Status
from helix.model.question import Standpoint, View
from helix.ports.store import Unit
from helix.rules.foreign import comes_from, counts, held_back


@dataclass(frozen=True, slots=True)
class Trust:
    """A source of imports: whether it is trusted, and how many memories wait for that."""

    name: str
    trusted: bool
    waiting: int


@dataclass(frozen=True, slots=True)
class Decided:
    """What a decision on a source did: where it stands in the ledger, and to how many."""

    name: str
    trusted: bool
    position: int
    memories: int


class Trusting:
    """Lists sources, trusts one, takes trust back."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def sources(self) -> Sequence[Trust]:
        """Return every source that was decided on or that memories wait for, by name."""
        with self._context.store.reading() as unit:
            decided = unit.projection.trusts(self._context.realm)
            waiting = Counter(
                each.belief.suspicion.waits_for
                for each in self._mine(unit, Status.QUARANTINED)
                if each.belief.suspicion is not None and each.belief.suspicion.waits_for
            )
        names = sorted({*decided, *waiting})
        return [Trust(each, decided.get(each, False), waiting[each]) for each in names]

    def trusts(self, name: str) -> bool:
        """Return whether imports from a source count: itself, or a folder it lies in."""
        name = self._named(name)
        with self._context.store.reading() as unit:
            return counts(name, unit.projection.trusts(self._context.realm))

    def trust(self, name: str) -> Decided:
        """Let what waits for a source count, and what is imported from it later.

        Not what waits for a part of it that was distrusted by itself.
        """
        name = self._named(name)
        with self._context.store.writing() as unit:
            decided = {**unit.projection.trusts(self._context.realm), name: True}
            waiting = [
                each
                for each in self._mine(unit, Status.QUARANTINED)
                if (doubt := each.belief.suspicion) is not None
                and doubt.waits_for
                and comes_from(doubt.waits_for, name)
                and counts(doubt.waits_for, decided)
            ]
            return self._decided(unit, name, waiting, trust=True)

    def distrust(self, name: str) -> Decided:
        """Hold back again what counts only on a source's word, and what it brings later."""
        name = self._named(name)
        with self._context.store.writing() as unit:
            if not unit.projection.trusts(self._context.realm).get(name, False):
                raise NotFound(
                    f"{name} is not trusted here",
                    code="not_trusted",
                    remedy="`helix trust` lists the sources",
                )
            resting = [
                each
                for each in self._mine(unit, Status.ACTIVE, Status.ARCHIVED)
                if held_back(each.belief, name) != each.belief
            ]
            return self._decided(unit, name, resting, trust=False)

    def _named(self, name: str) -> str:
        # As an import names it: without a secret that stands in a path.
        clean = cleaning(redacting(self._context.gates))
        return admitted_name(clean(name), "a source")

    def _decided(
        self, unit: Unit, name: str, memories: Sequence[Memory], *, trust: bool
    ) -> Decided:
        context = self._context
        if trust and unit.projection.trusts(context.realm).get(name, False) and not memories:
            raise Conflict(
                f"{name} is trusted already", code="already_trusted",
                remedy="`helix trust --undo` takes trust back",
            )  # fmt: skip
        positions = tuple(sorted(each.position for each in memories))
        act = judging.trusted(name, positions, context.source, trust=trust)
        written = record(
            unit, act, context.realm, context.chance.event_id(),
            clock=context.clock, chance=context.chance,
        )  # fmt: skip
        changed = len(written.changes) - 1
        return Decided(name, trust, written.position, changed)

    def _mine(self, unit: Unit, *statuses: Status) -> Iterator[Memory]:
        """Return what stands at these statuses in exactly this realm."""
        realm = self._context.realm
        standpoint = Standpoint(View.CURRENT, self._context.clock.now())
        held = every_one(unit, realm, standpoint, statuses=statuses)
        return (each for each in held if each.realm == realm)
