"""The language model: optional, asked in the background, trusted only as far as its grounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from helix.model.errors import HelixError
from helix.model.frozen import dataclass


class ModelUnavailable(HelixError):
    """The model gave no usable reply: not reachable, refused, broken off, or over its budget.

    A failed attempt, never an empty success: whatever was asked is asked again later.
    """

    family = "model_unavailable"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request: what the model is to do, the material as data, and the form of the reply.

    `schema` is a JSON schema; servers that can, enforce it. The reply is checked in any case.
    """

    instructions: str
    material: str
    schema: Mapping[str, object]
    most_tokens: int = 2_000


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back, and what it cost in tokens as the server counts them."""

    text: str
    tokens: int


class LanguageModel(Protocol):
    """Asks a model once. Any number of threads may use one at once."""

    @property
    def name(self) -> str:
        """Name the model and where it runs; replies are kept under this name."""
        ...

    def reply(self, asked: Asked) -> Reply:
        """Return the model's reply; raises `ModelUnavailable` if there is none."""
        ...
