"""Pausing Python's collector of cycles for as long as an answer takes."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from helix import Helix
from helix.app.uncollected import uncollected


@pytest.fixture(autouse=True)
def collecting() -> Iterator[None]:
    """Whatever a test does, the others have a collector."""
    yield
    gc.enable()


def test_it_is_off_inside_and_on_again_after() -> None:
    """Also where what is done inside fails."""
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="inside"), uncollected():
        raise ValueError("inside")
    assert gc.isenabled()


def test_where_somebody_has_switched_it_off_it_stays_off() -> None:
    """It is their process."""
    gc.disable()
    with uncollected():
        assert not gc.isenabled()
    assert not gc.isenabled()


def test_a_second_thread_leaves_it_to_the_first() -> None:
    """Or threads that overlap without end would keep it off without end."""
    with uncollected():
        with ThreadPoolExecutor(1) as pool:
            pool.submit(_through).result()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_recall_leaves_it_on(tmp_path: Path) -> None:
    """Whether there is an answer or not."""
    with Helix.open(tmp_path / "memory.db", scope="project:x") as memory:
        memory.remember("the build uses pnpm")
        memory.recall("what does the build use?")
        memory.recall("who won the match?")
    assert gc.isenabled()


def _through() -> None:
    with uncollected():
        pass
