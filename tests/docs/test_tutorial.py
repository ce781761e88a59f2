"""The tutorial's blocks are run, in order, as a newcomer would type them."""

import os
import re
import subprocess
import sys
from pathlib import Path

from helix.doors.reference import page

DOCS = Path(__file__).parents[2] / "docs"
_SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_tutorial_runs(tmp_path):
    """Every command of every block succeeds, in one shell, in a home with an agent in it."""
    home = tmp_path / "home"
    (home / ".cursor").mkdir(parents=True)
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "helix"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m helix "$@"\n')
    program.chmod(0o755)
    blocks = _SHELL.findall((DOCS / "tutorial.md").read_text(encoding="utf-8"))
    assert len(blocks) >= 8
    environment = {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "HOME": str(home),
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""), "LANG": "C.UTF-8",
    }  # fmt: skip
    done = subprocess.run(
        ["sh", "-ex"], input="\n".join(blocks), text=True, capture_output=True, check=False,
        cwd=tmp_path, env=environment, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert "SKIP LOCKED" in done.stdout
    assert "rounded once, on the total" in done.stdout
    assert list((home / ".cursor").iterdir()) == []


def test_the_reference_is_what_the_code_says():
    """`python -m helix.doors.reference > docs/reference.md` brings it up to date."""
    assert (DOCS / "reference.md").read_text(encoding="utf-8") == page()
