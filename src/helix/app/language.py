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
from helix.rules.addresses import carries_openly, holds_password, is_address

PROVIDERS = ("openai", "anthropic")
TOKENS_PER_DAY = 200_000
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
    if not given:
        return []
    plain = {name: value for name, value in given.items() if name != "online"}
    if not plain and isinstance(given.get("online"), Mapping):
        return faults_in(given["online"], f"{what}.online")  # type: ignore[arg-type]
    faults = [f"'{what}.{name}' is not a setting" for name in sorted(plain.keys() - _KNOWN)]
    if plain.get("provider", "openai") not in PROVIDERS:
        faults.append(f"'{what}.provider' must be one of: {', '.join(PROVIDERS)}")
    faults += [
        f"'{what}.{name}' must be text"
        for name in ("url", "model")
        if not isinstance(plain.get(name), str) or not plain[name]
    ]
    faults += _faults_in_address(str(plain.get("url", "")), plain.get("key_variable"), what)
    for name in ("tokens_per_day", "timeout"):
        value = plain.get(name, 1)
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            faults.append(f"'{what}.{name}' must be a number")
    online = given.get("online", {})
    if not isinstance(online, Mapping):
        return [*faults, f"'{what}.online' must be a table"]
    return faults + faults_in(online, f"{what}.online")


def _faults_in_address(url: str, key_variable: object, what: str) -> list[str]:
    # None of these repeats the address: it may hold a password.
    if holds_password(url):
        return [f"'{what}.url' holds a password; name its variable as '{what}.key_variable'"]
    if not is_address(url):
        return [f"'{what}.url' must begin with http:// or https:// and name a server"]
    if key_variable and carries_openly(url):
        return [f"'{what}.url' would be sent the key unencrypted; it must begin with https://"]
    return []


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
