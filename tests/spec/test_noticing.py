"""What Helix notices by itself about a memory: nobody asserted it, and it can be made again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from helix import Helix
from helix.model.outcome import Skipped
from helix.testing.embedders import WordBags


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Helix]:
    """A memory whose embedder finds texts close that share words."""
    bags = WordBags()
    with Helix.open(tmp_path / "m.db", scope="project:p", background=False) as opened:
        yield Helix(
            replace(opened.context, embedder=lambda: bags, named_embedder={bags.name: bags}.get)
        )


def held(memory: Helix, text: str, *, everywhere: bool = False) -> str:
    kept = memory.remember(text, everywhere=everywhere)
    assert not isinstance(kept, Skipped)
    memory.upkeep.enrich()
    return kept.memory.id


def tied(memory: Helix, memory_id: str) -> list[tuple[str, str, str]]:
    return [(tie.from_id, tie.relation, tie.to_id) for tie in memory.why(memory_id).ties]


def nearest(memory: Helix, memory_id: str) -> float | None:
    novelty = memory.why(memory_id).standing.novelty
    assert novelty is not None
    return novelty.nearest


def test_a_near_repetition_is_kept_and_tied(memory: Helix) -> None:
    """Both memories stand; the later one is tied to what it resembles."""
    first = held(memory, "the nightly build of the parser takes ten minutes on the old runner")
    second = held(memory, "the nightly build of the parser takes ten minutes on the old old runner")
    assert nearest(memory, first) is None
    assert (second, "similar_to", first) in tied(memory, first)
    assert {each.id for each in memory.list()} == {first, second}


def test_naming_an_issue_refers_to_what_is_about_it(memory: Helix) -> None:
    """Also if what it is about is written down only afterwards."""
    naming = held(memory, "the fix for #4242 was merged by Ada")
    about = held(memory, "#4242: the login page loops on Safari")
    assert tied(memory, naming) == [(naming, "references", about)]
    assert tied(memory, about) == [(naming, "references", about)]


def test_naming_an_id_refers_to_that_memory(memory: Helix) -> None:
    """The plainest reference there is."""
    first = held(memory, "we use pnpm")
    second = held(memory, f"as {first} says, npm is out of the question")
    assert (second, "references", first) in tied(memory, second)


def test_nothing_is_noticed_across_projects(memory: Helix) -> None:
    """What another project holds makes nothing known here, and nothing is tied to it."""
    held(memory, "deploys happen on fridays at noon")
    elsewhere = Helix(replace(memory.context, realm=memory.context.realm.in_scope("project:other")))
    other = held(elsewhere, "deploys happen on fridays at noon")
    assert nearest(elsewhere, other) is None
    assert tied(elsewhere, other) == []


def test_what_was_noticed_is_no_part_of_the_record(memory: Helix) -> None:
    """Folding everything again compares equal, and a dropped model's ties are drawn again."""
    texts = [f"deploy {number % 7} of service {number % 3} went well" for number in range(20)]
    for text in texts[:10]:
        held(memory, text)
    for text in texts[10:]:
        memory.capture(text)
    memory.upkeep.enrich()
    ids = [each.id for each in memory.list(limit=100)]
    assert any(tied(memory, each) for each in ids)
    assert memory.upkeep.rebuild(check_only=True).differences == ()
    before = {each: len(memory.why(each).ties) for each in ids}
    with memory.context.store.writing() as unit:
        unit.enrichment.drop("word-bags/1")
    assert not any(tied(memory, each) for each in ids)
    memory.upkeep.enrich()
    assert sum(len(memory.why(each).ties) for each in ids) == sum(before.values())
