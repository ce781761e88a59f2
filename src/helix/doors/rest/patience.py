"""How long a connection is kept on which no whole request arrives."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_PATIENCE = 10.0


class Impatient(H11Protocol):
    """Closes a connection on which no whole request arrives, the first or a later one."""

    patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._heed()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._heed()

    def connection_lost(self, exc: Exception | None) -> None:
        self._calm()
        super().connection_lost(exc)

    def _heed(self) -> None:
        """Begin to wait for a whole request, or stop once one is under way.

        uvicorn waits for the next one only until its first byte. Further bytes do not
        begin the wait anew: one every few seconds would make it last for ever.
        """
        if self._answers():
            self._calm()
        elif self.patience is None:
            self.patience = self.loop.call_later(HEADER_PATIENCE, self._give_up)

    def _answers(self) -> bool:
        cycle: Any = self.cycle  # made with the first whole request
        return cycle is not None and not cycle.response_complete

    def _give_up(self) -> None:
        self.patience = None
        if not self._answers() and not self.transport.is_closing():
            self.transport.close()

    def _calm(self) -> None:
        if self.patience is not None:
            self.patience.cancel()
            self.patience = None
