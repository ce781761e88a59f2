"""What the documentation shows is run."""

import doctest
import re
from pathlib import Path

import click
import pytest

import helix.app.facade
from helix.doors.cli.main import cli
from helix.doors.cli.table import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`(helix [^`\n]+|[^`\n]+)`")
_SHELL = re.compile(r"^(?:\$ |   )?(helix [a-z].*)$", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_python_on_a_page_runs(page, tmp_path, monkeypatch):
    """Blocks of one page run in order, in one namespace, on stores of their own."""
    monkeypatch.setenv("HELIX_HOME", str(tmp_path))
    blocks = _PYTHON.findall(page.read_text(encoding="utf-8"))
    namespace: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), namespace)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    """Every relative link names a file that exists."""
    for target in _LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_facade_shows_a_session_that_runs():
    """The example in the docstring of `Helix` gives what it says."""
    result = doctest.testmod(helix.app.facade)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_page_of_commands_names_each():
    """Whoever looks for a command there finds it."""
    page = ROOT / "docs" / "commands.md"
    words = set(re.findall(r"[a-z]+", " ".join(_CODE.findall(page.read_text(encoding="utf-8")))))
    assert set(COMMANDS) <= words, set(COMMANDS) - words


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_on_a_page_exist(page):
    """A page may be followed word by word."""
    text = page.read_text(encoding="utf-8")
    for line in [*_CODE.findall(text), *_SHELL.findall(text)]:
        for called in re.findall(r"(?:^|[\s$])helix ([a-z]+)\b([^|;#\n]*)", line):
            name, rest = called
            assert name in COMMANDS, line
            known = _options(name)
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", rest.partition(" -- ")[0]):
                assert option in known, f"{line}: {option}"


def _options(name):
    """Return the options of a command and of its own commands, with those every one takes."""
    ctx = click.Context(cli)
    found, left = set(), [cli, cli.get_command(ctx, name)]
    for command in left:
        found |= {each for param in command.params for each in param.opts}
        found |= {each for param in command.params for each in param.secondary_opts}
        if command is not cli:
            left += getattr(command, "commands", {}).values()
    return found | {"--help"}
