"""The servers that the settings name: where texts may be sent, for people to see."""

from __future__ import annotations

from collections.abc import Mapping

from helix.model.frozen import dataclass

EMBEDDER = "embedder"
LANGUAGE_MODEL = "language_model"
ONLINE = "language_model.online"


@dataclass(frozen=True, slots=True)
class Server:
    """A server, and the table of the settings that names it."""

    table: str
    provider: str
    model: str
    url: str
    key_variable: str = ""


def servers_in(
    embedder: Mapping[str, object], language_model: Mapping[str, object]
) -> tuple[Server, ...]:
    """Return the servers that two tables of the settings name; they were checked before."""
    online = language_model.get("online")
    tables = {
        EMBEDDER: embedder,
        LANGUAGE_MODEL: language_model,
        ONLINE: online if isinstance(online, Mapping) else {},
    }
    return tuple(_server(name, table) for name, table in tables.items() if table.get("url"))


def _server(name: str, table: Mapping[str, object]) -> Server:
    return Server(
        name, str(table.get("provider", "openai")), str(table.get("model", "")),
        str(table["url"]), str(table.get("key_variable", "")),
    )  # fmt: skip
