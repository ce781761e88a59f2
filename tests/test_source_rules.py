"""What the source never does: run data as code, load pickles, hand text to a shell."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "helix").rglob("*.py"))
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__"}
FORBIDDEN_MODULES = {"pickle", "marshal", "shelve", "dill", "xml", "telnetlib", "ftplib"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_no_source_runs_data(path):
    """No `eval`, no `exec`, no pickle, no shell."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, (path.name, node.lineno)
        if isinstance(node, ast.keyword) and node.arg == "shell":
            assert isinstance(node.value, ast.Constant), (path.name, node.value.lineno)
            assert node.value.value is False, (path.name, node.value.lineno)
        if isinstance(node, ast.Import):
            names = [each.name.split(".")[0] for each in node.names]
            assert not FORBIDDEN_MODULES & set(names), (path.name, node.lineno)
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.module.split(".")[0] not in FORBIDDEN_MODULES, (path.name, node.lineno)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_dependency_is_pinned_and_hashed(name):
    """What is installed is what was locked: each at one version, each with its hashes."""
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = re.findall(r"^(\S+?)==(\S+).*?(?=^\S|\Z)", text, re.M | re.S)
    blocks = re.split(r"^(?=[a-zA-Z0-9])", text, flags=re.M)[1:]
    assert len(entries) >= 5
    for block in blocks:
        assert re.match(r"[A-Za-z0-9_.\[\]-]+==[^\s;]+", block), block[:60]
        assert "--hash=sha256:" in block, block[:60]
    assert "://" not in text
