"""A step is the command that was run, not what somebody says became of it."""

from __future__ import annotations

import pytest

from helix.rules.steps import step_of
from helix.rules.turns import turn_of
from helix.testing.builders import open_memory
from helix.testing.reference_store import ReferenceStore


def step(text, exit_status=None, tool="bash"):
    memory = open_memory(ReferenceStore())
    kept = memory.capture(text, tool=tool, exit_status=exit_status, session="s1")
    return step_of(turn_of(kept.memory))


@pytest.mark.parametrize(
    ("text", "status", "words", "failed", "complaint"),
    [
        ("make check failed: TIDEPOOL_TZ is not set", 2, "make check", True,
         "TIDEPOOL_TZ is not set"),
        ("make check failed: TIDEPOOL_TZ is not set", None, "make check", True,
         "TIDEPOOL_TZ is not set"),
        ("pytest tests/test_login.py failed: 3 of 12 tests", 1, "pytest tests/test_login.py",
         True, ""),
        ("pytest tests/test_login.py passed: 12 tests", 0, "pytest tests/test_login.py", False, ""),
        ("npm install error: EACCES on /usr/lib", 1, "npm install", True, "EACCES"),
        ("npm run build failed with TypeError", 1, "npm run build", True, "TypeError"),
        ("make deploy succeeded", None, "make deploy", False, ""),
        ("cargo test failed", None, "cargo test", True, ""),
        ("make check", 2, "make check", True, ""),
        ("pytest --last-failed", 1, "pytest --last-failed", True, ""),
        ("ctest --only failed", 1, "ctest --only failed", True, ""),
        ("./report.sh 'build failed: retry'", 0, "./report.sh 'build failed: retry'", False, ""),
        ("PORT=3000 npm run dev", 0, "PORT=3000 npm run dev", False, ""),
        ("$ pytest -k failed", 0, "pytest -k failed", False, ""),
        ("Run the tests of the parser\n$ pytest tests/parser\n3 passed", 0, "pytest tests/parser",
         False, ""),
        ("Run the parser\n$ python run.py\nKeyError: 'x'", 1, "python run.py", True, "KeyError"),
    ],
)  # fmt: skip
def test_the_command_is_told_from_what_became_of_it(text, status, words, failed, complaint):
    """As the tutorial writes it, as a hook does, or plain."""
    found = step(text, status)
    assert found is not None
    assert (found.words, found.failed, found.complaint) == (words, failed, complaint)


@pytest.mark.parametrize(
    "text",
    [
        "Looked into the parser, it drops the last line",
        "The build failed: out of disk",
        "tests failed: 3 of 12",
        "error: could not compile `gateway`",
        "Had to restart the queue before the tests ran",
    ],
)
def test_prose_is_no_command(text):
    """Somebody who notes what happened has run nothing by these words."""
    assert step(text, 1) is None
