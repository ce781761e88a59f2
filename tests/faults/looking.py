"""What several fault tests look at: the state of a folder, and whether a store is whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from helix import Helix
from helix.ledger.verifying import Sound

SCOPE = "project:faults"


def folder_state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return each file's bytes and time of change: equal states mean nothing was touched."""
    return {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in folder.iterdir()}


def told(memory: Helix) -> list[str]:
    """Return the event ids in the ledger, oldest first."""
    entries = memory.history.log(limit=10_000)
    return [entry.event_id for entry in reversed(entries)]


def assert_whole(memory: Helix) -> None:
    """Fail unless the chain holds and folding again gives the same projection."""
    assert isinstance(memory.upkeep.verify(), Sound)
    assert memory.upkeep.rebuild(check_only=True).differences == ()


def begin(module: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a process that speaks in lines."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def say(process: subprocess.Popen[str], line: str = "") -> None:
    """Hand a process one line."""
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def tell(line: str) -> None:
    """Say a line to whoever started this process."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def hear(process: subprocess.Popen[str]) -> str:
    """Return the next line a process says; what it complains of fails the test."""
    assert process.stdout is not None
    line = process.stdout.readline().rstrip("\n")
    if not line:
        _, complaint = process.communicate()
        raise AssertionError(complaint or "the process ended without a word")
    return line


def end(process: subprocess.Popen[str]) -> None:
    """Let a process end by itself and insist that it was content."""
    _, complaint = process.communicate()
    assert process.returncode == 0, complaint
    assert not complaint
