"""Half a secret is a secret: texts are cleaned before they are cut.

Every secret here was made up for this file.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.rules.secrets.cutting import MARGIN, beginning, ending, gist, last_line
from helix.rules.secrets.redacting import redacted

DRAWN = "q7Zt2Lw9Xc4Vb6Nm1Kj8Hg5Fd3Sa0Pr7Yu2Io6Te9Wq4Zx1Cv5Bn8"
TOKEN = "gh" + "p_" + DRAWN[:36]
CUTS = [beginning, ending, gist, last_line]
HALF = 6
"""Letters of a secret that must not be found in a row."""


def holds_part(text: str, secret: str) -> bool:
    return any(secret[at : at + HALF] in text for at in range(len(secret) - HALF))


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("long", [0, 2 * MARGIN])
def test_no_part_of_a_token_survives_a_cut(cut, long):
    """Wherever it is cut, in short texts and in long ones."""
    for at in range(150, 310):
        text = "w " * (long // 2) + ("word " * 80)[:at] + f" {TOKEN} " + "more " * 80
        text = text[long:] + text[:long] if cut in (beginning, gist) else text
        assert not holds_part(cut(text, 300), TOKEN), at


def test_a_value_does_not_survive_without_its_name():
    """The end of a failure begins behind the name, and the value in it is gone."""
    secret = "Qw29fj3kd9s!zz"
    for kept in range(1, 60):
        text = "x " * 500 + f'password = "{secret}"\n' + "f" * (300 - kept)
        assert not holds_part(ending(text, 300), secret), kept


def test_a_last_line_is_redacted_by_what_stands_above_it():
    """The name of a value may stand one line above it."""
    text = "env:\n- name: DB_PASSWORD\n  value: Xk29fj3kd9s!x"
    assert last_line(text, 300) == "value: [redacted password]"


@pytest.mark.parametrize("cut", CUTS)
def test_a_placeholder_is_never_cut_in_half(cut):
    """A mark that something was taken out is whole, or not there."""
    for at in range(60, 110):
        text = "w" * at + f" {TOKEN} " + "w" * (170 - at)
        left = re.sub(r"\[redacted github-token\]", "", cut(text, 100))
        assert "[" not in left, at
        assert "redact" not in left, at
        assert "]" not in left, at


@pytest.mark.parametrize("cut", CUTS)
def test_only_what_is_near_is_cleaned(cut):
    """Megabytes of output cost no more than the part that is kept and what may reach into it."""
    seen = []

    def clean(text):
        seen.append(len(text))
        return text

    cut("word " * 1_000_000, 300, clean)
    assert sum(seen) <= 300 + 2 * MARGIN


def test_what_placeholders_bring_near_is_dropped():
    """Where whole keys shrink to a mark, the edge of what was cleaned comes close."""
    begin, end = "-----BEGIN " + "PRIVATE KEY-----\n", "\n-----END " + "PRIVATE KEY-----\n"
    keys = (begin + "\n".join([DRAWN] * 296) + end) * 2
    room = MARGIN + 300 - len(keys)
    assert 0 < room < 300
    first = keys + "w" * (room - 39) + " " + TOKEN + " more" * 20_000
    assert not holds_part(beginning(first, 300), TOKEN)
    secret = "Qw29fj3kd9s!zz"
    last = "more " * 20_000 + f"password = {secret}\n" + "w" * (room - 16) + "\n" + keys.strip()
    assert not holds_part(ending(last, 300), secret)


def test_the_gate_that_is_given_is_used():
    """Who wants people's data out has it taken out before the cut as well."""
    text = "w" * 290 + " jane@corp.io and more " + "w" * 100
    after = beginning(text, 300, lambda text: redacted(text, people=True))
    assert "jane" not in after
    assert len(after) <= 300


@given(st.text(max_size=400), st.integers(min_value=2, max_value=200))
def test_what_is_cut_is_never_longer_than_asked_for(text, letters):
    """The mark of the cut included; an end has its mark before it."""
    for cut in CUTS:
        assert len(cut(text, letters)) <= letters + 2 * (cut is ending)
