"""From nothing to an agent that remembers: what `helix init` leaves can be used at once."""

import json
import os
import subprocess
import sys

import pytest
from tests.doors.mcp.conftest import called, run

mcp = pytest.importorskip("mcp")


@pytest.fixture
def machine(tmp_path):
    """Somebody's home with two agents, and a project of theirs."""
    home, shop = tmp_path / "home", tmp_path / "shop"
    (home / ".claude").mkdir(parents=True)
    (home / ".codex").mkdir()
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "config").write_text('[remote "origin"]\n\turl = https://x.invalid/a/b.git\n')
    (shop / "AGENTS.md").write_text("# Rules\n\n- Use pnpm, never npm.\n")
    env = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8",
           "PYTHONPATH": os.environ.get("PYTHONPATH", "")}  # fmt: skip
    return home, shop, env


def typed(machine, *args):
    _, shop, env = machine
    done = subprocess.run(
        [sys.executable, "-m", "helix", *args], cwd=shop, env=env, capture_output=True,
        check=False, timeout=120, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def asked_as_the_agent_would(machine, question):
    """Start what the agent's own configuration says, in the project, and ask."""
    from mcp.client.stdio import StdioServerParameters, stdio_client

    home, shop, env = machine
    entry = json.loads((home / ".claude.json").read_text())["mcpServers"]["helix"]

    async def talk():
        how = StdioServerParameters(
            command=entry["command"], args=entry["args"], env=env, cwd=str(shop)
        )
        async with (
            stdio_client(how) as (reading, writing),
            mcp.ClientSession(reading, writing) as client,
        ):
            await client.initialize()
            return await called(client, "recall", question=question)

    failed, text = run(talk())
    assert not failed
    return text


def test_one_command_connects_takes_in_sleeps_and_says_one_true_thing(machine):
    told = typed(machine, "init", "--yes")
    assert "connected  Claude Code" in told
    assert "Use pnpm, never npm. (AGENTS.md:3)" in told
    assert "Start Claude Code or Codex CLI in this folder" in told
    assert "Use pnpm, never npm" in asked_as_the_agent_would(machine, "npm or pnpm?")
    assert json.loads(typed(machine, "runs", "--json"))["runs"]


def test_whoever_says_no_can_connect_afterwards(machine):
    home, _, _ = machine
    told = typed(machine, "init", "--no")
    assert told.rstrip().endswith("connect")
    assert not (home / ".claude.json").exists()
    typed(machine, "remember", "Deploys happen on Fridays", "--type=convention")
    assert "Claude Code" in typed(machine, "connect")
    assert "on Fridays" in asked_as_the_agent_would(machine, "when do deploys happen?")
    assert "on Fridays" in told_at_the_start(machine)


def told_at_the_start(machine):
    """Run the hook that the agent would run when a session starts."""
    home, shop, env = machine
    hooks = json.loads((home / ".claude" / "settings.json").read_text())["hooks"]
    command = hooks["SessionStart"][0]["hooks"][0]["command"]
    done = subprocess.run(
        command, shell=True, input=json.dumps({"session_id": "s", "cwd": str(shop)}).encode(),
        env=env | {"HELIX_HOOK_SECONDS": "15"}, capture_output=True, check=True, cwd=shop,
        timeout=60,
    )  # fmt: skip
    return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_again_changes_nothing(machine):
    home, _, _ = machine
    typed(machine, "init", "--yes")
    before = {each: each.read_bytes() for each in sorted(home.rglob("*.json"))}
    told = json.loads(typed(machine, "init", "--yes", "--json"))
    assert (told["imported"], told["connected"]) == (0, [])
    assert {each: each.read_bytes() for each in sorted(home.rglob("*.json"))} == before
