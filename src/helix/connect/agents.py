"""The agents Helix knows: where each keeps its configuration, and what is added to it.

Looked up in each agent's own documentation in November 2026. Only files of the user are
touched, never a repository's: what a repository brings along is not the user's word.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from helix.connect import blocks, jsonc, tables
from helix.model.errors import BadInput

NAME = "helix"
MARK = " hook "
"""Stands in every hook command of ours, together with the program's name."""

SERVER = "MCP server"
"""The part of an agent's configuration through which it reaches this memory."""

Edit = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Places:
    """Where a user's things are."""

    home: Path
    platform: str
    environment: Mapping[str, str]

    def config(self, name: str) -> Path:
        """Return the folder in which desktop programs keep their configuration."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support" / name
        if self.platform == "win32":
            roaming = self.environment.get("APPDATA")
            return (Path(roaming) if roaming else self.home / "AppData" / "Roaming") / name
        return self.xdg() / name

    def xdg(self) -> Path:
        """Return where programs that follow XDG keep their configuration."""
        given = self.environment.get("XDG_CONFIG_HOME")
        return Path(given) if given else self.home / ".config"


@dataclass(frozen=True, slots=True)
class Change:
    """What is done to one file: how to add to it, how to take it out, and what for."""

    path: Path
    what: str
    add: Edit
    remove: Edit


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent: its name, the folders and files whose being there shows that it is installed."""

    name: str
    title: str
    signs: Callable[[Places], Sequence[Path]]
    changes: Callable[[Places, Sequence[str]], Sequence[Change]]
    note: str = ""


# --- servers ------------------------------------------------------------------------------


def _member(path: Path, keys: Sequence[str], value: object, what: str = SERVER) -> Change:
    return Change(
        path,
        what,
        lambda text: jsonc.with_member(text, keys, value),
        lambda text: _without_server(text, keys),
    )


def _without_server(text: str, keys: Sequence[str]) -> str:
    there = jsonc.found(jsonc.parsed(text), keys) if text.strip() else None
    return jsonc.without_member(text, keys) if there and starts_helix(there.value) else text


def starts_helix(server: object) -> bool:
    """Return whether a server is one of ours: it starts this program, from wherever it was.

    A user may keep something else under the same name, which is not ours to take out.
    """
    match server:
        case {"command": str(first), "args": list(rest)}:
            words = [first, *rest]
        case {"command": list(words)}:
            pass
        case _:
            return False
    match [str(each) for each in words]:
        case [*_, "-m", "helix", "mcp"]:
            return True
        case [program, "mcp"]:
            return PurePath(program.replace("\\", "/")).stem == NAME
        case _:
            return False


def _standard(command: Sequence[str]) -> dict[str, Any]:
    return {"command": command[0], "args": [*command[1:], "mcp"]}


def _claude_code(places: Places, command: Sequence[str]) -> list[Change]:
    folder = _claude_folder(places)
    state = (
        folder / ".claude.json"
        if places.environment.get("CLAUDE_CONFIG_DIR")
        else places.home / ".claude.json"
    )
    server = {"type": "stdio", **_standard(command), "env": {}}
    return [
        _member(state, ("mcpServers", NAME), server),
        _hooks(folder / "settings.json", command, "claude-code", _CLAUDE_EVENTS, 5),
        _block(folder / "CLAUDE.md"),
    ]


def _claude_folder(places: Places) -> Path:
    return Path(places.environment.get("CLAUDE_CONFIG_DIR") or places.home / ".claude")


def _codex(places: Places, command: Sequence[str]) -> list[Change]:
    folder = _codex_folder(places)
    started = [*command, "mcp"]
    return [
        Change(
            folder / "config.toml",
            SERVER,
            lambda text: tables.with_server_table(text, "mcp_servers", NAME, started),
            _without_codex_server,
        ),
        _hooks(folder / "hooks.json", command, "codex", _CODEX_EVENTS, 5),
        _block(folder / "AGENTS.md"),
    ]


def _without_codex_server(text: str) -> str:
    ours = starts_helix(tables.server_table(text, "mcp_servers", NAME))
    return tables.without_server_table(text, "mcp_servers", NAME) if ours else text


def _codex_folder(places: Places) -> Path:
    return Path(places.environment.get("CODEX_HOME") or places.home / ".codex")


def _cursor(places: Places, command: Sequence[str]) -> list[Change]:
    folder = places.home / ".cursor"
    return [
        _member(folder / "mcp.json", ("mcpServers", NAME), _standard(command)),
        _cursor_hooks(folder / "hooks.json", command),
    ]


def _gemini(places: Places, command: Sequence[str]) -> list[Change]:
    settings = places.home / ".gemini" / "settings.json"
    return [
        _member(settings, ("mcpServers", NAME), _standard(command)),
        _hooks(settings, command, "gemini-cli", _GEMINI_EVENTS, 5_000),
        _block(places.home / ".gemini" / "GEMINI.md"),
    ]


def _opencode(places: Places, command: Sequence[str]) -> list[Change]:
    folder = places.xdg() / "opencode"
    path = _first(folder / "opencode.jsonc", folder / "opencode.json")
    server = {"type": "local", "command": [*command, "mcp"], "enabled": True}

    def keys(text: str) -> tuple[str, ...]:
        # Its second version keeps servers one level deeper.
        deeper = text.strip() and jsonc.found(jsonc.parsed(text), ("mcp", "servers"))
        return ("mcp", "servers", NAME) if deeper else ("mcp", NAME)

    return [
        Change(
            path,
            SERVER,
            lambda text: jsonc.with_member(text, keys(text), server),
            lambda text: _without_server(text, keys(text)),
        ),
        _block(folder / "AGENTS.md"),
    ]


def _continue(places: Places, command: Sequence[str]) -> list[Change]:
    started = [*command, "mcp"]

    return [
        Change(
            places.home / ".continue" / "config.yaml",
            SERVER,
            lambda text: tables.with_yaml_server(text, "mcpServers", NAME, started),
            _without_continue_server,
        )
    ]


def _without_continue_server(text: str) -> str:
    # Without a parser of YAML: its lines must read as they were written, or reformatted by hand.
    entry = tables.yaml_server(text, "mcpServers", NAME)
    ours = re.search(r"""\bhelix["']?(?:\s|,|\]|$)""", entry) and "mcp" in entry
    return tables.without_yaml_server(text, "mcpServers", NAME) if ours else text


def _first(*paths: Path) -> Path:
    return next((path for path in paths if path.exists()), paths[-1])


# --- hooks and words ----------------------------------------------------------------------

_CLAUDE_EVENTS: Mapping[str, str | None] = {
    "SessionStart": None,
    "UserPromptSubmit": None,
    "PostToolUse": "Bash|Edit|MultiEdit|Write|NotebookEdit",
    "PostToolUseFailure": "*",
    "PreCompact": None,
    "Stop": None,
    "SessionEnd": None,
}
# No others: an earlier Codex does not know them.
_CODEX_EVENTS: Mapping[str, str | None] = {
    "SessionStart": None,
    "UserPromptSubmit": None,
    "PostToolUse": "^(Bash|apply_patch)$",
    "Stop": None,
}
_CURSOR_EVENTS: Mapping[str, str | None] = {
    "sessionStart": None,
    "beforeSubmitPrompt": None,
    "afterShellExecution": None,
    "afterFileEdit": None,
    "postToolUseFailure": None,
    "afterAgentResponse": None,
    "sessionEnd": None,
}
_CURSOR_VERSION = 1
_GEMINI_EVENTS: Mapping[str, str | None] = {
    "SessionStart": None,
    "BeforeAgent": None,
    "AfterTool": "run_shell_command|write_file|replace",
    "AfterAgent": None,
    "PreCompress": None,
    "SessionEnd": None,
}


def _hooks(
    path: Path,
    command: Sequence[str],
    agent: str,
    events: Mapping[str, str | None],
    timeout: int | None,
) -> Change:
    """Return the hooks of an agent; without a `timeout`, as Cursor writes them: flat."""

    def entry(event: str, matcher: str | None) -> dict[str, object]:
        line = f"{shlex.join(command)}{MARK}{event} --agent={agent}"
        if timeout is None:
            return {"command": line}
        hook = {"type": "command", "command": line, "timeout": timeout}
        return ({"matcher": matcher} if matcher else {}) | {"hooks": [hook]}

    def add(text: str) -> str:
        for event, matcher in events.items():
            added = jsonc.with_item(text, ("hooks", event), entry(event, matcher))
            # One that starts the program from where it was before goes first.
            text = (
                text
                if added == text
                else jsonc.with_item(_without(text, event), ("hooks", event), entry(event, matcher))
            )
        return text

    def _without(text: str, event: str) -> str:
        marks = f"{MARK}{event} --agent={agent}"
        if not text.strip():
            return text
        return jsonc.without_items(text, ("hooks", event), marks, inner="hooks")

    def remove(text: str) -> str:
        for event in events:
            text = _without(text, event)
            node = jsonc.found(jsonc.parsed(text), ("hooks", event))
            if node is not None and node.value == []:
                text = jsonc.without_member(text, ("hooks", event))
        node = jsonc.found(jsonc.parsed(text), ("hooks",))
        return jsonc.without_member(text, ("hooks",)) if node and node.value == {} else text

    return Change(path, "hooks", add, remove)


def _cursor_hooks(path: Path, command: Sequence[str]) -> Change:
    inner = _hooks(path, command, "cursor", _CURSOR_EVENTS, None)

    def add(text: str) -> str:
        node = jsonc.found(jsonc.parsed(text), ("version",)) if text.strip() else None
        if node is not None and node.value != _CURSOR_VERSION:
            raise BadInput(
                f"hooks of version {node.value} are not known here", code="unknown_format"
            )
        return inner.add(jsonc.with_member(text, ("version",), _CURSOR_VERSION))

    def remove(text: str) -> str:
        left = inner.remove(text)
        alone = jsonc.parsed(left).value == {"version": _CURSOR_VERSION}
        return jsonc.without_member(left, ("version",)) if alone and left != text else left

    return Change(path, inner.what, add, remove)


def _block(path: Path) -> Change:
    return Change(path, "words for the agent", blocks.with_block, blocks.without_block)


# --- the table ----------------------------------------------------------------------------

AGENTS: Mapping[str, Agent] = {
    each.name: each
    for each in (
        Agent(
            "claude-code",
            "Claude Code",
            lambda places: [_claude_folder(places), places.home / ".claude.json"],
            _claude_code,
        ),
        Agent(
            "claude-desktop",
            "Claude Desktop",
            lambda places: [places.config("Claude")],
            lambda places, command: [
                _member(
                    places.config("Claude") / "claude_desktop_config.json",
                    ("mcpServers", NAME),
                    _standard(command),
                )
            ],
            note="works in no project's folder, so it sees what holds everywhere",
        ),
        Agent(
            "codex",
            "Codex CLI",
            lambda places: [_codex_folder(places)],
            _codex,
            note="runs new hooks once you have looked at them: type /hooks there",
        ),
        Agent(
            "cursor",
            "Cursor",
            lambda places: [places.home / ".cursor"],
            _cursor,
        ),
        Agent("gemini", "Gemini CLI", lambda places: [places.home / ".gemini"], _gemini),
        Agent("opencode", "OpenCode", lambda places: [places.xdg() / "opencode"], _opencode),
        Agent(
            "vscode",
            "VS Code",
            lambda places: [places.config("Code") / "User"],
            lambda places, command: [
                _member(
                    places.config("Code") / "User" / "mcp.json",
                    ("servers", NAME),
                    {"type": "stdio", **_standard(command)},
                )
            ],
        ),
        Agent(
            "windsurf",
            "Windsurf",
            lambda places: [places.home / ".codeium" / "windsurf"],
            lambda places, command: [
                _member(
                    places.home / ".codeium" / "windsurf" / "mcp_config.json",
                    ("mcpServers", NAME),
                    _standard(command),
                )
            ],
        ),
        Agent(
            "zed",
            "Zed",
            lambda places: [_zed_folder(places)],
            lambda places, command: [
                _member(
                    _zed_folder(places) / "settings.json",
                    ("context_servers", NAME),
                    {**_standard(command), "env": {}},
                )
            ],
        ),
        Agent("continue", "Continue", lambda places: [places.home / ".continue"], _continue),
    )
}


def _zed_folder(places: Places) -> Path:
    if places.platform == "win32":
        return places.config("Zed")
    return (places.home / ".config" if places.platform == "darwin" else places.xdg()) / "zed"


def installed(places: Places) -> list[Agent]:
    """Return the agents whose signs are there."""
    return [each for each in AGENTS.values() if any(path.exists() for path in each.signs(places))]
