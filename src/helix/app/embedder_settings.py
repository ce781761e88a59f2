"""The `[embedder]` table of the settings: what finds by meaning, and where it is.

[embedder]
model = "minilm-l6-int8"        # or minilm-l6-fp32, static-256, none, openai:<model>
threads = 2                     # texts embedded at once
url = "http://localhost:11434/v1"       # these for openai:<model> only
key_variable = "OPENAI_API_KEY"
dimension = 768
timeout = 30                    # seconds; where it is not set, a question waits for 3
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from helix.model.frozen import dataclass

NONE = "none"
SERVED = "openai:"
LOCAL = ("minilm-l6-int8", "minilm-l6-fp32", "static-256")
"""Those that can be built. Their recipes are not asked: hooks read the settings in a hurry."""
_KNOWN = {"model", "threads", "url", "key_variable", "dimension", "timeout"}
_MOST = 1_000_000
"""Threads, numbers of a vector or seconds: beyond that, nobody means it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user chose; an empty `model` takes the best one that is installed."""

    model: str = ""
    threads: int = 0
    url: str = ""
    key_variable: str = ""
    dimension: int = 0
    timeout: float = 0.0
    """Seconds without a byte from a server; 0 is as the adapter thinks right."""
    people: bool = False
    """Whether data about people is taken out of what is sent to a server, as secrets are."""


BEST = Choice()


def choice_of(table: Mapping[str, object]) -> tuple[Choice, Sequence[str]]:
    """Return the choice in a settings table, and every fault of the table."""
    faults = [f"'embedder.{name}' is not a setting" for name in sorted(table.keys() - _KNOWN)]
    chosen = Choice(
        model=_text(table, "model", faults),
        threads=_count(table, "threads", faults),
        url=_text(table, "url", faults),
        key_variable=_text(table, "key_variable", faults),
        dimension=_count(table, "dimension", faults),
        timeout=_number(table, "timeout", faults),
    )
    if not is_offered(chosen.model):
        faults.append(f"'embedder.model' must be one of {', '.join(names())}")
    if chosen.url:
        from helix.rules.addresses import faults_of  # noqa: PLC0415 - few name a server

        faults += faults_of(chosen.url, "embedder", sends_key=bool(chosen.key_variable))
    elif chosen.model.startswith(SERVED):
        faults.append("'embedder.url' must say where the server is")
    return chosen, faults


def names() -> list[str]:
    """Return what one can choose, for people."""
    return [*LOCAL, NONE, SERVED + "<model>"]


def is_offered(name: str) -> bool:
    """Return whether a model of this name can be chosen; no name is the best one."""
    served = name.startswith(SERVED) and name != SERVED
    return served or name in ("", NONE, *LOCAL)


def _text(table: Mapping[str, object], name: str, faults: list[str]) -> str:
    value = table.get(name, "")
    if isinstance(value, str):
        return value
    faults.append(f"'embedder.{name}' must be text")
    return ""


def _number(table: Mapping[str, object], name: str, faults: list[str]) -> float:
    value = table.get(name)
    if value is None:
        return 0
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= _MOST:
        return value
    faults.append(f"'embedder.{name}' must be a number above 0, up to {_MOST:,}")
    return 0


def _count(table: Mapping[str, object], name: str, faults: list[str]) -> int:
    value = _number(table, name, faults)
    if isinstance(value, int):
        return value
    faults.append(f"'embedder.{name}' must be a whole number")
    return 0
