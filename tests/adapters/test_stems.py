"""The stems that are kept are the stems that cutting a text would give."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helix import Helix
from helix.adapters.sqlite import stems
from helix.adapters.sqlite.words import TOGETHER, WordIndex
from helix.model.recollection import Recollected
from helix.recall.scoring import Tuning
from helix.rules.words import parts

BY_WORDS = Tuning(switched_off=frozenset({"meaning"}))
WORDS = st.lists(st.sampled_from(["deploy", "cach", "fail", "e0517", "src_app_main_py"]))


@given(WORDS)
def test_a_number_is_counted_where_it_stands(said: list[str]) -> None:
    """Numbers are counted whole, as often as their stems occur, whatever their neighbours are."""
    numbers = stems.numbers(said)
    assert len(numbers) == stems.WIDTH * len(said)
    for stem in {*said, "absent"}:
        assert stems.times(stems.number(stem), numbers) == said.count(stem)


def test_bytes_across_two_numbers_are_no_number() -> None:
    """What only looks like a number, begun in the middle of another, does not count."""
    assert stems.times(b"bcde", b"abcdefgh") == 0
    assert stems.times(b"aaaa", b"aaaaaaaa") == 2


def test_what_is_kept_is_what_cutting_gives(tmp_path: Path) -> None:
    """Every indexed memory's stems are kept; taking its words out takes them out as well."""
    texts = [f"deploy {n} failed in src/app/main_{n}.py with E05{n:02}" for n in range(TOGETHER)]
    with Helix.open(tmp_path / "memory.db", scope="project:stems") as memory:
        for text in texts:
            memory.capture(text)
        with memory.context.store.writing() as unit:
            index = WordIndex(unit.connection)  # type: ignore[attr-defined]
            kept = dict(unit.connection.execute("SELECT memory, numbers FROM stems"))  # type: ignore[attr-defined]
            cut = [stems.numbers(index.stems(f"{text} {parts(text)}")) for text in texts]
            assert list(kept.values()) == cut
            index.remove(1, next(iter(kept)))
            left = unit.connection.execute("SELECT count(*) FROM stems").fetchone()  # type: ignore[attr-defined]
            assert left == (len(texts) - 1,)


def test_a_rebuild_keeps_them_anew(tmp_path: Path) -> None:
    """After a rebuild the answers have the scores they had."""
    with Helix.open(tmp_path / "memory.db", scope="project:stems") as memory:
        with memory.session("one") as session:
            for number in range(3 * TOGETHER):
                session.capture(f"deploy {number} went to region-{number % 7}")
        before = memory.recall("deploy 41 region-6", tuning=BY_WORDS)
        memory.upkeep.rebuild()
        after = memory.recall("deploy 41 region-6", tuning=BY_WORDS)
        assert isinstance(before, Recollected)
        assert isinstance(after, Recollected)
        fits = {each.memory.content: each.fit for each in before.remembered}
        assert {each.memory.content: each.fit for each in after.remembered} == pytest.approx(fits)
        with memory.context.store.reading() as unit:
            kept = unit.connection.execute("SELECT count(*) FROM stems").fetchone()  # type: ignore[attr-defined]
            assert kept == (3 * TOGETHER,)
