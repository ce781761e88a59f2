"""Drives the real program, in a home of its own, outside every repository."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

from helix import Helix

PROGRAM = Path(sys.executable).with_name("helix")
PROJECT = "demo-shop"


@dataclass(frozen=True)
class Ran:
    """What a run of the program left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self):
        assert self.err == "", self.err
        return json.loads(self.out)

    @property
    def error(self):
        assert self.out == "", self.out
        return json.loads(self.err)["error"]

    @property
    def memory_id(self):
        return self.document["memory"]["id"]


class Program:
    """The installed `helix`, run as a process."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "HELIX_HOME": str(home),
            "HELIX_PROJECT": PROJECT,
            "LANG": "C.UTF-8",
        }
        if "PYTHONPATH" in os.environ:  # where the sources under test are not the installed ones
            self.environment["PYTHONPATH"] = os.environ["PYTHONPATH"]

    def command(self, *args: str, first: str = "") -> list[str]:
        """Return what to execute; `first` is Python that prepares the process it becomes."""
        if not first:
            return [str(PROGRAM), *args]
        become = f"import ctypes, os, signal, sys; {first}; os.execv(sys.argv[1], sys.argv[1:])"
        return [sys.executable, "-c", become, str(PROGRAM), *args]

    def __call__(
        self,
        *args: str,
        text: str | bytes = b"",
        environment: Mapping[str, str] = MappingProxyType({}),
        first: str = "",
    ) -> Ran:
        # Without text, a pipe that is empty: what an agent's hook hands over.
        done = subprocess.run(
            self.command(*args, first=first), capture_output=True, check=False, cwd=self.home,
            input=text.encode() if isinstance(text, str) else text,
            env=self.environment | dict(environment), timeout=30,
        )  # fmt: skip
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture
def helix(tmp_path):
    return Program(tmp_path)


@pytest.fixture
def memory(tmp_path):
    """The same memory as the program's, opened in this process: quicker to fill."""
    path, scope = tmp_path / "memory.db", f"project:{PROJECT}"
    with Helix.open(path, scope=scope, background=False) as opened:
        yield opened
