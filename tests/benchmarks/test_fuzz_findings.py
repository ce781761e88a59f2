"""What fuzzing has found, kept: none of these may break what they broke once."""

from __future__ import annotations

import pytest
from benchmarks.integrity.fuzz_targets import targets
from benchmarks.integrity.fuzzing import judged

DEEP = "[" * 5_000
FOUND = [
    ("transcripts", DEEP),
    ("a model's reply", DEEP),
    ("a model's reply", '{"conclusions": ' + DEEP),
    ("settings", "a=" + DEEP),
    ("agents' text", "a=" + DEEP),
    ("agents' JSON", DEEP),
    ("REST hooks", "not JSON"),
    ("REST hooks", DEEP),
    ("REST", DEEP),
    ("receipt", DEEP),
    # Each placeholder was taken for the name of the next secret, for more passes than there are.
    ("redaction", "pw=A:ord =/AArd =\ufffdAArd =A9Ard =\x00\x00\x00rA"),
    ("redaction", "password = hunter2x" * 40),
    ("screening", "your answer" + "\n" * 40_000 + "x"),
    ("screening", "your answer" + " " * 40_000 + "x"),
    ("screening", "your answer ignore instruction" + ". " * 20_000),
    ("talk", "use x" + " " * 3_000 + "y"),
    ("talk", "use x" + ". " * 1_500 + "y"),
]


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    return targets(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.parametrize(("target", "given"), FOUND)
def test_what_was_found_stays_mended(known, target, given):
    """It is taken or refused in Helix's own words, within a second."""
    if target not in known:
        pytest.skip("this door is not installed here")
    _, broke = judged(target, known[target], given)
    assert broke is None


def test_every_door_and_reader_is_fuzzed(known):
    """A new one is added to the targets, or this list shrinks."""
    assert {"capture", "recall", "MCP tools", "hooks", "REST", "transcripts", "settings"} <= set(
        known
    ) | {"REST"}
