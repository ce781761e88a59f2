"""Connecting and disconnecting every agent: what is added is right, and not a byte is lost."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from helix.connect import jsonc
from helix.connect.agents import AGENTS, Places, installed
from helix.connect.connecting import Connections
from helix.doors.hooks.events import NAMES

COMMAND = ["/opt/my tools/helix"]

JSONC = """\
{
  // mine, do not touch
  "unknownKey": {"deep": [1, 2, {"x": null}]},   /* odd   spacing */
  "%s": {
    "theirs": { "command": "npx", "args": ["-y", "thing"] }, // and this
  },
}
"""
TOML = """\
# my codex
model = "o9"   # odd   spacing

[mcp_servers.theirs]
command = "npx"
args = ["-y", "thing"]

[tui]
theme = "dark"
"""
YAML = """\
# mine
name: my config
version: 1.0.0
mcpServers:
  - name: theirs   # odd   spacing
    command: npx
models:
  - name: local
"""
CURSOR_HOOKS = """\
{
  "version": 1, // theirs
  "hooks": {
    "afterFileEdit": [ { "command": "./format.sh" } ],   /* odd   spacing */
  },
}
"""
WORDS = "# How I like it\n\nTabs, always.  \n"


def home_of(tmp_path: Path) -> dict[str, bytes]:
    """Fill a home as someone has it who uses every agent; return what is in it."""
    files = {
        ".claude.json": JSONC % "mcpServers",
        ".claude/settings.json": JSONC % "permissions",
        ".claude/CLAUDE.md": WORDS,
        ".config/Claude/claude_desktop_config.json": '{"mcpServers":{}}',
        ".codex/config.toml": TOML,
        ".cursor/mcp.json": (JSONC % "mcpServers").replace("\n", "\r\n"),
        ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": []}]}}',
        ".cursor/hooks.json": CURSOR_HOOKS,
        ".gemini/settings.json": JSONC % "mcpServers",
        ".config/opencode/opencode.jsonc": JSONC % "mcp",
        ".config/Code/User/mcp.json": JSONC % "servers",
        ".codeium/windsurf/mcp_config.json": "",
        ".config/zed/settings.json": JSONC % "context_servers",
        ".continue/config.yaml": YAML,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return state(tmp_path)


def state(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b"folder"
        for path in sorted(folder.rglob("*"))
        if ".helix" not in path.parts
    }


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


@pytest.fixture
def places(home):
    home.mkdir()
    return Places(home, "linux", {})


@pytest.fixture
def connections(home):
    return Connections(home / ".helix" / "connect")


def states(outcomes):
    return {each.state for each in outcomes}


@pytest.mark.parametrize("name", AGENTS)
def test_dry_run_connect_connect_again_disconnect(name, home, places, connections):
    """A dry run writes nothing, connecting twice is connecting once, and all bytes come back."""
    before = home_of(home)
    agent = AGENTS[name]
    dry = connections.connect(agent, places, COMMAND, dry_run=True)
    assert state(home) == before
    assert states(dry) == {"written"}
    assert all(each.difference for each in dry)

    assert states(connections.connect(agent, places, COMMAND)) == {"written"}
    connected = state(home)
    assert connected != before
    assert states(connections.connect(agent, places, COMMAND)) == {"unchanged"}
    assert state(home) == connected

    assert states(connections.disconnect(agent, places, COMMAND)) == {"restored"}
    assert state(home) == before
    assert connections.connected() == []


def test_all_agents_at_once(home, places, connections):
    before = home_of(home)
    assert [each.name for each in installed(places)] == list(AGENTS)
    for agent in installed(places):
        connections.connect(agent, places, COMMAND)
    assert connections.connected() == sorted(AGENTS)
    for name in connections.connected():
        connections.disconnect(AGENTS[name], places, COMMAND)
    assert state(home) == before


@pytest.mark.parametrize("name", AGENTS)
def test_files_that_were_not_there_are_gone_again(name, home, places, connections):
    """Someone who never configured an agent has no file of it afterwards."""
    agent = AGENTS[name]
    connections.connect(agent, places, COMMAND)
    assert state(home)
    connections.disconnect(agent, places, COMMAND)
    assert state(home) == {}


@pytest.mark.parametrize("name", AGENTS)
def test_changes_made_since_are_kept(name, home, places, connections):
    """A file that somebody changed meanwhile keeps the change, and loses what was added."""
    home_of(home)
    agent = AGENTS[name]
    connections.connect(agent, places, COMMAND)
    for path in [home / each for each in state(home)]:
        if path.suffix in (".json", ".jsonc") and path.read_text().strip():
            path.write_text(jsonc.with_member(path.read_text(), ("since",), [1, 2]))
        elif path.suffix in (".toml", ".yaml", ".md"):
            comment = "\nsince\n" if path.suffix == ".md" else "\n# since\n"
            path.write_text(path.read_text() + comment)
    outcomes = connections.disconnect(agent, places, COMMAND)
    assert states(outcomes) == {"taken_out"}
    for each in outcomes:
        text = each.path.read_text()
        assert "since" in text
        assert "helix" not in text


def test_the_entries_are_what_each_agent_expects(home, places, connections):
    home_of(home)
    for agent in AGENTS.values():
        connections.connect(agent, places, COMMAND)

    def read(name):
        return jsonc.parsed((home / name).read_text()).value

    started = {"command": "/opt/my tools/helix", "args": ["mcp"]}
    assert read(".claude.json")["mcpServers"]["helix"] == {"type": "stdio", **started, "env": {}}
    assert read(".config/Claude/claude_desktop_config.json")["mcpServers"]["helix"] == started
    assert read(".cursor/mcp.json")["mcpServers"]["helix"] == started
    assert read(".gemini/settings.json")["mcpServers"]["helix"] == started
    assert read(".codeium/windsurf/mcp_config.json")["mcpServers"]["helix"] == started
    assert read(".config/Code/User/mcp.json")["servers"]["helix"] == {"type": "stdio", **started}
    assert read(".config/zed/settings.json")["context_servers"]["helix"] == {**started, "env": {}}
    assert read(".config/opencode/opencode.jsonc")["mcp"]["helix"] == {
        "type": "local", "command": ["/opt/my tools/helix", "mcp"], "enabled": True,
    }  # fmt: skip
    codex = tomllib.loads((home / ".codex/config.toml").read_text())
    assert codex["mcp_servers"]["helix"] == started
    assert codex["tui"] == {"theme": "dark"}
    hooks = read(".claude/settings.json")["hooks"]
    assert hooks["SessionStart"][0]["hooks"][0]["command"] == (
        "'/opt/my tools/helix' hook SessionStart --agent=claude-code"
    )
    assert hooks["PostToolUse"][0]["matcher"].startswith("Bash|")
    hooks = read(".codex/hooks.json")
    assert hooks.keys() == {"hooks"}  # it refuses a file that holds anything else
    assert hooks["hooks"]["PostToolUse"] == [
        {
            "matcher": "^(Bash|apply_patch)$",
            "hooks": [
                {
                    "type": "command",
                    "command": "'/opt/my tools/helix' hook PostToolUse --agent=codex",
                    "timeout": 5,
                }
            ],
        }
    ]
    assert len(hooks["hooks"]["Stop"]) == 2
    hooks = read(".cursor/hooks.json")
    assert hooks["version"] == 1
    assert hooks["hooks"]["afterFileEdit"] == [
        {"command": "./format.sh"},
        {"command": "'/opt/my tools/helix' hook afterFileEdit --agent=cursor"},
    ]
    assert set(hooks["hooks"]) <= set(NAMES)
    assert "  - name: helix\n    command:" in (home / ".continue/config.yaml").read_text()


def test_other_hooks_stay_and_come_first(home, places, connections):
    theirs = {"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "mine"}]}]}}
    path = home / ".claude" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(theirs, indent=2))
    connections.connect(AGENTS["claude-code"], places, COMMAND)
    hooks = json.loads(path.read_text())["hooks"]
    assert hooks["SessionStart"][0] == theirs["hooks"]["SessionStart"][0]
    assert len(hooks["SessionStart"]) == 2
    assert len(hooks) == 7


def test_opencodes_second_version_keeps_servers_deeper(home, places, connections):
    path = home / ".config" / "opencode" / "opencode.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"mcp": {"servers": {}}}')
    connections.connect(AGENTS["opencode"], places, COMMAND)
    assert "helix" in json.loads(path.read_text())["mcp"]["servers"]


@pytest.mark.parametrize(
    "case",
    [
        ("cursor", ".cursor/mcp.json", "not json at all"),
        ("cursor", ".cursor/hooks.json", '{"version": 2, "hooks": {}}'),
        ("cursor", ".cursor/hooks.json", '{"version": 1, "hooks": []}'),
        ("codex", ".codex/hooks.json", "[hooks]"),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": "elsewhere"}'),
        ("cursor", ".cursor/mcp.json", '{"mcpServers": {"helix": {"command": "other"}}}'),
        ("codex", ".codex/config.toml", "model = \n"),
        ("codex", ".codex/config.toml", "mcp_servers = { a = { command = 'x' } }\n"),
        ("continue", ".continue/config.yaml", "mcpServers: [{name: a}]\n"),
        ("continue", ".continue/config.yaml", "\tmcpServers:\n"),
    ],
)
def test_a_format_that_is_not_known_is_left_alone(case, home, places, connections):
    name, file, text = case
    path = home / file
    path.parent.mkdir(parents=True)
    path.write_text(text)
    outcomes = connections.connect(AGENTS[name], places, COMMAND)
    assert [each.state for each in outcomes if each.path == path] == ["refused"]
    assert path.read_text() == text


def test_a_program_that_moved_is_connected_anew(home, places, connections):
    before = home_of(home)
    for agent in AGENTS.values():
        connections.connect(agent, places, ["/old/helix"])
        assert states(connections.connect(agent, places, COMMAND)) <= {"written", "unchanged"}
        connections.disconnect(agent, places, COMMAND)
    assert state(home) == before


def test_a_link_stays_a_link(home, places, connections, tmp_path):
    """Those who keep their settings in a repository of their own link to them."""
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n")
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir(parents=True)
    path.symlink_to(real)
    connections.connect(AGENTS["cursor"], places, COMMAND)
    assert path.is_symlink()
    assert "helix" in real.read_text()
    connections.disconnect(AGENTS["cursor"], places, COMMAND)
    assert path.is_symlink()
    assert real.read_text() == "{}\n"


def test_modes_are_kept(home, places, connections):
    path = home / ".cursor" / "mcp.json"
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    path.chmod(0o600)
    connections.connect(AGENTS["cursor"], places, COMMAND)
    assert path.stat().st_mode & 0o777 == 0o600


# --- what others wrote since is theirs ----------------------------------------------------


def edited(path, change):
    held = json.loads(path.read_text())
    change(held)
    path.write_text(json.dumps(held, indent=2))


@pytest.fixture
def bare(tmp_path):
    """Return a home with nothing in it, its places, and an empty memory of connections."""
    return Places(tmp_path, "linux", {}), Connections(tmp_path / ".helix" / "connect")


def file_of(places, *parts, text=""):
    path = places.home.joinpath(*parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize("moved", [False, True], ids=["more is added", "the program moved"])
def test_what_was_written_between_two_connects_survives_the_disconnect(bare, moved):
    places, connections = bare
    path = file_of(places, ".gemini", "settings.json", text='{\n  "theme": "dark"\n}\n')
    gemini = AGENTS["gemini"]
    connections.connect(gemini, places, COMMAND, leave_out=["hooks"])
    edited(path, lambda held: held.update(mine=1))
    connections.connect(gemini, places, ["/elsewhere/helix"] if moved else COMMAND)
    connections.disconnect(gemini, places, COMMAND)
    assert json.loads(path.read_text()) == {"theme": "dark", "mine": 1, "mcpServers": {}}


@pytest.mark.parametrize(
    ("agent", "parts", "text"),
    [
        ("cursor", (".cursor", "mcp.json"), '{"mcpServers":{"helix":{"command":"mine"}}}'),
        ("codex", (".codex", "config.toml"), '[mcp_servers.helix]\ncommand = "mine"\n'),
        (
            "continue",
            (".continue", "config.yaml"),
            "mcpServers:\n  - name: helix\n    command: mine\n",
        ),
    ],
)
def test_a_server_of_that_name_that_is_not_ours_is_left_alone(bare, agent, parts, text):
    places, connections = bare
    path = file_of(places, *parts, text=text)
    [server, *_] = connections.connect(AGENTS[agent], places, COMMAND)
    assert server.state == "refused"
    connections.disconnect(AGENTS[agent], places, COMMAND)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("added", "left"),
    [
        (("args = [", 'args = [\n  "mcp",\n]\nenabled = true\nnot_args = ['), ""),
        (("", '\n[mcp_servers.helix.env]\nFOO = "1"\n'), ""),
        (("", "\n# about the colours\n[tui]\ntheme = 1\n"), "# about the colours\n[tui]\n"),
        (("", '\n[other]\nlist = [\n  ["helix"],\n]\n'), "[other]\n"),
    ],
    ids=["over several lines", "tables below", "what follows", "lists of lists"],
)
def test_a_table_is_taken_out_whole_and_alone(bare, added, left):
    places, connections = bare
    path = file_of(places, ".codex", "config.toml", text='model = "x"\n')
    codex = AGENTS["codex"]
    connections.connect(codex, places, COMMAND)
    old, new = added
    text = path.read_text()
    path.write_text(text.replace(old, new, 1) if old else text + new)
    expected = tomllib.loads(path.read_text())
    del expected["mcp_servers"]
    connections.disconnect(codex, places, COMMAND)
    assert tomllib.loads(path.read_text()) == expected
    assert left in path.read_text()


def test_the_users_own_hook_in_our_group_stays(bare):
    places, connections = bare
    path = file_of(places, ".claude", "settings.json", text="{}\n")
    claude = AGENTS["claude-code"]
    connections.connect(claude, places, COMMAND)
    mine = {"type": "command", "command": "say done"}
    edited(path, lambda held: held["hooks"]["Stop"][0]["hooks"].append(mine))
    connections.disconnect(claude, places, COMMAND)
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [{"hooks": [mine]}]}}


def test_an_item_at_the_margin_keeps_its_key(bare):
    places, connections = bare
    text = "name: mine\nmcpServers:\n- name: a\n  command: b\n"
    path = file_of(places, ".continue", "config.yaml", text=text)
    connections.connect(AGENTS["continue"], places, COMMAND)
    path.write_text(path.read_text() + "# note\n")
    connections.disconnect(AGENTS["continue"], places, COMMAND)
    assert path.read_text() == text + "# note\n"


def test_a_link_that_led_nowhere_leads_nowhere_again(bare):
    places, connections = bare
    elsewhere = places.home / "dot" / "hooks.json"
    elsewhere.parent.mkdir()
    link = places.home / ".cursor" / "hooks.json"
    link.parent.mkdir()
    link.symlink_to(elsewhere)
    connections.connect(AGENTS["cursor"], places, COMMAND)
    assert elsewhere.exists()
    connections.disconnect(AGENTS["cursor"], places, COMMAND)
    assert link.is_symlink()
    assert not elsewhere.exists()


def test_one_file_that_cannot_be_written_does_not_stop_the_others(bare):
    """Nothing is noted about it, and what could be done is done."""
    places, connections = bare
    file_of(places, ".codex", "config.toml").unlink()
    (places.home / ".codex").rmdir()
    (places.home / ".codex").write_text("a file where a folder belongs")
    outcomes = connections.connect(AGENTS["codex"], places, COMMAND)
    assert {each.state for each in outcomes} == {"refused"}
    assert connections.connected() == []
    connections.connect(AGENTS["cursor"], places, COMMAND)
    broken = places.home / ".cursor" / "hooks.json"
    broken.unlink()
    broken.mkdir()
    states = {
        each.path.name: each.state
        for each in connections.disconnect(AGENTS["cursor"], places, COMMAND)
    }
    assert states == {"mcp.json": "restored", "hooks.json": "refused"}
