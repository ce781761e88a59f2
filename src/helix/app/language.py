"""Which language model is used, if any: what the settings say, checked and built.

[language_model]                  # asked during sleep; without it, heuristics conclude
provider = "openai"               # or "anthropic"; openai is whatever speaks its API
url = "http://127.0.0.1:11434/v1"
model = "qwen3:8b"
key_variable = ""                 # the environment variable that holds the key
tokens_per_day = 200000
timeout = 120

[language_model.online]           # a smaller one that rates importance; same keys
"""

from __future__ import annotations

from collections.abc import Mapping

from helix.model.errors import BadInput
from helix.model.frozen import dataclass
from helix.ports.language_model import LanguageModel
from helix.rules.addresses import faults_of

PROVIDERS = ("openai", "anthropic")
TOKENS_PER_DAY = 200_000
_LONGEST_SECONDS = 1_000_000
_KNOWN = frozenset(("provider", "url", "model", "key_variable", "tokens_per_day", "timeout"))


@dataclass(frozen=True, slots=True)
class Language:
    """The model to ask and what it may cost a day; and a small one for what comes in large numbers.

    The small one rates importance. Without it, the rating at write stands.
    """

    model: LanguageModel | None = None
    tokens_per_day: int = TOKENS_PER_DAY
    online: LanguageModel | None = None
    online_tokens_per_day: int = TOKENS_PER_DAY


def faults_in(given: Mapping[str, object], what: str = "language_model") -> list[str]:
    """Return what is wrong with the settings of a language model; empty is good."""
    larger = {name: value for name, value in given.items() if name != "online"}
    online = given.get("online", {})
    faults = _faults_in_one(larger, what) if larger else []
    if not isinstance(online, Mapping):
        return [*faults, f"'{what}.online' must be a table"]
    return faults + (_faults_in_one(online, f"{what}.online") if online else [])


def _faults_in_one(given: Mapping[str, object], what: str) -> list[str]:
    faults = [f"'{what}.{name}' is not a setting" for name in sorted(given.keys() - _KNOWN)]
    if given.get("provider", PROVIDERS[0]) not in PROVIDERS:
        faults.append(f"'{what}.provider' must be one of: {', '.join(PROVIDERS)}")
    faults += [
        f"'{what}.{name}' must be text"
        for name in ("url", "model")
        if not isinstance(given.get(name), str) or not given[name]
    ]
    if not isinstance(given.get("key_variable", ""), str):
        faults.append(f"'{what}.key_variable' must be text")
    faults += faults_of(str(given.get("url", "")), what, sends_key=bool(given.get("key_variable")))
    tokens, seconds = given.get("tokens_per_day", 1), given.get("timeout", 1)
    if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
        faults.append(f"'{what}.tokens_per_day' must be a whole number")
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float)
        or not 0 < seconds <= _LONGEST_SECONDS
    ):
        faults.append(
            f"'{what}.timeout' must be a number of seconds above 0, up to {_LONGEST_SECONDS:,}"
        )
    return faults


def language_of(given: Mapping[str, object], environment: Mapping[str, str]) -> Language:
    """Return the model that the settings name, or none; raises `BadInput` on a fault in them."""
    if not given:
        return Language()
    faults = faults_in(given)
    if faults:
        raise BadInput("; ".join(faults), code="bad_settings", remedy="correct the settings file")
    online = given.get("online")
    small = online if isinstance(online, Mapping) and online else None
    larger = {name: value for name, value in given.items() if name != "online"}
    return Language(
        _built(larger, environment) if larger else None,
        _tokens(larger),
        _built(small, environment) if small else None,
        _tokens(small or {}),
    )


def _built(given: Mapping[str, object], environment: Mapping[str, str]) -> LanguageModel:
    from helix.app.wiring import chat_model  # noqa: PLC0415 - the wiring knows the adapters

    return chat_model(
        str(given.get("provider", "openai")), str(given["url"]), str(given["model"]),
        str(given.get("key_variable", "")), float(str(given.get("timeout", 120))), environment,
    )  # fmt: skip


def _tokens(given: Mapping[str, object]) -> int:
    return int(str(given.get("tokens_per_day", TOKENS_PER_DAY)))
