"""Who may come in: checked before anything is read.

A server on this machine can be reached by every web page in the user's browser. So a
request must carry the token, must be addressed to this machine by its own name (a page
whose name was bent to point here is not), and must not come from a page of another origin.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable, MutableMapping
from typing import Any

from starlette.responses import Response

from helix.doors.resident import MOST_POSTED
from helix.doors.rest.problems import refused

LONGEST_LENGTH = 19
"""Digits of a length; thousands of them are no number to Python."""
BODY_PATIENCE = 10.0
RATE = 200.0
"""Requests a second, in the long run."""
BURST = 400.0
OPEN_PATHS = frozenset({"/healthz", "/openapi.json"})
_NAMES = ("127.0.0.1", "localhost", "[::1]")

Scope = MutableMapping[str, Any]
Headers = dict[bytes, bytes]
Receive = Callable[[], Any]
Send = Callable[[Any], Any]


class Guard:
    """An ASGI application around another that lets in only what may come in."""

    def __init__(self, inner: Any, token: str, clock: Callable[[], float] = time.monotonic) -> None:
        """Take what is guarded, and the token; an empty token lets everybody in."""
        self._inner = inner
        self._token = token.encode()
        self._clock = clock
        self._left = BURST
        self._at = clock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then pass on with the body bounded in size and time."""
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None and scope["method"] not in ("GET", "HEAD"):
            body = await _body(receive)
            if isinstance(body, Response):
                refusal = body
            else:
                receive = _replayed(body, receive)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        await self._inner(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = {name.lower(): value for name, value in scope["headers"]}
        return self._foreign(headers) or self._too_much(headers) or self._unknown(scope, headers)

    def _foreign(self, headers: Headers) -> Response | None:
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if not _is_ours(host):
            return refused(403, "foreign_host", "this server answers to this machine's name only")
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        if origin and not _is_ours(origin.partition("://")[2]):
            return refused(403, "foreign_origin", "pages of other origins are not let in")
        return None

    def _too_much(self, headers: Headers) -> Response | None:
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > LONGEST_LENGTH or int(length) > MOST_POSTED:
            return _too_large()
        if not self._may_go():
            return refused(429, "too_many", "too many requests at once", "wait a moment")
        return None

    def _unknown(self, scope: Scope, headers: Headers) -> Response | None:
        given = headers.get(b"authorization", b"")
        if scope["path"] in OPEN_PATHS or not self._token:
            return None
        if hmac.compare_digest(given, b"Bearer " + self._token):
            return None
        return refused(
            401, "wrong_token", "the token is missing or wrong",
            "send `Authorization: Bearer …`; `helix serve --status` shows where it is",
        )  # fmt: skip

    def _may_go(self) -> bool:
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._at) * RATE)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


async def _body(receive: Receive) -> bytes | Response:
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_PATIENCE):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return refused(400, "cut_short", "the request ended before its body did")
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > MOST_POSTED:
                    return _too_large()
                if not message.get("more_body"):
                    return b"".join(parts)
    except TimeoutError:
        return refused(408, "too_slow", "the body did not come in time")


def _replayed(body: bytes, receive: Receive) -> Receive:
    told = False

    async def again() -> Any:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _is_ours(authority: str) -> bool:
    return any(authority == name or authority.startswith(name + ":") for name in _NAMES)


def _too_large() -> Response:
    return refused(413, "too_large", f"a body may have {MOST_POSTED:,} bytes")
