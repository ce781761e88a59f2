"""The page on erasing is run as it stands, and prints what it shows."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "how-to-erase.md"
_BLOCK = re.compile(r"^ *```\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_CHANCE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d|\b[0-9a-f]{16}…")
"""What is another every time: moments and seals."""

LIVED = [
    ["remember", "Invoices are sent on the first Monday"],
    ["capture", "Alice Example asked for her invoices by mail"],
    ["remember", "--type", "preference", "Alice Example prefers invoices as PDF"],
]


def test_the_page_prints_what_it_shows(tmp_path):
    """Every command of every block, in order, at a terminal where somebody answers yes."""
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(tmp_path), "HELIX_HOME": str(tmp_path / "helix"),
        "HELIX_PROJECT": "github.com/acme/shop", "LANG": "C.UTF-8",
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }  # fmt: skip

    def helix(*args: str) -> str:
        keyboard, terminal = pty.openpty()
        try:
            os.write(keyboard, b"y\n")
            done = subprocess.run(
                [sys.executable, "-m", "helix", *args], stdin=terminal, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, env=environment, cwd=tmp_path, timeout=60, check=False,
            )  # fmt: skip
        finally:
            os.close(keyboard)
            os.close(terminal)
        shown = done.stdout.decode()
        assert done.returncode == 0, shown
        return shown.replace("[y/N]: ", "[y/N]: y\n")

    for args in LIVED:
        helix(*args)
    blocks = [textwrap.dedent(each) for each in _BLOCK.findall(PAGE.read_text(encoding="utf-8"))]
    assert len(blocks) == 3
    for block in blocks:
        for shown in block.split("$ helix ")[1:]:
            called, _, expected = shown.partition("\n")
            said = helix(*shlex.split(called))
            assert _CHANCE.sub("…", said) == _CHANCE.sub("…", expected), called
