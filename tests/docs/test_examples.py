"""What the documentation shows is run."""

import doctest
import re
from pathlib import Path

import pytest

import helix.app.facade

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
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
