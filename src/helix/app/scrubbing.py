"""Scrubbing: looking again for secrets that an older version let in, and taking them out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from helix.app.context import Context
from helix.app.erasing import Erasing, Receipt
from helix.capture.admission import cleaning
from helix.ledger.workflow import tell
from helix.model import act as acts
from helix.model.memory import Memory, Status
from helix.model.types import EPISODE

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Leak:
    """A memory that holds a secret: where it stands, and its text as it ought to be."""

    memory: Memory
    redacted: str


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """How many memories held a secret, and the receipts of taking them out."""

    looked_at: int
    leaks: tuple[Leak, ...]
    receipts: tuple[Receipt, ...]


class Scrubbing:
    """Reads everything of the owner's again with today's rules."""

    def __init__(self, context: Context, erasing: Erasing) -> None:
        """Take what the facade works with, and what destroys."""
        self._context = context
        self._erasing = erasing

    def look(self, progress: Progress = lambda _: None) -> tuple[int, tuple[Leak, ...]]:
        """Return how many records were read, and which memories of theirs hold a secret."""
        clean = cleaning(self._context.gates)
        realm = self._context.realm
        leaks, read = [], 0
        with self._context.store.reading() as unit:
            for told in tell(unit.ledger, realm.tenant):
                read += 1
                progress(1)
                if told.record.realm.owner != realm.owner or told.act is None:
                    continue
                content = _content(told.act)
                if content and (better := clean(content)) != content:
                    held = unit.projection.born_at(realm.tenant, told.record.position)
                    if held is not None:
                        leaks.append(Leak(held, better))
        return read, tuple(leaks)

    def scrub(self, progress: Progress = lambda _: None) -> Scrubbed:
        """Say each leaking memory anew without its secret, and destroy the old record."""
        read, leaks = self.look(progress)
        receipts = []
        for leak in leaks:
            act = self._again(leak)
            receipts.append(self._erasing.replaced(leak.memory, act))
        return Scrubbed(read, leaks, tuple(receipts))

    def _again(self, leak: Leak) -> acts.Captured | acts.Asserted | None:
        memory = leak.memory
        if memory.status is not Status.ACTIVE:
            return None
        source = memory.belief.provenance[0].source
        if memory.type == EPISODE and memory.circumstances is not None:
            again = replace(memory.circumstances, event_id=self._context.chance.event_id())
            return acts.Captured(
                content=leak.redacted,
                source=source,
                circumstances=again,
                importance_base=memory.importance_base,
                importance_hint=memory.importance_hint,
                occurred_at=memory.event_time.start if memory.event_time else memory.recorded_at,
                attributes=memory.attributes,
                suspicion=memory.belief.suspicion,
            )
        return acts.Asserted(
            memory_id=f"mem_redacted_{memory.fingerprint[:8]}",
            type=memory.type,
            shape=memory.shape.value,
            content=leak.redacted,
            source=source,
            importance_base=memory.importance_base,
            importance_hint=memory.importance_hint,
            confidence=memory.belief.confidence,
            valid_from=memory.belief.valid_from,
            valid_to=memory.belief.valid_to,
            expires_at=memory.expires_at,
            event_time=memory.event_time,
            attributes=memory.attributes,
            suspicion=memory.belief.suspicion,
        )


def _content(act: acts.Act) -> str:
    match act:
        case acts.Captured(content=content) | acts.Asserted(content=content):
            return content
        case _:
            statement = getattr(act, "by", None)
            return statement.content if isinstance(statement, acts.Asserted) else ""
