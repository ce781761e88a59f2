"""Who asks does not tell: questions in memory rank below answers, and make nobody sure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix.recall.abstention import confidence
from helix.recall.scoring import Tuning, ranked
from helix.recall.signals import Candidate, share_asked
from helix.testing.builders import SOME_MOMENT, a_memory


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("The agency supports everybody.", 0.0),
        ("What made you pick the agency?", 1.0),
        ("Great! What made you pick it?", 23 / 29),
        ("https://shop.test/?page=2 is slow", 0.0),
        ("", 0.0),
    ],
)
def test_how_much_of_a_text_asks(text: str, share: float) -> None:
    """Sentences that end in a question mark; a mark inside a word is none."""
    assert share_asked(text) == pytest.approx(share)


@given(st.text(max_size=80))
def test_a_share_is_a_share(text: str) -> None:
    """Whatever the text."""
    assert 0.0 <= share_asked(text) <= 1.0


def test_of_two_that_fit_alike_the_one_that_tells_comes_first() -> None:
    """Both hold the same words and mean the same."""
    asks, tells = _candidate("Did you pick it?"), _candidate("I did pick it.")
    asks.asks = share_asked(asks.memory.content)
    order = ranked([asks, tells], SOME_MOMENT, Tuning())
    assert [each for _, each in order] == [tells, asks]


def test_a_long_request_tells_what_it_is_about() -> None:
    """It is no question and nothing else."""
    assert share_asked("we moved to pnpm " * 20 + "and how do I run the tests now?") == 0.0


def _candidate(text: str, *, named: float = 0.0) -> Candidate:
    memory = a_memory("mem_1", text)
    return Candidate(memory, meaning=0.5, matched=("agency",), named=named, in_context=True)


def test_a_question_makes_half_as_sure() -> None:
    """It shows that it was spoken of, not what the answer is."""
    telling = confidence(("agency", "pick"), _candidate("The agency it is."))
    assert confidence(("agency", "pick"), _candidate("The agency?")) == pytest.approx(telling / 2)


def test_what_others_said_makes_less_sure() -> None:
    """The question names somebody, and most of the best are by somebody else."""
    hers, theirs = _candidate("Mel: yes", named=1.0), _candidate("Ann: yes")
    sure = [
        confidence(("agency",), theirs, among)
        for among in ([hers] * 5, [theirs, hers, hers, hers, hers], [theirs] * 4 + [hers])
    ]
    assert sure == sorted(sure, reverse=True)
    assert sure[0] > sure[-1] > 0
    assert confidence(("agency",), theirs, [theirs] * 5) == sure[0]  # nobody is named
