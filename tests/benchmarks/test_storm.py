"""What is said of a storm can be wrong: each of its checks notices what it is there for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from benchmarks.storm import grown, processes_of, storm_checks

CALM: Mapping[str, Any] = {
    "errors": 0, "hook_faults": 0, "missing": 0, "sound": True, "left": 0, "growth": 1.0,
    "calls": 5, "hooks": 5, "commands": 5,
}  # fmt: skip


def test_a_calm_storm_holds_every_check() -> None:
    """Nothing failed, nothing is missing, nothing is left."""
    assert all(check.held for check in storm_checks(CALM))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("errors", 1), ("hook_faults", 1), ("missing", 1), ("sound", False), ("left", 1),
        ("growth", 1.5), ("growth", 0.0), ("hooks", 0),
    ],
)  # fmt: skip
def test_each_check_notices_what_it_is_there_for(name: str, value: object) -> None:
    """One thing that is wrong fails one check."""
    assert [check.held for check in storm_checks({**CALM, name: value})].count(False) == 1


def test_growth_is_the_last_quarter_beside_the_second() -> None:
    """What a server takes while it starts is not growth."""
    assert grown([10, 50, 100, 100, 100, 100, 100, 100]) == 1.0
    assert grown([10, 50, 100, 100, 120, 140, 200, 200]) == 2.0


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
def test_a_process_that_is_left_is_found(tmp_path: Path) -> None:
    """Whoever was started with the storm's home counts, whoever started it."""
    left = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True); input()"],
        env={"HELIX_HOME": str(tmp_path)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert left.stdout is not None
    left.stdout.readline()
    assert processes_of(tmp_path) == [left.pid]
    left.communicate(b"\n", timeout=10)
    assert processes_of(tmp_path) == []
