r"""Messages the SDK cannot read: mended where they can be, and otherwise answered, never dropped.

Half an emoji is the usual one: a client cuts a text by length, and JSON lets the half stand as
an escape (`\ud83d`) that is no letter. Whoever asked would wait for an answer for ever.
"""

from __future__ import annotations

import json
import re
from typing import Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage
from pydantic_core import ValidationError

from helix.doors.mcp.replaying import Before, Reading, Writing, message_of

_HALF = re.compile("[\ud800-\udfff]")
_UNREADABLE = "it is not JSON; send one message a line"
_NO_REQUEST = "it is JSON and no request; its parameters must be an object"


class Mended(Before):
    """Reads a stream, mends what it can, and answers what nobody could read."""

    def __init__(self, rest: Reading, answers: Writing) -> None:
        """Take the stream behind it, and where answers go."""
        super().__init__(rest)
        self._answers = answers

    @property
    def last_context(self) -> object:
        """What the stream behind it last told of the sender."""
        return self._rest.last_context

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message that can be read."""
        while True:
            told: SessionMessage | Exception = await self._rest.receive()
            if not isinstance(told, ValidationError):
                return told
            found = mended(told)
            if isinstance(found, SessionMessage):
                return found
            if found is not None:
                await self._answers.send(SessionMessage(found))

    async def __anext__(self) -> SessionMessage | Exception:
        """Return the next message, or end."""
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


def mended(error: ValidationError) -> SessionMessage | types.JSONRPCError | None:
    """Return what a line that failed was meant to be, or what to answer; None: nothing."""
    given = [each["input"] for each in error.errors(include_url=False)]
    line = next((each for each in given if isinstance(each, str)), None)
    if line is not None and error.errors()[0]["type"] == "json_invalid":
        if not line.strip():
            return None
        whole = _whole(line)
        return _refused(None, types.PARSE_ERROR, _UNREADABLE) if whole is None else whole
    request = next((each for each in given if isinstance(each, dict) and "jsonrpc" in each), {})
    if "method" in request and "id" not in request:
        return None  # a notification, to which nobody waits for an answer
    number = request.get("id")
    known = number if isinstance(number, (str, int)) and not isinstance(number, bool) else None
    return _refused(known, types.INVALID_REQUEST, _NO_REQUEST)


def _whole(line: str) -> SessionMessage | None:
    """Return the message on a line once its half letters are replaced, or None."""
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
    except (ValueError, RecursionError):
        return None
    read = message_of(_HALF.sub("\ufffd", text).encode())
    return read if isinstance(read, SessionMessage) else None


def _refused(number: Any, code: int, why: str) -> types.JSONRPCError:
    return types.JSONRPCError(
        jsonrpc="2.0", id=number, error=types.ErrorData(code=code, message=why)
    )
