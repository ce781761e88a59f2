"""The reference page, made from the code it describes: `python -m helix.doors.reference`.

docs/reference.md holds what this prints, and a test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from helix.doors.cli.table import SECTIONS
from helix.doors.error_mapping import EXIT_CODES
from helix.doors.fields import Field
from helix.doors.hooks.events import DEADLINES, NAMES
from helix.doors.mcp.resources import BRIEFING, MEMORY, PROMPTS
from helix.doors.mcp.tools import DEFAULT, MORE, Tool


def page() -> str:
    """Return the page."""
    return "\n".join(_page()) + "\n"


def _page() -> Iterator[str]:
    yield "# Reference"
    yield ""
    yield "Made from the code by `python -m helix.doors.reference`; a test keeps the two together."
    yield from _commands()
    yield from _tools()
    yield from _http()
    yield from _hooks()
    yield from _exits()


def _commands() -> Iterator[str]:
    yield from ("", "## Commands", "", "| command | |", "|---|---|")
    for entries in SECTIONS.values():
        for name, entry in entries.items():
            yield f"| `helix {name}` | {entry.says} |"


def _tools() -> Iterator[str]:
    yield from ("", "## MCP tools", "", "Offered by default:", "")
    yield from ("| tool | takes | |", "|---|---|---|")
    yield from (_tool(each) for each in DEFAULT)
    yield from ("", "With `--tools full` also:", "", "| tool | takes | |", "|---|---|---|")
    yield from (_tool(each) for each in MORE)
    yield ""
    yield (
        f"Resources: `{BRIEFING}`, `{MEMORY}{{id}}`. Prompts: "
        + ", ".join(f"`{name}`" for name in PROMPTS)
        + "."
    )


def _tool(tool: Tool) -> str:
    return f"| `{tool.name}` | {_fields(tool.fields)} | {tool.says} |"


def _fields(fields: tuple[Field, ...]) -> str:
    return ", ".join(f"`{each.name}`{'' if each.required else '?'}" for each in fields) or "-"


def _http() -> Iterator[str]:
    from helix.doors.rest.operations import OPERATIONS

    yield from ("", "## HTTP", "", "| | takes | |", "|---|---|---|")
    for each in OPERATIONS:
        yield f"| `{each.method} {each.path}` | {_fields(each.query + each.body)} | {each.says} |"
    yield ""
    yield (
        "Also `GET /healthz`, `GET /openapi.json`, `GET /metrics`, MCP at `/mcp`, and for"
        " Helix's own processes `POST /v1/hooks/{event}` and `POST /v1/commands/recall`."
    )


def _hooks() -> Iterator[str]:
    yield from ("", "## Hook events", "", "| event | deadline |", "|---|--:|")
    for name, kind in NAMES.items():
        yield f"| `{name}` | {DEADLINES[kind]:g} s |"


def _exits() -> Iterator[str]:
    from helix.doors.rest.problems import STATUSES

    yield from ("", "## Errors", "", "| family | exit code | HTTP status |", "|---|--:|--:|")
    for family, code in EXIT_CODES.items():
        yield f"| `{family}` | {code} | {STATUSES[family]} |"


if __name__ == "__main__":
    sys.stdout.write(page())
