"""What a model replies is taken as it should be, or passed over with the reason."""

from __future__ import annotations

import json

import pytest
from tests.consolidation.nights import a_memory_of, night_of

from helix.consolidation.thinking import believed, questions


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
