"""A server that embeds: OpenAI's API, or anything that speaks it (Ollama, llama.cpp, vLLM …).

Only used when the user named its address. Texts leave this machine then, unless the address
is its own, and always without their secrets, however old the memory and whoever asks.
Redirects are not followed, so neither texts nor the key go where nobody sent them; the key is
read from an environment variable when it is needed and never shown.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from helix.adapters.models.http_posting import Answered, Unanswered, post
from helix.adapters.models.keys import address_of, key_for
from helix.adapters.models.reading import readable
from helix.model.errors import BadInput
from helix.ports.embedder import (
    Embedder,
    EmbedderUnavailable,
    EmbedderUnreachable,
    WholeTexts,
)
from helix.rules.addresses import is_loopback
from helix.rules.secrets.redacting import redacted

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

TEXTS_PER_REQUEST = 64
LETTERS = 8_000
"""Some 2,000 tokens: most models read less, none refuses it for its size."""
ATTEMPTS = 3
TIMEOUT = 30.0
QUESTION_TIMEOUT = 3.0
"""Time for a small model to be loaded; and a command that handed its question over waits 5 s."""
_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 10.0
_MAY_PASS = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses that may be different a moment later."""
_PROBE = "dimension"


@dataclass(frozen=True, slots=True)
class Server:
    """Where it is, what it runs, and which environment variable holds its key, if any."""

    url: str
    model: str
    key_variable: str = ""
    dimension: int = 0
    """The length of its vectors; 0 asks the server."""
    timeout: float = TIMEOUT
    """Seconds without a byte before an attempt counts as failed."""
    question_timeout: float = QUESTION_TIMEOUT
    """The same where somebody waits for an answer."""


class OpenAICompatible(WholeTexts):
    """An embedder over POST {url}/embeddings."""

    at_hand = False
    """A server may count, cost or be far away; what is asked once is not asked again."""

    def __init__(
        self,
        server: Server,
        environment: Mapping[str, str],
        nap: Callable[[float], None] = time.sleep,
        clean: Callable[[str], str] = redacted,
    ) -> None:
        self.name = f"openai:{server.model}@{_address(server)}"
        self.cost = _cost(server)
        self._server = server
        self._environment = environment
        self._nap = nap
        self._clean = clean
        self._dimension = server.dimension
        self._lock = Lock()

    @property
    def dimension(self) -> int:
        """The length of each vector: as configured, else as the server's first answer shows."""
        return self._shown_dimension(waits=True)

    def embed(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        """Return one row per text; see the port. Blank texts are not sent."""
        return self.embedded(texts, progress)

    def for_a_question(self) -> Embedder:
        """Return it with little patience and a memory; see the port."""
        return _ForAQuestion(self)

    def embedded(
        self,
        texts: Sequence[str],
        progress: Callable[[int], None] | None = None,
        *,
        waits: bool = True,
    ) -> npt.NDArray[np.float32]:
        """Embed; unless it `waits`, where no answer comes one attempt and a short time do."""
        import numpy as np

        # Cleaned whole, then cut: half a secret could no longer be told.
        sent = [readable(self._clean(text), LETTERS) for text in texts]
        places = [place for place, text in enumerate(sent) if text]
        found: dict[int, list[float]] = {}
        for some in _slices(places):
            vectors = self._ask([sent[place] for place in some], waits=waits)
            found.update(zip(some, vectors, strict=True))
            if progress:
                progress(some[-1] + 1)
        dimension = self._shown_dimension(waits=waits) if texts else self._dimension
        rows = np.zeros((len(texts), dimension), np.float32)
        for place, vector in found.items():
            rows[place] = vector
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)

    def _shown_dimension(self, *, waits: bool) -> int:
        if not self._dimension:
            self.embedded([_PROBE], waits=waits)
        return self._dimension

    def _ask(self, texts: list[str], *, waits: bool) -> list[list[float]]:
        key = self._key()
        body = json.dumps({"model": self._server.model, "input": texts}).encode()
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        url = f"{self._server.url.rstrip('/')}/embeddings"
        timeout = self._server.timeout if waits else self._server.question_timeout
        for attempt in range(1, ATTEMPTS + 1):
            answer = post(url, body, headers, timeout)
            if isinstance(answer, Answered):
                return self._vectors(answer.body, len(texts))
            gone = answer.status is None
            if attempt == ATTEMPTS or not _may_pass(answer) or (gone and not waits):
                kind = EmbedderUnreachable if gone else EmbedderUnavailable
                reason = _hidden(answer.reason, key)
                raise self._unavailable(reason, _remedy(answer.status), kind=kind)
            self._nap(_pause(answer, attempt))
        raise AssertionError("the last attempt returns or raises")

    def _vectors(self, body: bytes, count: int) -> list[list[float]]:
        try:
            data = sorted(json.loads(body)["data"], key=lambda item: item["index"])
            vectors = [[float(number) for number in item["embedding"]] for item in data]
        except (ValueError, TypeError, KeyError, ArithmeticError, RecursionError) as error:
            raise self._unavailable(f"its answer cannot be read ({error!r})") from error
        if len(vectors) != count:
            raise self._unavailable(f"it answered {count} texts with {len(vectors)} vectors")
        if not all(math.isfinite(number) for vector in vectors for number in vector):
            raise self._unavailable("its vectors hold numbers that are none")
        self._expect({len(vector) for vector in vectors})
        return vectors

    def _expect(self, dimensions: set[int]) -> None:
        with self._lock:
            if not self._dimension and len(dimensions) == 1:
                self._dimension = next(iter(dimensions))
            if dimensions != {self._dimension} or not self._dimension:
                raise self._unavailable(
                    f"its vectors have {sorted(dimensions)} numbers, not {self._dimension}",
                    "another model answers there: check `model` and `dimension` in the settings",
                    code="embedder_dimension",
                )

    def _key(self) -> str:
        given = key_for(self._server.url, self._server.key_variable, self._environment)
        if given.fault:
            raise BadInput(given.fault, code="embedder_key", remedy=given.remedy)
        return given.key

    def _unavailable(
        self,
        reason: str,
        remedy: str = "",
        *,
        code: str = "embedder_server",
        kind: type[EmbedderUnavailable] = EmbedderUnavailable,
    ) -> EmbedderUnavailable:
        return kind(
            f"{self.name}: {reason}",
            code=code,
            remedy=remedy or "check that the server is up and that its address is right",
        )


class _ForAQuestion(WholeTexts):
    """The same server for one question: what became of a text is remembered."""

    at_hand = False

    def __init__(self, server: OpenAICompatible) -> None:
        self.name, self.cost = server.name, server.cost
        self._server = server
        self._made: dict[tuple[str, ...], npt.NDArray[np.float32]] = {}
        self._away: EmbedderUnreachable | None = None

    @property
    def dimension(self) -> int:
        return self._server.dimension

    def embed(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> npt.NDArray[np.float32]:
        """See the port. Whoever waits for one server does not wait for it twice."""
        asked = tuple(texts)
        if asked in self._made:
            return self._made[asked]
        if self._away is not None:
            raise self._away
        try:
            self._made[asked] = self._server.embedded(texts, progress, waits=False)
        except EmbedderUnreachable as away:
            self._away = away
            raise
        return self._made[asked]


def _slices(places: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(places), TEXTS_PER_REQUEST):
        yield places[start : start + TEXTS_PER_REQUEST]


def _address(server: Server) -> str:
    return address_of(server.url, code="embedder_url")


def _cost(server: Server) -> str:
    parts = urlsplit(server.url)
    if is_loopback(parts.hostname):
        return "by a server on this machine"
    return f"texts are sent to {parts.hostname}, which may charge for each token"


def _may_pass(answer: Unanswered) -> bool:
    return answer.status is None or answer.status in _MAY_PASS


def _pause(answer: Unanswered, attempt: int) -> float:
    asked = answer.retry_after or _PAUSE_SECONDS * 2 ** (attempt - 1)
    return min(asked, _LONGEST_PAUSE_SECONDS)


def _remedy(status: int | None) -> str:
    match status:
        case 401 | 403:
            return "check the key in the environment variable that `key_variable` names"
        case 404:
            return "check the address and the model's name in the settings"
        case _:
            return ""


def _hidden(reason: str, key: str) -> str:
    return reason.replace(key, "***") if key else reason
