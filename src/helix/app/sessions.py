"""A session as its holder sees it: begin, capture, end."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from helix.app.context import Context
from helix.app.recording import record
from helix.model.act import Act, SessionEnded, SessionStarted
from helix.model.note import Noted
from helix.model.outcome import Joined, Kept, Skipped

if TYPE_CHECKING:
    from helix.app.facade import Helix


class SessionHandle:
    """One session of an agent's work. `with memory.session() as session: session.capture(…)`."""

    def __init__(self, context: Context, session_id: str, memory: Helix) -> None:
        """Take the memory in which the session happens."""
        self._context = context
        self._memory = memory
        self.id = session_id

    def start(self) -> int:
        """Write down that the session began; return the ledger position."""
        return self._write(SessionStarted(self.id, self._context.source))

    def end(self) -> int:
        """Write down that the session ended; return the ledger position.

        Notes that are past their age go into the record before it.
        """
        self._memory.scratch.settle()
        return self._write(SessionEnded(self.id, self._context.source))

    def note(self, content: str, **circumstances: Any) -> Noted | Kept | Joined | Skipped:
        """Write a note of this session on the scratchpad; see `Scratching.add`."""
        return self._memory.scratch.add(content, session=self.id, **circumstances)

    def capture(self, content: str, **circumstances: Any) -> Kept | Joined | Skipped:
        """Write down something that happened in this session; see `Helix.capture`."""
        return self._memory.capture(content, session=self.id, **circumstances)

    def __enter__(self) -> Self:
        """Begin."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End, whatever happened inside."""
        self.end()

    def _write(self, act: Act) -> int:
        context = self._context
        with context.store.writing() as unit:
            return record(
                unit, act, context.realm, context.chance.event_id(),
                clock=context.clock, chance=context.chance,
            ).position  # fmt: skip
