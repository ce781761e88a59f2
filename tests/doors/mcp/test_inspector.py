"""A client that nobody here wrote, the inspector's command line, lists and calls every tool.

Runs where it is installed: `npm install @modelcontextprotocol/inspector`, and the program's
place on the PATH or in HELIX_TEST_INSPECTOR.
"""

import json
import os
import shutil
import subprocess

import pytest
from tests.doors.mcp.conftest import PROGRAM, environment
from tests.doors.rest.conftest import ended as served_ended
from tests.doors.rest.conftest import started as served

from helix.doors.mcp.tools import offered

INSPECTOR = os.environ.get("HELIX_TEST_INSPECTOR") or shutil.which("mcp-inspector")
pytestmark = pytest.mark.skipif(not INSPECTOR, reason="the inspector is not installed")

CALLS = [
    ("remember", {"content": "This repo uses pnpm, not npm", "type": "convention"}),
    ("capture", {"content": "make failed: no rule for target x", "exit_status": "2"}),
    ("recall", {"question": "npm or pnpm?"}),
    ("context", {}),
    ("why", {"id": "mem_repo_uses_pnpm_npm"}),
    ("used", {"id": "mem_repo_uses_pnpm_npm", "quality": "5"}),
    ("correct", {"id": "mem_repo_uses_pnpm_npm", "content": "This repo uses bun, not pnpm"}),
    ("about", {"name": "bun"}),
    ("list", {"limit": "5"}),
    ("log", {"limit": "5"}),
    ("status", {}),
    ("confirm", {"id": "mem_repo_uses_bun_pnpm"}),
    ("pin", {"id": "mem_repo_uses_bun_pnpm"}),
    ("relate", {"from_id": "mem_repo_uses_bun_pnpm", "relation": "depends_on",
                "to_id": "mem_repo_uses_pnpm_npm"}),
    ("demote", {"id": "mem_repo_uses_bun_pnpm"}),
    ("restore", {"id": "mem_repo_uses_bun_pnpm"}),
    ("forget", {"id": "mem_repo_uses_bun_pnpm"}),
    ("promote", {"id": "ep_make_failed_rule_target_x_2"}),
    ("pending", {}),
    ("submit", {"key": "0", "reply": "{}"}),
]  # fmt: skip
REFUSED = {
    "promote": "uncorroborated",  # an agent's word alone makes no fact
    "submit": "unknown_question",
}


def inspected(where, env, folder, *args):
    done = subprocess.run(
        [INSPECTOR, "--cli", *where, *args], capture_output=True, check=False, timeout=120,
        env=env, cwd=folder, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def all_called(where, env, folder):
    listed = inspected(where, env, folder, "--method", "tools/list")["tools"]
    assert {each["name"] for each in listed} == {each.name for each in offered(full=True)}
    assert {tool for tool, _ in CALLS} == {each["name"] for each in listed}
    for tool, arguments in CALLS:
        given = [part for k, v in arguments.items() for part in ("--tool-arg", f"{k}={v}")]
        told = inspected(where, env, folder, "--method", "tools/call", "--tool-name", tool, *given)
        assert told["content"][0]["text"], tool
        assert bool(told.get("isError")) == (tool in REFUSED), (tool, told)
        assert REFUSED.get(tool, "") in told["content"][0]["text"], (tool, told)
    assert inspected(where, env, folder, "--method", "prompts/list")["prompts"]
    assert inspected(where, env, folder, "--method", "resources/list")["resources"]


def test_every_tool_over_stdio(home, repository):
    where = [str(PROGRAM), "mcp", "--tools", "full"]
    all_called(where, environment(home), repository)


def test_every_tool_over_http(tmp_path, repository):
    home = tmp_path / "served"
    home.mkdir()
    server = served(home, repository, "--tools", "full", "--no-token")  # it can send none
    try:
        url = f"http://127.0.0.1:{server.port}/mcp"
        all_called([url], environment(home), repository)
    finally:
        served_ended(server)
