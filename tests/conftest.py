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
settings.load_profile(os.environ.get("HELIX_TEST_PROFILE", "ci"))
