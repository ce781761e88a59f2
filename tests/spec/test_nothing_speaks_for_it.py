"""An answer holds what speaks of the question, and is no longer because a store is small."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from helix import Helix
from helix.model.recollection import Recollected
from helix.recall.scoring import Tuning
from helix.testing.embedders import WordBags


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Helix]:
    """A memory whose embedder finds texts close that share words, and all others far."""
    bags = WordBags()
    with Helix.open(tmp_path / "m.db", scope="project:p", background=False) as opened:
        found = Helix(
            replace(opened.context, embedder=lambda: bags, named_embedder={bags.name: bags}.get)
        )
        for text in (
            "our deploy runs on friday",
            "pnpm installs packages here",
            "grace owns billing",
        ):
            found.remember(text)
        found.upkeep.enrich()
        yield found


def told(memory: Helix, question: str, **circumstances: object) -> list[str]:
    answer = memory.recall(question, **circumstances)  # type: ignore[arg-type]
    assert isinstance(answer, Recollected)
    return [each.memory.content for each in answer.remembered]


def test_what_shares_neither_words_nor_meaning_is_not_part_of_an_answer(memory: Helix) -> None:
    """Whoever reads it pays for every line."""
    assert told(memory, "when does our deploy run") == ["our deploy runs on friday"]


def test_the_best_is_always_told(memory: Helix) -> None:
    """Somebody who does not want an abstention gets the closest there is."""
    assert len(told(memory, "zebra", tuning=Tuning(abstains=False))) == 1


def test_the_documented_rankers_order_everything(memory: Helix) -> None:
    """They are exact as documented, and rank what is fresh and important above all."""
    tuning = Tuning(ranker="three_factor")
    assert len(told(memory, "when does our deploy run", tuning=tuning)) == 3
