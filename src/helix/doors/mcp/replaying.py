"""Streams for a client that was greeted already: its greeting again, its answer kept back."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

Reading = Any  # a stream of the SDK's, of a kind that it does not name in public
Writing = Any


class Before:
    """Stands before a stream, is used as that one is, and closes it."""

    def __init__(self, rest: Reading | Writing) -> None:
        self._rest = rest

    async def aclose(self) -> None:
        """Close the stream behind it."""
        await self._rest.aclose()

    def __aiter__(self) -> Self:
        """Read to the end."""
        return self

    async def __aenter__(self) -> Self:
        """Use it as the stream behind it is used."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        await self.aclose()


class Replayed(Before):
    """Reads a line that was read before, and then what follows."""

    def __init__(self, line: bytes, rest: Reading) -> None:
        """Take the line, which may be none, and the stream behind it."""
        super().__init__(rest)
        self._first = message_of(line) if line.strip() else None
        self.last_context: object = None

    @property
    def number(self) -> object:
        """The id of the request on that line, if it is one."""
        first = self._first
        return getattr(first.message, "id", None) if isinstance(first, SessionMessage) else None

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message, or what is wrong with it."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        told: SessionMessage | Exception = await self._rest.receive()
        self.last_context = self._rest.last_context
        return told

    async def __anext__(self) -> SessionMessage | Exception:
        """Return the next message, or end."""
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class KeptBack(Before):
    """Passes everything on but the one answer that the client has."""

    def __init__(self, number: object, rest: Writing) -> None:
        """Take the id of what is answered, and where everything else goes."""
        super().__init__(rest)
        self._number: object = number
        self._waits = True

    async def send(self, item: SessionMessage) -> None:
        """Pass a message on; should the SDK have refused the greeting, the client hears it."""
        message = item.message
        if (
            self._waits
            and isinstance(message, types.JSONRPCResponse)
            and message.id == self._number
        ):
            self._waits = False
            return
        await self._rest.send(item)


def message_of(line: bytes) -> SessionMessage | Exception:
    """Return a line as the SDK's own transport would."""
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error
