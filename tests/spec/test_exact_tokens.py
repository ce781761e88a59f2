"""What was written down once, letter by letter, is found first when it is asked for so."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.meaning.tokens import QUESTIONS, planted
from benchmarks.texts import Author

from helix import Helix
from helix.model.recollection import Recollected

MEMORIES, TOKENS = 2_000, 10


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Helix:
    """A store of episodes like each other, ten of which hold a token that no other holds."""
    folder: Path = tmp_path_factory.mktemp("tokens")
    memory = Helix.open(folder / "memory.db", scope="project:tokens")
    author = Author(1)
    every = MEMORIES // TOKENS
    for number in range(MEMORIES):
        text = author.episode()
        if number % every == 0:
            text += " " + planted(1, number // every).sentence
        memory.capture(text, session=f"session-{number // 25}")
    return memory


@pytest.mark.parametrize("number", range(TOKENS))
@pytest.mark.parametrize("form", QUESTIONS)
def test_a_token_captured_once_is_at_rank_one(filled: Helix, number: int, form: str) -> None:
    """An error code, a path, a commit, a UUID or a version, asked for alone or in a sentence."""
    token = planted(1, number).token
    answer = filled.recall(form.format(token))
    assert isinstance(answer, Recollected), answer
    assert token in answer.remembered[0].memory.content
