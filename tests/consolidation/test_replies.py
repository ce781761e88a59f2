"""What a model replies is taken as it should be, or passed over with the reason."""

from __future__ import annotations

import json

import pytest
from tests.consolidation.nights import a_memory_of, night_of

from helix.consolidation.replies import without_secrets
from helix.consolidation.thinking import believed, questions
from helix.rules.secrets.redacting import redacted

TOKEN = "gh" + "p_" + "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2I"
PASSWORD = "Xk29" + "vQw7Lm3p"


@pytest.mark.parametrize("content", ["half a character \ud800", "\udfff"])
def test_half_a_character_is_no_content(content):
    """JSON can name half a character; nothing that is kept can hold one."""
    night = night_of(a_memory_of(["We use pnpm here, not npm"], attributes={"role": "user"}))
    question = next(questions(night))
    said = {"type": "fact", "content": content, "cites": [question.episodes[0].id],
            "relation": "new", "target": None}  # fmt: skip
    findings = believed(night, question, json.dumps({"conclusions": [said]}))
    assert findings.conclusions == ()
    assert "not text" in findings.passed[0].why


def test_what_is_passed_over_can_be_told():
    """What a run left alone is kept with it, so it must be text, whatever a model sent."""
    night = night_of(a_memory_of(["We use pnpm here, not npm"], attributes={"role": "user"}))
    question = next(questions(night))
    findings = believed(night, question, '{"conclusions": ["\\ud800", {"content": "\\ud800"}]}')
    assert len(findings.passed) == 2
    "".join(each.what + each.why for each in findings.passed).encode()


@pytest.mark.parametrize("padding", ["", "x" * 100])
def test_a_secret_in_what_is_passed_over_is_not_told(padding):
    """It is taken out before the report is cut: half a secret could no longer be told."""
    night = night_of(a_memory_of(["We use pnpm here, not npm"], attributes={"role": "user"}))
    question = next(questions(night))
    item = {"content": f"{padding} {TOKEN}"}
    cites = {"type": "fact", "content": "We use pnpm", "cites": [TOKEN], "relation": "new",
             "target": None}  # fmt: skip
    findings = believed(night, question, json.dumps({"conclusions": [item, cites]}))
    told = "".join(each.what + each.why for each in findings.passed)
    assert TOKEN[:12] not in told


@pytest.mark.parametrize(
    "said",
    [
        {"conclusions": [{"content": f"it is {TOKEN}"}]},
        {"conclusions": [{TOKEN: 1}]},
        {"conclusions": [{"password": PASSWORD}]},
        {"conclusions": [{"content": f'say "password = {PASSWORD}" to it'}]},
        [f"first {TOKEN}", {"deep": [TOKEN]}],
        TOKEN,
    ],
)
def test_a_reply_is_kept_without_secrets_and_stays_a_reply(said):
    """Wherever they stand in it; and doing it again changes nothing."""
    clean = without_secrets(json.dumps(said), redacted)
    assert TOKEN not in clean
    assert PASSWORD not in clean
    json.loads(clean)
    assert without_secrets(clean, redacted) == clean


def test_a_reply_without_secrets_is_kept_as_it_came():
    """Whatever its spelling; and what is no JSON is cleaned as text."""
    text = '{"conclusions":  [ {"content": "caf\u00e9 \ud800", "cites": ["ep_1"]} ]}'
    assert without_secrets(text, redacted) == text
    assert TOKEN not in without_secrets(f"no JSON {TOKEN}", redacted)


def test_ids_that_were_shown_are_left_alone():
    """Citing is by id, and an id may look like anything."""
    text = json.dumps({"cites": ["ep_one"]})
    assert without_secrets(text, lambda said: said.replace("ep_one", "gone"), ["ep_two"]) != text
    assert "ep_one" in without_secrets(text, lambda said: "gone" if said == "ep_one" else said,
                                       ["ep_one"])  # fmt: skip
