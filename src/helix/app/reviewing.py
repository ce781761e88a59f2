"""Reviewing: what waits for a person's eye, and the person's word on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from helix.app.bounds import bounded
from helix.app.context import Context
from helix.app.recording import record
from helix.capture import acting, judging
from helix.capture.admission import readable
from helix.model.act import Act
from helix.model.edge import CONTRADICTS
from helix.model.errors import unknown_memory
from helix.model.experience import Statement
from helix.model.memory import Memory, Status
from helix.model.outcome import Kept
from helix.model.question import Standpoint, View
from helix.model.types import EPISODE
from helix.ports.store import Unit
from helix.rules.naming import fingerprint
from helix.rules.tombs import tomb

LOOKED_THROUGH = 10_000
"""Memories in which doubted and contradicting ones are looked for, newest first."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A memory that waits for review: why, and what it contradicts, if that is why."""

    memory: Memory
    why: str
    reasons: tuple[str, ...]
    contradicts: tuple[str, ...] = ()


class Reviewing:
    """Lists what waits, approves it, turns it away, or puts other words in its place."""

    def __init__(self, context: Context) -> None:
        """Take what the facade works with."""
        self._context = context

    def waiting(self, limit: int = 50) -> Sequence[Waiting]:
        """Return what waits: held back first, then contradictions, then what is in doubt."""
        with self._context.store.reading() as unit:
            held = [
                Waiting(each, "held", _reasons(each))
                for each in self._listed(unit, [Status.QUARANTINED], bounded(limit))
            ]
            others = self._listed(unit, [Status.ACTIVE], LOOKED_THROUGH)
            contradicting = [
                Waiting(each, "contradicts", _reasons(each), against)
                for each in others
                if each.type != EPISODE and (against := self._against(unit, each))
            ]
            shown = {each.memory.id for each in contradicting}
            doubted = [
                Waiting(each, "in doubt", _reasons(each))
                for each in others
                if each.belief.suspicion is not None and each.id not in shown
            ]
        return [*held, *contradicting, *doubted][:limit]

    def approve(self, memory_id: str) -> Kept:
        """Vouch for a memory that was held back or in doubt: it counts from now on."""

        def judge(unit: Unit, memory: Memory) -> Act:
            alike = None
            if memory.fingerprint:
                alike = unit.projection.alike(memory.realm, memory.fingerprint)
            return judging.approved(memory, self._context.source, alike)

        return self._judged(memory_id, judge)

    def reject(self, memory_id: str, reason: str = "") -> Kept:
        """Turn a memory away; the same words are not taken in again from an agent."""

        def judge(unit: Unit, memory: Memory) -> Act:
            first = unit.ledger.at(memory.realm.tenant, 1)
            assert first is not None  # the memory itself stands in the ledger
            grave = tomb(first.seal, memory.content)
            return judging.rejected(memory, self._context.source, grave, reason)

        return self._judged(memory_id, judge)

    def edit(self, memory_id: str, content: str) -> Kept:
        """Turn a memory away and hold other words in its place, on the user's word."""
        context = self._context
        with context.store.writing() as unit:
            old = self._visible(unit, memory_id)
            first = unit.ledger.at(old.realm.tenant, 1)
            assert first is not None  # the memory itself stands in the ledger
            act = judging.rejected(old, context.source, tomb(first.seal, old.content), "edited")
            said = Statement(
                content=content,
                source=context.source,
                type="fact" if old.type == EPISODE else old.type,
                attributes=old.attributes,
            )
            new = acting.asserted(
                said,
                context.schema,
                lambda name: unit.projection.taken(context.realm.tenant, name),
                context.gates,
            )
            alike = unit.projection.alike(old.realm, fingerprint(new.type, new.content))
            if alike is not None:
                raise judging.already_held(old, alike)
            self._record(unit, act, old)
            return self._record(unit, new, old)

    def _judged(self, memory_id: str, judge: Callable[[Unit, Memory], Act]) -> Kept:
        with self._context.store.writing() as unit:
            memory = self._visible(unit, memory_id)
            return self._record(unit, judge(unit, memory), memory)

    def _record(self, unit: Unit, act: Act, memory: Memory) -> Kept:
        context = self._context
        written = record(
            unit, act, memory.realm, context.chance.event_id(),
            clock=context.clock, chance=context.chance,
        )  # fmt: skip
        return Kept(written.memory, written.position)

    def _visible(self, unit: Unit, memory_id: str) -> Memory:
        memory = unit.projection.memory(self._context.realm, readable(memory_id))
        if memory is None:
            raise unknown_memory(memory_id, self._context.realm.scope)
        return memory

    def _listed(self, unit: Unit, statuses: list[Status], limit: int) -> Sequence[Memory]:
        standpoint = Standpoint(View.CURRENT, self._context.clock.now())
        return unit.projection.listing(
            self._context.realm, standpoint, limit=limit, statuses=statuses
        )

    def _against(self, unit: Unit, memory: Memory) -> tuple[str, ...]:
        edges = unit.projection.neighbours(self._context.realm, memory.id, relations=[CONTRADICTS])
        return tuple(each.to_id for each in edges if each.from_id == memory.id)


def _reasons(memory: Memory) -> tuple[str, ...]:
    doubt = memory.belief.suspicion
    return doubt.reasons if doubt else ()
