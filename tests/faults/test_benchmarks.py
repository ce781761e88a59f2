"""The benchmarks run from a shell and report what they promise to report."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

FAULT_KEYS = {
    "acknowledged", "lost", "duplicated", "errors", "chain_ok", "rebuild_equal", "kills",
    "seconds", "control_caught",
}  # fmt: skip


def measured(*arguments: str) -> dict[str, Any]:
    """Return the JSON document a benchmark prints; missed targets are findings, not failures."""
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments, "--json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    findings: dict[str, Any] = json.loads(ran.stdout)
    return findings


def test_faults_reports_its_keys_and_nothing_lost() -> None:
    """`faults` prints exactly the agreed keys."""
    found = measured("faults", "--kills", "1", "--writers", "1")
    assert set(found) == FAULT_KEYS
    assert (found["kills"], found["lost"], found["errors"]) == (1, 0, 0)
    assert found["control_caught"]


def test_scale_reports_every_size_and_every_target() -> None:
    """`scale` measures at each size asked for, beside the yardstick, and judges its targets."""
    found = measured("scale", "--sizes", "200,600", "--queries", "8")
    assert [stage["size"] for stage in found["stages"]] == [200, 600]
    for stage in found["stages"]:
        assert 0 < stage["bare_capture"]["p50"] < stage["capture"]["p50"]
        assert stage["recall"]["count"] == 8
        assert stage["reader_bytes"] > 1_000_000
    assert len(found["checks"]) == 5
    assert found["growth_exponents"]["capture_cpu"] > 0


def test_writers_reports_every_process_and_no_errors() -> None:
    """`writers` tells what each process got done and how long the log became."""
    found = measured("writers", "--processes", "2", "--seconds", "1")
    assert found["errors"] == 0
    assert len(found["by_process"]) == 2
    assert found["captures"] == sum(each["captures"] for each in found["by_process"])
    assert sum(found["histogram_ms"].values()) == found["captures"]
    assert found["log"]["max_bytes"] > 0
