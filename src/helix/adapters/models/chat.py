"""Language models over HTTP: OpenAI's chat API and whatever speaks it, and Anthropic's.

Only used when the user named an address and a model. Texts leave this machine then, unless
the address is its own. Redirects are not followed; the key is read from an environment
variable when it is needed and never shown.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from helix.adapters.models.http_posting import Answered, Unanswered, post
from helix.adapters.models.keys import address_of, key_for
from helix.ports.language_model import Asked, ModelUnavailable, Reply

ATTEMPTS = 3
_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 10.0
_MAY_PASS = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_ANTHROPIC_VERSION = "2023-06-01"
_TOOL = "conclude"
_NO_REPLY = (
    LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError,
)  # fmt: skip
"""What reading a document raises that is not what was expected."""


@dataclass(frozen=True, slots=True)
class ChatServer:
    """Where a model is, what it is called, and which environment variable holds its key."""

    url: str
    model: str
    key_variable: str = ""
    timeout: float = 120.0
    """Seconds without a byte before an attempt counts as failed."""


class _OverHttp:
    """What both ways of asking share: keys, attempts, errors."""

    path = ""
    family = ""

    def __init__(
        self,
        server: ChatServer,
        environment: Mapping[str, str],
        nap: Callable[[float], None] = time.sleep,
    ) -> None:
        address_of(server.url, code="model_url")
        self.name = f"{self.family}:{server.model}@{urlsplit(server.url).netloc}"
        self._server = server
        self._environment = environment
        self._nap = nap

    def reply(self, asked: Asked) -> Reply:
        """See `LanguageModel.reply`."""
        body = json.dumps(self._body(asked)).encode()
        headers = {"Content-Type": "application/json", **self._headers(self._key())}
        url = self._server.url.rstrip("/") + self.path
        for attempt in range(1, ATTEMPTS + 1):
            answer = post(url, body, headers, self._server.timeout)
            if isinstance(answer, Answered):
                return self._read(answer.body)
            passes = answer.status is None or answer.status in _MAY_PASS
            if not passes or attempt == ATTEMPTS:
                raise self._unavailable(answer)
            pause = answer.retry_after or _PAUSE_SECONDS * 2 ** (attempt - 1)
            self._nap(min(pause, _LONGEST_PAUSE_SECONDS))
        raise AssertionError  # the last attempt returns or raises

    def _read(self, body: bytes) -> Reply:
        try:
            return self._reply(json.loads(body))
        except _NO_REPLY as error:
            raise ModelUnavailable(
                f"{self.name} sent something that is no chat reply: {error!r}",
                code="reply_unreadable",
                remedy="check that the address is that of a chat API",
            ) from error

    def _key(self) -> str:
        given = key_for(self._server.url, self._server.key_variable, self._environment)
        if given.fault:
            raise ModelUnavailable(given.fault, code="no_key", remedy=given.remedy)
        return given.key

    def _unavailable(self, answer: Unanswered) -> ModelUnavailable:
        reason = answer.reason
        if self._server.key_variable:
            key = self._environment.get(self._server.key_variable, "")
            reason = reason.replace(key, "***") if key else reason
        return ModelUnavailable(
            f"{self.name}: {reason}",
            code="model_failed",
            remedy="nothing is lost: it is asked again later; heuristics go on meanwhile",
        )

    def _body(self, asked: Asked) -> dict[str, object]:
        raise NotImplementedError

    def _headers(self, key: str) -> dict[str, str]:
        raise NotImplementedError

    def _reply(self, document: Any) -> Reply:
        raise NotImplementedError


class OpenAIChat(_OverHttp):
    """POST {url}/chat/completions, with a JSON schema for the reply."""

    path = "/chat/completions"
    family = "openai"

    def _body(self, asked: Asked) -> dict[str, object]:
        return {
            "model": self._server.model,
            "messages": [
                {"role": "system", "content": asked.instructions},
                {"role": "user", "content": asked.material},
            ],
            "max_tokens": asked.most_tokens,
            "temperature": 0,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": _TOOL, "strict": True, "schema": asked.schema},
            },
        }

    def _headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _reply(self, document: Any) -> Reply:
        text = document["choices"][0]["message"]["content"]
        tokens = (document.get("usage") or {}).get("total_tokens") or 0
        if not isinstance(text, str):
            raise TypeError("the reply holds no text")
        return Reply(text, int(tokens))


class AnthropicChat(_OverHttp):
    """POST {url}/v1/messages; the reply comes as the input of a tool, so that it has a schema."""

    path = "/v1/messages"
    family = "anthropic"

    def _body(self, asked: Asked) -> dict[str, object]:
        tool = {
            "name": _TOOL,
            "description": "Write down what was concluded.",
            "input_schema": asked.schema,
        }
        return {
            "model": self._server.model,
            "system": asked.instructions,
            "messages": [{"role": "user", "content": asked.material}],
            "max_tokens": asked.most_tokens,
            "temperature": 0,
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": _TOOL},
        }

    def _headers(self, key: str) -> dict[str, str]:
        return {"x-api-key": key, "anthropic-version": _ANTHROPIC_VERSION}

    def _reply(self, document: Any) -> Reply:
        used = [each for each in document["content"] if each.get("type") == "tool_use"]
        usage = document.get("usage") or {}
        tokens = int(usage.get("input_tokens") or 0) + int(usage.get("output_tokens") or 0)
        if used:
            return Reply(json.dumps(used[0]["input"], ensure_ascii=False), tokens)
        return Reply("".join(each["text"] for each in document["content"]), tokens)
