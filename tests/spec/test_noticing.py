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


def surprise(memory: Helix, memory_id: str) -> float:
    noted = memory.why(memory_id).noted
    assert noted is not None
    return noted.surprise


def test_the_first_memory_is_neither_new_nor_known(memory: Helix) -> None:
    """With nothing to compare it with, surprise is one half."""
    noted = memory.why(held(memory, "deploys happen on fridays")).noted
    assert noted is not None
    assert (noted.surprise, noted.repeats) == (0.5, "")


def test_the_unheard_of_surprises_and_the_known_does_not(memory: Helix) -> None:
    """Importance as rated at write stays as it is in both cases."""
    held(memory, "deploys happen on fridays at noon")
    new = memory.why(held(memory, "quantum otters juggle violins"))
    known = memory.why(held(memory, "deploys happen on fridays at noon sharp"))
    assert new.noted is not None
    assert known.noted is not None
    assert new.noted.surprise > 0.5
    assert known.noted.surprise < new.noted.surprise
    assert new.memory.importance_base == known.memory.importance_base


def test_a_near_repetition_is_flagged_and_kept(memory: Helix) -> None:
    """Both memories stand, tied as similar; the later one says what it nearly repeats."""
    first = held(memory, "the nightly build of the parser takes ten minutes on the old runner")
    second = held(memory, "the nightly build of the parser takes ten minutes on the old old runner")
    told = memory.why(second)
    assert told.noted is not None
    assert told.noted.repeats == first
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
    told = elsewhere.why(held(elsewhere, "deploys happen on fridays at noon"))
    assert told.noted is not None
    assert (told.noted.surprise, told.noted.repeats, told.ties) == (0.5, "", ())


def test_what_was_noticed_is_no_part_of_the_record(memory: Helix) -> None:
    """Folding everything again compares equal, and noticing does not depend on batches."""
    texts = [f"deploy {number % 7} of service {number % 3} went well" for number in range(40)]
    for text in texts[:10]:
        held(memory, text)
    for text in texts[10:]:
        memory.capture(text)
    memory.upkeep.enrich()
    ids = [each.id for each in memory.list(limit=100)]
    before = {each: surprise(memory, each) for each in ids}
    assert memory.upkeep.rebuild(check_only=True).differences == ()
    with memory.context.store.writing() as unit:
        unit.enrichment.drop("word-bags/1")
    memory.upkeep.enrich()
    assert {each: surprise(memory, each) for each in ids} == pytest.approx(before, abs=1e-3)
