"""Recall compares a question with memories word by word, where the model tells of words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.model.outcome import Kept
from helix.recall.scoring import BY_WORD, OF_MEMORIES, OF_SESSIONS, Tuning, ranked
from helix.recall.signals import Candidate
from helix.testing.builders import SOME_MOMENT, a_memory, open_memory
from helix.testing.embedders import TellingWordBags

SIGNAL = "word by word"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Helix]:
    embedder = TellingWordBags()
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        yield Helix(replace(open_memory(store).context, embedder=lambda: embedder))


def kept(memory: Helix, text: str, session: str = "") -> str:
    outcome = memory.capture(text, session=session)
    assert isinstance(outcome, Kept)
    return outcome.memory.id


def shares(memory: Helix, question: str, **more: object) -> dict[str, float]:
    answer = memory.recall(question, explain=True, **more)  # type: ignore[arg-type]
    return {each.memory.id: each.because.get(SIGNAL, 0.0) for each in answer.remembered}


def test_the_memory_with_the_words_asked_for_gains_by_each_of_them(memory: Helix) -> None:
    """It is told by `explain`; a signal that is switched off says nothing."""
    both = kept(memory, "the otter swims under the bridge")
    one = kept(memory, "the otter sleeps on a stone")
    kept(memory, "the badger digs a hole")
    memory.upkeep.enrich()
    found = shares(memory, "where does the otter swims")
    assert found[both] > found[one] > 0.0
    off = Tuning(switched_off=frozenset({SIGNAL}))
    assert set(shares(memory, "where does the otter swims", tuning=off).values()) == {0.0}


def test_a_rare_word_says_more_than_a_common_one(memory: Helix) -> None:
    """Everybody speaks of otters; only one memory has the lantern."""
    common = [kept(memory, f"the otter was seen by person {number}") for number in range(8)]
    rare = kept(memory, "a lantern hangs in the harbour")
    memory.upkeep.enrich()
    found = shares(memory, "otter lantern", limit=20)
    assert found[rare] > max(found[each] for each in common if each in found)


def test_a_session_is_as_close_as_the_closest_that_was_said_in_it(memory: Helix) -> None:
    """The words may stand in another turn than the one that speaks for the session."""
    for number in range(4):
        kept(memory, f"good morning friend number {number}", "talk")
    lantern = kept(memory, "a lantern hangs in the harbour", "talk")
    for number in range(4):
        kept(memory, f"nothing new from place {number}", "other")
    memory.upkeep.enrich()
    answer = memory.recall("lantern harbour", by_session=True, explain=True)
    first = answer.remembered[0]
    assert first.memory.id == lantern
    assert first.because[SIGNAL] > 0.0


def test_of_whom_nothing_is_told_counts_as_its_meaning() -> None:
    """What was embedded before words were kept neither wins nor loses by that."""

    def candidate(name: str, meaning: float, word_by_word: float | None) -> Candidate:
        return Candidate(
            a_memory(name, name), words=1.0, meaning=meaning, word_by_word=word_by_word
        )

    told, far = candidate("told", 0.5, 0.8), candidate("far", 0.1, 0.2)
    untold = candidate("untold", 0.5, None)
    ranked([told, untold, far], SOME_MOMENT, Tuning())
    assert untold.contributions[SIGNAL] == pytest.approx(told.contributions[SIGNAL])
    assert far.contributions[SIGNAL] == 0.0


def test_an_exact_word_is_as_close_as_can_be_though_nothing_is_told_of_it() -> None:
    """An error code that was embedded before words were kept does not lose by that."""
    code = Candidate(a_memory("code", "code"), words=9.0, meaning=0.2)
    others = [
        Candidate(a_memory(f"o{n}", f"o{n}"), words=1.0, meaning=0.5, word_by_word=0.5 + n / 10)
        for n in range(4)
    ]
    ranked([*others, code], SOME_MOMENT, Tuning())
    assert code.contributions[SIGNAL] == others[-1].contributions[SIGNAL] > 0.0


def test_without_words_everything_is_weighed_as_ever() -> None:
    """A model that tells nothing of words takes nothing from the words that are counted."""
    for weights in (OF_MEMORIES, OF_SESSIONS):
        assert weights.word_by_word == weights.given_up == weights.gained == 0.0
        assert BY_WORD[weights].word_by_word > 0.0
    pair = [
        Candidate(a_memory("wordy", "wordy"), words=2.0, meaning=0.2),
        Candidate(a_memory("meant", "meant"), words=1.0, meaning=0.6),
    ]
    ranked(pair, SOME_MOMENT, Tuning())
    assert all(SIGNAL not in each.contributions or not each.contributions[SIGNAL] for each in pair)
