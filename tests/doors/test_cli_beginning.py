"""The first minutes: init in a repository, the demo, adopting what a project had."""

import json
import re
import shutil
import subprocess

from tests.doors.mcp.conftest import make_repository


def git(folder, *args):
    name = ["-c", "user.name=Ann", "-c", "user.email=a@example.com"]
    subprocess.run(["git", "-C", str(folder), *name, *args], check=True, capture_output=True)


def inside(helix, folder, *args, **more):
    """Run the program in a folder, as a user who has set nothing."""
    environment = dict(helix.environment) | {"HELIX_HOME": str(helix.home / ".helix")}
    environment.pop("HELIX_PROJECT")
    done = subprocess.run(
        [*helix.command(*args)], cwd=folder, env=environment, capture_output=True, text=True,
        check=False, **more,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_init_in_a_repository_connects_imports_and_says_one_true_thing(helix, tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "AGENTS.md").write_text("# Rules\n\n- Run the tests with make check, always\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Begin")
    (helix.home / ".cursor").mkdir()
    told = json.loads(inside(helix, folder, "init", "--yes", "--json"))
    assert told["connected"] == ["cursor"]
    assert told["imported"] >= 2
    assert "Run the tests with make check, always" in told["learned"]
    assert "helix" in (helix.home / ".cursor" / "mcp.json").read_text()
    again = json.loads(inside(helix, folder, "init", "--yes", "--json"))
    assert (again["connected"], again["imported"]) == ([], 0)


def test_agents_are_not_told_of_a_store_they_would_not_use(helix, tmp_path):
    """They start Helix without `--store`; connected, they would write somewhere else."""
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    (folder / "AGENTS.md").write_text("# Rules\n\n- Run the tests with make check, always\n")
    (helix.home / ".cursor").mkdir()
    other = str(tmp_path / "other.db")
    said = inside(helix, folder, "init", "--yes", "--store", other)
    assert "connected" not in said
    assert "HELIX_STORE" in said
    assert list((helix.home / ".cursor").iterdir()) == []
    refused = helix("connect", "cursor", "--store", other, "--json")
    assert (refused.code, refused.error["code"]) == (2, "store_not_for_agents")
    assert list((helix.home / ".cursor").iterdir()) == []


def test_agents_are_disconnected_also_when_the_store_is_gone(helix, tmp_path):
    """Whoever deletes `~/.helix` to begin anew can still leave no trace."""
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    (helix.home / ".cursor").mkdir()
    (helix.home / ".codex").mkdir()
    (helix.home / ".cursor" / "mcp.json").write_text('{"mcpServers": {"mine": {}}}\n')
    inside(helix, folder, "connect", "cursor")
    shutil.rmtree(helix.home / ".helix")
    told = json.loads(inside(helix, folder, "disconnect", "--json"))
    assert told["agents"] == ["cursor"]
    left = json.loads((helix.home / ".cursor" / "mcp.json").read_text())
    assert left == {"mcpServers": {"mine": {}}}
    assert "No agent" in inside(helix, folder, "disconnect")


def test_an_agent_whose_files_cannot_be_read_is_not_called_connected(helix, tmp_path):
    """Neither by `connect`, whose exit code says so, nor by `init`."""
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    codex = helix.home / ".codex"
    codex.mkdir()
    (codex / "config.toml").write_text("broken = [")
    (codex / "hooks.json").write_text("{bad")
    ran = helix("connect", "codex", "--no-words")
    assert ran.code == 4
    assert "left alone" in ran.out
    assert "Start the agent anew" not in ran.out
    assert "connected  Codex" not in inside(helix, folder, "init", "--yes")


def test_a_store_named_only_in_this_shell_is_warned_of(helix):
    (helix.home / ".cursor").mkdir()
    ran = helix("connect", "cursor", environment={"HELIX_STORE": str(helix.home / "x.db")})
    assert "HELIX_STORE" in ran.out


def test_what_was_taken_out_by_hand_is_not_connected(helix, tmp_path):
    """The files count, not the note about them."""
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    (helix.home / ".cursor").mkdir()
    inside(helix, folder, "connect", "cursor")
    for each in (helix.home / ".cursor").iterdir():
        each.write_text("{}\n")
    assert "No agent" in inside(helix, folder, "disconnect")
    listed = json.loads(inside(helix, folder, "connect", "--list", "--json"))["agents"]
    assert not [each for each in listed if each["connected"]]


def test_init_asks_nobody_where_nobody_is(helix, tmp_path):
    """Without a terminal it creates the store and leaves everything else alone."""
    folder = make_repository(tmp_path / "shop", "github.com/acme/shop")
    (helix.home / ".cursor").mkdir()
    assert "created" in inside(helix, folder, "init", stdin=subprocess.DEVNULL)
    assert list((helix.home / ".cursor").iterdir()) == []


def test_the_demo_answers_from_what_it_took_in(helix):
    told = helix("demo", "--json").document
    said = [each["remembered"][0]["memory"]["content"] for each in told["answers"]]
    assert "SKIP LOCKED" in said[0]
    assert "make check" in said[1]
    assert "TIDEPOOL_TZ" in said[2]
    assert "Python 3.10" in said[3]


def test_a_project_that_got_a_remote_can_keep_its_memories(helix, tmp_path):
    """Before the remote it went by its path; adopted, it goes by that again."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    inside(helix, folder, "remember", "We deploy on Fridays", "--type=convention")
    git(folder, "remote", "add", "origin", "https://github.com/acme/shop.git")
    asked = ("list", "--json")
    assert json.loads(inside(helix, folder, *asked))["memories"] == []
    settings = helix.home / ".helix" / "settings.toml"
    settings.write_text('# mine\nowner = "me"\n')
    inside(helix, folder, "adopt", "--dry-run")
    assert settings.read_text() == '# mine\nowner = "me"\n'
    inside(helix, folder, "adopt")
    [held] = json.loads(inside(helix, folder, *asked))["memories"]
    assert held["content"] == "We deploy on Fridays"
    assert settings.read_text().startswith("# mine\n")


def test_a_moved_repository_finds_its_old_id(helix, tmp_path):
    """`adopt` alone names the projects there are; an agent is not told of them."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    git(old, "init", "-q")
    inside(helix, old, "remember", "We deploy on Fridays")
    old.rename(new)
    environment = helix.environment | {"HELIX_HOME": str(helix.home / ".helix")}
    environment.pop("HELIX_PROJECT")

    def refused(*more):
        done = subprocess.run(
            helix.command("adopt", *more), cwd=new, env=environment, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 3, done.stderr
        return done.stderr

    [named] = re.findall(r"project:old-[0-9a-f]+", refused())
    assert "project:old-" not in refused("--agent", "bot")
    inside(helix, new, "adopt", named)
    [held] = json.loads(inside(helix, new, "list", "--json"))["memories"]
    assert held["content"] == "We deploy on Fridays"


def test_adopting_from_a_store_that_is_not_there_makes_none(helix, tmp_path):
    """A mistyped path is told, and no empty store stands there afterwards."""
    folder = tmp_path / "shop"
    folder.mkdir()
    git(folder, "init", "-q")
    mistyped = tmp_path / "mistyped.db"
    done = subprocess.run(
        helix.command("adopt", "--store", str(mistyped)), cwd=folder, env=helix.environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert "there is no store at" in done.stderr
    assert not mistyped.exists()


def test_the_plugin_says_what_connect_writes():
    """The plugin for Claude Code and `helix connect` hook the same events."""
    from pathlib import Path

    from helix.connect.agents import AGENTS, Places
    from helix.doors.hooks.events import NAMES

    folder = Path(__file__).parents[2] / "plugins" / "claude-code"
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text())["hooks"]
    assert set(hooks) <= set(NAMES)
    change = AGENTS["claude-code"].changes(Places(Path("/none"), "linux", {}), ["helix"])[1]
    assert json.loads(change.add(""))["hooks"] == hooks
    server = json.loads((folder / ".mcp.json").read_text())["mcpServers"]["helix"]
    assert server == {"command": "helix", "args": ["mcp"]}
    assert json.loads((folder / ".claude-plugin" / "plugin.json").read_text())["name"] == "helix"
