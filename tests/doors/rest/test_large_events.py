"""A hook's event of any size is kept, whether the server takes it or not."""

import json
import subprocess
import sys

import pytest
from tests.doors.rest.conftest import environment

from helix import Helix
from helix.doors.resident import MOST_POSTED

SCOPE = "project:github.com/acme/shop"


@pytest.mark.parametrize("size", [MOST_POSTED - 2000, MOST_POSTED + 1, MOST_POSTED * 3])
def test_an_event_that_is_too_large_for_the_server_is_kept_by_the_hook_itself(server, size):
    said = {"session_id": "s", "cwd": str(server.folder), "tool_name": "Bash",
            "tool_use_id": f"of-{size}", "tool_input": {"command": "make"},
            "tool_response": {"stdout": "x " * (size // 2), "exit_code": 1}}  # fmt: skip
    subprocess.run(
        [sys.executable, "-m", "helix", "hook", "PostToolUse"], input=json.dumps(said).encode(),
        capture_output=True, check=True, timeout=60, cwd=server.folder,
        env=environment(server.home) | {"HELIX_HOOK_SECONDS": "30"},
    )  # fmt: skip
    assert not (server.home / "hooks.log").exists()
    with Helix.open(server.home / "memory.db", scope=SCOPE, background=False) as memory:
        assert memory.by_event(f"hook:s:of-{size}") is not None
