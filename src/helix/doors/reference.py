"""The reference page, made from the code it describes: `python -m helix.doors.reference`.

docs/reference.md holds what this prints, and a test compares the two.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import fields

from helix.app import embedder_settings, language, life_settings, settings, sleep_settings
from helix.app.settings import SETTINGS_NAME
from helix.doors.cli.table import SECTIONS
from helix.doors.error_mapping import EXIT_CODES
from helix.doors.fields import Field
from helix.doors.hooks.events import DEADLINES, NAMES
from helix.doors.mcp.resources import BRIEFING, MEMORY, PROMPTS
from helix.doors.mcp.tools import DEFAULT, MORE, Tool
from helix.rules.policy import BUNDLES, HELIX

_SETTING = re.compile(r"\s*(?:\[\w+|\w+ = )")


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
    yield from _settings()
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


def _settings() -> Iterator[str]:
    yield from ("", "## Settings", "")
    yield (
        f"In `{SETTINGS_NAME}` in `HELIX_HOME` (default `~/.helix`). Everything may be left out;"
        " what is not understood is refused, all faults at once."
    )
    for module in (settings, embedder_settings, language, sleep_settings, life_settings):
        yield from ("", "```toml", *_example(module.__doc__ or ""), "```")
    yield from ("", "Numbers of `[life]` and what they are in each policy:", "")
    yield f"| | {' | '.join(BUNDLES)} |"
    yield f"|---|{'--:|' * len(BUNDLES)}"
    for each in fields(HELIX):
        values = [getattr(policy, each.name) for policy in BUNDLES.values()]
        if all(isinstance(value, str | int | float) for value in values) and each.name != "name":
            yield f"| `{each.name}` | {' | '.join(map(_shown, values))} |"


def _example(says: str) -> list[str]:
    """Return the lines of a module's description that show its settings."""
    lines = says.splitlines()
    first = next(at for at, line in enumerate(lines) if _SETTING.match(line))
    return textwrap.dedent("\n".join(lines[first:])).strip().splitlines()


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _exits() -> Iterator[str]:
    from helix.doors.rest.problems import STATUSES

    yield from ("", "## Errors", "", "| family | exit code | HTTP status |", "|---|--:|--:|")
    for family, code in EXIT_CODES.items():
        yield f"| `{family}` | {code} | {STATUSES[family]} |"


if __name__ == "__main__":
    sys.stdout.write(page())
