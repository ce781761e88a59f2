"""Settings shared by every test: how hard Hypothesis tries.

    HELIX_TEST_PROFILE=thorough make test

`ci` (the default) draws the same examples every time, so that a red build is a red
build; `thorough` draws new ones, and many more.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("helix.testing")

PROFILES = {
    "ci": settings(max_examples=100, derandomize=True),
    "thorough": settings(max_examples=1_000, print_blob=True),
}

for _name, _profile in PROFILES.items():
    # A busy machine must not turn a slow example into a failure.
    settings.register_profile(
        _name, _profile, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what the integrity gate measured, passed or not: both numbers, attack by attack."""
    lines = sorted(
        str(value)
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, ())
        for name, value in getattr(report, "user_properties", ())
        if name == "gate"
    )
    if lines:
        terminalreporter.section("integrity gate")
        for line in lines:
            terminalreporter.write_line(line)


settings.load_profile(os.environ.get("HELIX_TEST_PROFILE", "ci"))
