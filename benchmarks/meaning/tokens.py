"""Exact tokens, each written down once: what a coding agent looks up again letter by letter."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Mapping
from typing import NamedTuple

QUESTIONS = ("{}", "what happened with {}?")
"""How a token is asked for: by itself, and inside a sentence."""


class Planted(NamedTuple):
    """One token, what kind it is, and a sentence that holds it."""

    kind: str
    token: str
    sentence: str


def planted(seed: int, number: int) -> Planted:
    """Return the token of a number: no other number has it, and no other text holds it."""
    chance = random.Random(f"{seed}/token/{number}")
    kind = list(_KINDS)[number % len(_KINDS)]
    token = _KINDS[kind](chance, number)
    return Planted(kind, token, _SENTENCES[kind].format(token))


def _error_code(chance: random.Random, number: int) -> str:
    return f"PG{chance.randrange(100, 1000)}-{10_000 + number}"


def _path(chance: random.Random, number: int) -> str:
    word = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6))
    return f"src/cache/worker/{word}_{number}.py"


def _commit(chance: random.Random, _number: int) -> str:
    return f"{chance.getrandbits(160):040x}"


def _uuid(chance: random.Random, _number: int) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def _version(chance: random.Random, number: int) -> str:
    # Other texts hold versions below 20.20.20, and these numbers one by one everywhere.
    return f"{chance.randrange(20, 90)}.{number}.{chance.randrange(20)}"


_KINDS: Mapping[str, Callable[[random.Random, int], str]] = {
    "error code": _error_code, "path": _path, "commit": _commit, "uuid": _uuid,
    "version": _version,
}  # fmt: skip
_SENTENCES = {
    "error code": "The build stopped with {} and a retry did not help.",
    "path": "The test that hangs lives in {} and nobody owns it.",
    "commit": "Bisecting ended at commit {}, before the cache moved.",
    "uuid": "The request {} was answered twice by the gateway.",
    "version": "The service went back to version {} after the release.",
}
