"""Changing the embedder survives being killed, and questions do not notice."""

from __future__ import annotations

import pytest
from benchmarks import switching

from helix.adapters.models import locating
from helix.adapters.models.recipes import STATIC_256


@pytest.mark.skipif(
    bool(locating.missing_packages(STATIC_256)) or not locating.installed_package(STATIC_256),
    reason="the static vectors are not installed",
)
def test_a_switch_killed_half_way_goes_on_where_it_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The old model serves until the new one knows everything; every question is answered."""
    monkeypatch.setenv("HELIX_HOME", "")  # put back afterwards: a run sets its own
    found, _ = switching.run(1_200, "openai:word-bags", "static-256", seed=3)
    checks = found["checks"]
    assert isinstance(checks, list)
    assert len(checks) == 10
    assert [check["target"] for check in checks if not check["held"]] == [], found
