"""One POST over the standard library: what came back, or why nothing did.

urllib is imported by the first request and costs a fraction of what an HTTP client does.
Redirects are refused; servers on this machine are reached without any proxy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from helix.rules.addresses import is_loopback

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.error import HTTPError
    from urllib.request import OpenerDirector

LARGEST_ANSWER = 64 * 2**20
_LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Answered:
    """The server said yes, with this."""

    body: bytes


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The server said no, or nothing; `status` is None where no answer came."""

    reason: str
    status: int | None = None
    retry_after: float | None = None


def post(
    url: str, body: bytes, headers: Mapping[str, str], timeout: float
) -> Answered | Unanswered:
    """Send a body once and return what became of it. Nothing is raised for a server's faults."""
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import Request

    request = Request(url, data=body, headers=dict(headers), method="POST")
    try:
        with _opener(url).open(request, timeout=timeout) as response:
            return _read(response)
    except HTTPError as error:
        with error:
            return _refused(error)
    except URLError as error:
        return Unanswered(f"it cannot be reached: {error.reason}")
    except TimeoutError:
        return Unanswered(f"it did not answer within {timeout:g} s")
    except (HTTPException, OSError) as error:
        return Unanswered(f"it broke off: {error!r}")


def _opener(url: str) -> OpenerDirector:
    from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    if is_loopback(urlsplit(url).hostname):
        return build_opener(Stay, ProxyHandler({}))
    return build_opener(Stay)


def _read(response: HTTPResponse) -> Answered | Unanswered:
    body = response.read(LARGEST_ANSWER + 1)
    if len(body) > LARGEST_ANSWER:
        return Unanswered(f"its answer is larger than {LARGEST_ANSWER >> 20} MB", response.status)
    if response.length:  # a read with a limit does not notice what is missing
        return Unanswered(f"it broke off {response.length} bytes before the end of its answer")
    return Answered(body)


def _refused(error: HTTPError) -> Unanswered:
    said = _said(error.read(LARGEST_ANSWER))
    reason = f"it answered {error.code} {error.reason}" + (f": {said}" if said else "")
    return Unanswered(reason, error.code, _seconds(error.headers.get("Retry-After", "")))


def _said(body: bytes) -> str:
    """Return the message of an error in OpenAI's form, or nothing."""
    try:
        message = json.loads(body)["error"]
        text = message if isinstance(message, str) else message["message"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""
    return " ".join(str(text).split())[:_LONGEST_REASON]


def _seconds(text: str) -> float | None:
    try:
        return max(float(text), 0.0)
    except ValueError:
        return None
