"""Help, version, completion: what costs nothing and needs no store."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from helix import Helix, __version__
from helix.doors.cli.main import cli
from helix.doors.cli.table import COMMANDS

GROUPS = {"session": ("start", "end"), "models": ("list", "install", "use")}
LEAVES = [
    *(name for name in COMMANDS if name not in GROUPS),
    *(f"{group} {name}" for group, names in GROUPS.items() for name in names),
    "runs show", "runs revert", "runs retry",
]  # fmt: skip


def leaf(path: str) -> click.Command:
    command: click.Command = cli
    for name in path.split():
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    return command


def test_help_alone_and_on_request_lists_every_command(helix):
    for args in ([], ["--help"], ["-h"]):
        ran = helix(*args)
        assert ran.code == 0
        for name, entry in COMMANDS.items():
            assert f"  {name} " in ran.out
            assert entry.says in ran.out


def test_help_imports_neither_the_store_nor_the_facade():
    """Start-up time counts; what is imported is a steadier measure than a clock."""
    script = (
        "import sys; from helix.doors.cli.main import run; code = run(['--help']);"
        "import json; print(json.dumps(sorted(sys.modules)), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    loaded = set(json.loads(done.stderr))
    heavy = {"apsw", "msgspec", "sqlite3", "helix.app.facade", "helix.app", "helix.doors.rendering"}
    assert not heavy & loaded
    assert not [name for name in loaded if name.startswith("helix.doors.cli.commands")]


def test_asking_by_words_alone_loads_no_model(tmp_path):
    """Neither numpy nor a model's runtime, nor what only writing and upkeep need."""
    Helix.open(tmp_path / "memory.db").close()
    script = (
        "import sys; from helix.doors.cli.main import run;"
        f"run(['--store', {str(tmp_path / 'memory.db')!r}, 'recall', '--words-only', 'anything']);"
        "import json; print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    loaded = set(json.loads(done.stderr))
    heavy = {"numpy", "onnxruntime", "tokenizers", "helix.app.models", "helix.app.upkeep"}
    assert not heavy & loaded


@pytest.mark.parametrize("path", LEAVES)
def test_every_command_explains_itself_with_an_example(path):
    shown = CliRunner().invoke(cli, [*path.split(), "--help"], prog_name="helix")
    assert shown.exit_code == 0
    assert "Examples:" in shown.output
    assert f"  helix {path}" in shown.output or f"$(helix {path}" in shown.output
    assert "--json" in shown.output


@pytest.mark.parametrize("path", LEAVES)
def test_every_example_can_be_parsed(path, tmp_path, monkeypatch):
    """An example that the parser refuses would be the first thing a newcomer meets."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "head.json").touch()
    for example in leaf(path).examples:
        line = example.rpartition("| ")[2].partition(" >")[0]
        words = shlex.split(line.removeprefix('eval "$(').removesuffix(')"'))
        assert words[0] == "helix"
        nested = isinstance(leaf(words[1]), click.Group) and words[2:3] and words[2].isalpha()
        depth = 2 if nested else 1
        command = leaf(" ".join(words[1 : 1 + depth]))
        command.make_context("x", words[1 + depth :])


def test_the_session_group_shows_an_example():
    shown = CliRunner().invoke(cli, ["session", "--help"])
    assert "helix session start s42" in shown.output


def test_version_is_the_packages(helix):
    assert helix("--version").out == f"helix {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_speak_of_helix(helix, shell):
    ran = helix("completion", shell)
    assert ran.code == 0
    assert "_HELIX_COMPLETE" in ran.out
    assert "helix" in ran.out


def test_completion_as_a_document_and_for_an_unknown_shell(helix):
    assert helix("completion", "fish", "--json").document["shell"] == "fish"
    assert helix("completion", "cmd").code == 2


def test_the_shell_is_answered_with_what_fits(helix):
    asked = {"COMP_WORDS": "helix re", "COMP_CWORD": "1", "_HELIX_COMPLETE": "bash_complete"}
    ran = helix(environment=asked)
    assert ran.code == 0
    words = [line.partition(",")[2] for line in ran.out.split()]
    assert sorted(words) == sorted(name for name in COMMANDS if name.startswith("re"))
    assert "recall" in words
    asked = {"COMP_WORDS": "helix recall --de", "COMP_CWORD": "2"}
    assert "--deep" in helix(environment=asked | {"_HELIX_COMPLETE": "bash_complete"}).out


def test_the_module_is_the_program(helix):
    done = subprocess.run(
        [sys.executable, "-m", "helix", "--version"], capture_output=True, check=True, text=True
    )
    assert done.stdout == f"helix {__version__}\n"
