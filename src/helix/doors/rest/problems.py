"""Errors as HTTP tells them: RFC 9457 problems, with Helix's own code and remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from starlette.responses import JSONResponse, Response

from helix.doors.documents import as_json
from helix.doors.error_mapping import Fault, fault_of
from helix.model import errors
from helix.ports.embedder import EmbedderUnavailable
from helix.ports.language_model import ModelUnavailable
from helix.ports.reranker import RerankerUnavailable

STATUSES = {
    errors.BadInput.family: 400,
    errors.NotFound.family: 404,
    errors.Conflict.family: 409,
    errors.StoreUnavailable.family: 503,
    EmbedderUnavailable.family: 503,
    ModelUnavailable.family: 503,
    RerankerUnavailable.family: 503,
    errors.IntegrityBroken.family: 500,
}
PROBLEM = "application/problem+json"


class Json(JSONResponse):
    """A document in which no letter steers the terminal of whoever looks at it."""

    def render(self, content: object) -> bytes:
        """Return the bytes of the body."""
        return as_json(cast("Mapping[str, object]", content))


def problem(error: Exception) -> Response:
    """Return an error as a problem; what was unexpected is not told in detail."""
    fault = fault_of(error)
    return told(fault, STATUSES.get(fault.family, 500))


def refused(status: int, code: str, message: str, remedy: str = "") -> Response:
    """Return a refusal of the door itself."""
    return told(Fault(code, "refused", message, remedy), status)


def told(fault: Fault, status: int) -> Response:
    """Return a fault with a status."""
    document = {
        "type": f"urn:helix:{fault.code}",
        "title": fault.message,
        "status": status,
        "code": fault.code,
        "family": fault.family,
        "remedy": fault.remedy,
    }
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}  # noqa: PLR2004
    if status in (429, 503):
        headers["Retry-After"] = "1"
    return Json(document, status, headers, media_type=PROBLEM)
