"""What an open memory does by itself, beside what it is asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from helix import Helix
from helix.app import switching
from helix.app.context import Context
from helix.app.tending import Tending, rounds
from helix.model.errors import StoreUnavailable
from helix.model.recollection import Recollected
from helix.testing.embedders import WordBags

SECONDS = 20.0


def eventually(true: Callable[[], bool]) -> bool:
    """Tell whether something becomes true before long."""
    waiting, until = threading.Event(), monotonic() + SECONDS
    while not true() and monotonic() < until:
        waiting.wait(0.02)
    return true()


@pytest.fixture
def bags() -> dict[str, WordBags]:
    return {name: WordBags(name) for name in ("old/1", "new/1")}


@pytest.fixture
def context(tmp_path: Path, bags: dict[str, WordBags]) -> Iterator[Context]:
    """A store whose embedders are stand-ins; whichever serves is used."""
    opened = Helix.open(tmp_path / "memory.db", scope="project:p", background=False).context

    def serving() -> WordBags | None:
        with opened.store.reading() as unit:
            return bags.get(unit.serving.current() or "old/1")

    with closing(opened.store):
        yield replace(opened, embedder=serving, named_embedder=bags.get)


@pytest.fixture
def memory(context: Context) -> Iterator[Helix]:
    """The memory, tended from its first use on."""
    tending = Tending(lambda pause: rounds(context, pause), first_after=0)
    with Helix(replace(context, tending=tending)) as opened:
        yield opened


def test_what_is_captured_is_enriched_without_being_asked_for(memory: Helix) -> None:
    """No command and no question is needed."""
    for number in range(40):
        memory.capture(f"episode {number}")
    assert eventually(lambda: memory.upkeep.lag().memories == 0)
    assert memory.upkeep.status().lag.since is None


def test_a_switch_that_is_owed_is_carried_on(context: Context, memory: Helix) -> None:
    """The old model serves until the new one takes over; the old one's vectors are cleared."""
    for number in range(150):
        memory.capture(f"episode {number}")
    memory.upkeep.enrich()
    switching.begin(context, context.named_embedder("new/1"))
    assert switching.standing(context).serving == "old/1"
    assert isinstance(memory.recall("episode 7"), Recollected)
    assert eventually(lambda: switching.standing(context).serving == "new/1")

    def kept() -> list[tuple[str, int]]:
        with context.store.reading() as unit:
            return list(unit.enrichment.models())

    assert eventually(lambda: kept() == [("new/1", 150)])
    assert isinstance(memory.recall("episode 7"), Recollected)


def test_closing_stops_the_work(memory: Helix) -> None:
    """After closing, no thread is left that could touch the file."""
    before = set(threading.enumerate())  # other tests may have left a memory open
    memory.capture("something")
    assert "helix-tending" in {thread.name for thread in set(threading.enumerate()) - before}
    memory.close()
    assert "helix-tending" not in {thread.name for thread in set(threading.enumerate()) - before}
    with pytest.raises(StoreUnavailable):
        memory.capture("too late")


def test_a_broken_embedder_harms_nobody(memory: Helix, bags: dict[str, WordBags]) -> None:
    """Captures go on; the reason is kept; what waited is enriched when it works again."""
    bags["old/1"].broken = True
    memory.capture("the first thing")
    tending = memory.context.tending
    assert tending is not None
    assert eventually(lambda: tending.fault is not None)
    memory.capture("the second thing")
    assert memory.upkeep.lag().memories == 2
    bags["old/1"].broken = False
    assert memory.upkeep.enrich() == 2


def test_a_command_does_not_begin_anything_beside_it(tmp_path: Path) -> None:
    """Opened without background work, no thread is started by use."""
    with Helix.open(tmp_path / "m.db", scope="project:p", background=False) as memory:
        memory.capture("something")
        assert memory.context.tending is None


def test_two_workers_do_not_do_the_same(context: Context, bags: dict[str, WordBags]) -> None:
    """Whoever comes second while the first is at it leaves it alone."""
    from helix.enrichment.workflow import enrich_in_turn

    memory = Helix(context)
    for number in range(64):
        memory.capture(f"episode {number}")
    second: list[int] = []

    def meanwhile(_: float) -> bool:
        if not second:
            second.append(
                enrich_in_turn(
                    context.store, context.realm, bags["old/1"], context.clock, "second",
                    at_once=16, pause=lambda _: True,
                )
            )  # fmt: skip
        return True

    first = enrich_in_turn(
        context.store, context.realm, bags["old/1"], context.clock, "first",
        at_once=16, pause=meanwhile,
    )  # fmt: skip
    assert (first, second) == (64, [0])
    assert bags["old/1"].embedded == 64
