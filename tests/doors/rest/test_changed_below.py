"""What changes below a running server: its store, and the settings."""

import shutil
import subprocess
import sys

from tests.doors.mcp.conftest import make_repository
from tests.doors.rest.conftest import ended, environment, started

from helix import Helix

SCOPE = "project:github.com/acme/shop"


def test_a_server_whose_store_was_replaced_goes_on_with_the_new_one(tmp_path):
    """And while there is none, it acknowledges nothing."""
    home = tmp_path / "home"
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    other = tmp_path / "other.db"
    with Helix.open(other, scope=SCOPE, background=False) as memory:
        memory.remember("The heron came from the backup")
    home.mkdir()
    server = started(home, folder)
    try:
        assert server.ask("POST", "/v1/memories", {"content": "The bittern was first"})[0] == 200
        for each in home.glob("memory.db*"):
            if ".serve." not in each.name:
                each.unlink()
        status, told = server.ask("POST", "/v1/memories", {"content": "lost"})
        assert (status, told["code"]) == (503, "store_gone")
        shutil.copy(other, home / "memory.db")
        assert server.ask("POST", "/v1/memories", {"content": "The egret came later"})[0] == 200
        asked = subprocess.run(
            [sys.executable, "-m", "helix", "recall", "heron"], cwd=folder, env=environment(home),
            capture_output=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert b"from the backup" in asked.stdout
        assert 'operation="command"' in server.ask("GET", "/metrics")[1]
    finally:
        ended(server)
    with Helix.open(home / "memory.db", scope=SCOPE, background=False) as memory:
        said = {each.content for each in memory.list()}
    assert said == {"The heron came from the backup", "The egret came later"}


def test_what_the_settings_say_of_people_counts_from_then_on(tmp_path):
    """For REST and for hooks, without a new start; and no longer when it is taken back."""
    home = tmp_path / "home"
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    home.mkdir()
    server = started(home, folder)

    def said(words):
        status, told = server.ask("POST", "/v1/memories", {"content": f"{words} +49 170 7654321"})
        assert status == 200
        return "7654321" in told["memory"]["content"]

    try:
        assert said("The plumber is")
        (home / "settings.toml").write_text("[redaction]\npersonal = true\n")
        assert not said("The painter is")
        event = {
            "session_id": "s",
            "cwd": str(folder),
            "prompt": "ring the roofer at +49 170 7654329",
        }
        assert server.ask("POST", "/v1/hooks/UserPromptSubmit?agent=claude-code", event)[0] == 200
        (home / "settings.toml").write_text('[redaction]\npersonal = "yes"\n')
        told = server.ask("POST", "/v1/memories", {"content": "The joiner is +49 170 7654321"})[1]
        assert told["code"] == "bad_settings"
        (home / "settings.toml").unlink()
        assert said("The glazier is")
    finally:
        ended(server)
    with Helix.open(home / "memory.db", scope=SCOPE, background=False) as memory:
        assert not any("7654329" in each.content for each in memory.list())
