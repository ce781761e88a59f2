"""What stands in no session is not ranked by its words three times over."""

from __future__ import annotations

from helix.recall.scoring import Tuning, ranked
from helix.recall.signals import Candidate
from helix.testing.builders import SOME_MOMENT, a_memory


def _fact(name: str, *, words: float, meaning: float) -> Candidate:
    return Candidate(
        a_memory(name, name), words=words, words_around=words, words_in_session=words,
        meaning=meaning, meaning_around=meaning,
    )  # fmt: skip


def test_meaning_stands_in_for_a_context_that_is_missing() -> None:
    """One more shared word does not outweigh the thing that is meant, beside an episode."""
    wordy, meant = _fact("wordy", words=10.0, meaning=0.55), _fact("meant", words=7.0, meaning=0.8)
    episode = Candidate(
        a_memory("episode", "e"), words=1.0, words_around=2.0, words_in_session=2.0,
        meaning=0.2, meaning_around=0.2, in_context=True,
    )  # fmt: skip
    order = ranked([wordy, meant, episode], SOME_MOMENT, Tuning())
    assert [each for _, each in order] == [meant, wordy, episode]


def test_what_is_not_embedded_yet_is_found_by_its_words() -> None:
    """It was captured a moment ago, and the others have nothing to do with the question."""
    fresh, others = _fact("fresh", words=9.0, meaning=0.0), _fact("other", words=0.0, meaning=0.2)
    beside = Candidate(a_memory("episode", "e"), meaning=0.1, in_context=True)
    order = ranked([others, fresh, beside], SOME_MOMENT, Tuning())
    assert order[0][1] is fresh


def test_without_meaning_words_decide() -> None:
    """As before."""
    wordy, other = _fact("wordy", words=10.0, meaning=0.0), _fact("other", words=7.0, meaning=0.0)
    order = ranked([other, wordy], SOME_MOMENT, Tuning())
    assert [each for _, each in order] == [wordy, other]
