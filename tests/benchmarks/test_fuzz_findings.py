"""What fuzzing has found, kept: none of these may break what they broke once."""

from __future__ import annotations

import json
import random

import pytest
from benchmarks.integrity import fuzz_lines, fuzzing
from benchmarks.integrity.fuzz_targets import FIRST, targets
from benchmarks.integrity.fuzz_times import Times, Tried
from benchmarks.integrity.fuzzing import Asked, judged

from helix.doors.cli.table import COMMANDS

INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {},
    "clientInfo": {"name": "t", "version": "1"}}}  # fmt: skip
CONCLUSION = {"type": "fact", "content": "Water is wet.", "cites": [], "relation": "new",
              "target": None}  # fmt: skip
DEEP = "[" * 5_000
FOUND = [
    ("transcripts", DEEP),
    ("a model's reply", DEEP),
    ("a model's reply", '{"conclusions": ' + DEEP),
    ("a model's reply", json.dumps({"conclusions": [CONCLUSION | {"cites": [{}]}]})),
    ("a model's reply", json.dumps({"conclusions": [CONCLUSION | {"cites": [["x"]]}]})),
    ("a model's rating", DEEP),
    ("a model's rating", '{"ratings": [{"id": [], "importance": 3}]}'),
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
    ("MCP frames", DEEP),
    # Half a character in the id of a greeting, which is answered before the SDK is there.
    ("MCP frames", json.dumps(INITIALIZE | {"id": "\ud800"})),
    ("handed over", "not JSON"),
    ("handed over", "[]"),
    ("handed over", '{"args": [], "folder": "/"}'),
    ("handed over", DEEP),
    ("exported files", "half a character: \udfff"),
    (
        "a model's answer",
        '{"choices": [{"message": {"content": "x"}}], "usage": {"total_tokens": Infinity}}',
    ),
    ("talk", "use x" + " " * 3_000 + "y"),
    ("talk", "use x" + ". " * 1_500 + "y"),
]


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    with targets(tmp_path_factory.mktemp("fuzz")) as every:
        yield every


@pytest.mark.parametrize(("target", "given"), FOUND)
def test_what_was_found_stays_mended(known, target, given):
    """It is taken or refused in Helix's own words, within a second."""
    if target not in known:
        pytest.skip("this door is not installed here")
    _, broke = judged(target, known[target], given)
    assert broke is None


def test_every_door_and_reader_is_fuzzed(known):
    """A new one is added to the targets, or this list shrinks."""
    optional = {"REST", "REST hooks", "handed over", "MCP frames", "MCP over HTTP"}
    assert set(FIRST) <= set(known) | optional


@pytest.mark.parametrize("target", ["review", "subject", "commands"])
def test_what_only_the_user_may_do_is_tried_as_the_user(known, target, monkeypatch):
    """An agent is turned away before anything is read, and ten minutes of that are nothing."""
    answered = []
    really = fuzz_lines.called

    def spied(words, door):
        answered.append(really(words, door))

    monkeypatch.setattr(fuzz_lines, "called", spied)
    for number in range(100):
        judged(target, known[target], f"the pump of station {number} was mended by Anna")
    assert len(answered) > 20


def test_every_command_is_tried_or_left_out_by_name():
    """A new command is fuzzed from its first day."""
    tried = {
        fuzz_lines._line("some words", ["mem_x"], random.Random(seed))[0] for seed in range(1000)
    }
    assert tried == set(COMMANDS) - fuzz_lines.OUTSIDE - fuzz_lines.WHOLE
    assert set(COMMANDS) >= fuzz_lines.OUTSIDE | fuzz_lines.WHOLE


def test_time_is_kept_and_gone_on_from(tmp_path):
    """A target that has had its time gets no more; the next run begins with the others."""
    keep = tmp_path / "times.json"
    first, _ = fuzzing.run(Asked(0.05, names=("words", "remotes"), share=(2, 2), keep=keep))
    assert list(first["inputs"]) == ["remotes"]
    both, _ = fuzzing.run(Asked(0.05, names=("words", "remotes"), keep=keep))
    assert both["inputs"]["remotes"] == first["inputs"]["remotes"]
    assert both["inputs"]["words"] > 0
    told, lines = fuzzing.report(Asked(0.05, names=("words", "remotes", "times"), keep=keep))
    assert told["inputs"] == both["inputs"] | {"times": 0}
    assert told["processor_seconds"]["words"] >= 0.05
    assert any("words" in line for line in lines)


def test_several_keep_their_time_in_one_file(tmp_path):
    """Two shares side by side: neither takes away what the other had."""
    one, other = (Times.kept_in(tmp_path / "times.json") for _ in range(2))
    for times, name in ((one, "words"), (other, "talk"), (one, "words")):
        times.add(Tried(name, 7, 60.0))
    assert {each.name: each.seconds for each in one.rows} == {"words": 120.0, "talk": 60.0}
    assert Times.kept_in(tmp_path / "times.json").rows == one.rows


def test_what_breaks_is_told_once_and_kept(tmp_path):
    """The same break by many inputs is one finding, with the first input that showed it."""

    def breaks(text):
        raise ZeroDivisionError(f"at {len(text)}")

    tried = fuzzing.by_mutation("it", breaks, 0.05, "chance")
    assert len(tried.findings) == 1
    times = Times.kept_in(tmp_path / "times.json")
    times.add(tried)
    times.add(fuzzing.by_mutation("it", breaks, 0.05, "another"))
    kept = Times.kept_in(tmp_path / "times.json").rows
    assert [len(each.findings) for each in kept] == [1]
