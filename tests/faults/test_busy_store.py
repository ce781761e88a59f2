"""A writer that does not let go is waited for, but not for ever, and costs nothing but time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.faults.looking import SCOPE, assert_whole, begin, end, hear, say, told

from helix import Helix
from helix.adapters.sqlite.store import PATIENCE as STORE_PATIENCE
from helix.adapters.sqlite.store import SqliteStore
from helix.model.errors import StoreUnavailable
from helix.model.recollection import Recollected

PATIENCE = 0.3


@pytest.fixture
def hurried(filled: Path) -> Iterator[Helix]:
    """The filled store, opened by somebody with little patience."""
    with Helix.open(filled, scope=SCOPE) as patient:
        store = SqliteStore(filled, patience=PATIENCE)
        with Helix(replace(patient.context, store=store)) as memory:
            yield memory


def test_a_store_that_stays_locked_is_reported_within_the_patience_given(
    filled: Path, hurried: Helix
) -> None:
    """The refusal comes by name, not before the patience is used up and not much later."""
    holder = begin("tests.faults.holding", filled)
    assert hear(holder) == "held"
    started = time.monotonic()
    with pytest.raises(StoreUnavailable) as caught:
        hurried.capture("it is not my turn", event_id="refused")
    waited = time.monotonic() - started
    assert caught.value.code == "store_busy"
    assert caught.value.remedy
    assert PATIENCE <= waited < PATIENCE + 1.0
    say(holder)
    end(holder)


def test_nothing_is_lost_when_a_writer_had_to_give_up(filled: Path, hurried: Helix) -> None:
    """The refused event is not half there, and can be written once the lock is free."""
    before = told(hurried)
    holder = begin("tests.faults.holding", filled)
    assert hear(holder) == "held"
    with pytest.raises(StoreUnavailable):
        hurried.capture("it is not my turn", event_id="refused")
    say(holder)
    end(holder)
    assert told(hurried) == before
    hurried.capture("it is not my turn", event_id="refused")
    assert told(hurried) == [*before, "refused"]
    assert_whole(hurried)


def test_a_locked_store_can_be_read(filled: Path, hurried: Helix) -> None:
    """Readers never wait for writers."""
    holder = begin("tests.faults.holding", filled)
    assert hear(holder) == "held"
    assert isinstance(hurried.recall("which branch does this deploy from?"), Recollected)
    say(holder)
    end(holder)


def test_a_question_does_not_wait_for_a_writer(filled: Path) -> None:
    """What is fresh is embedded for a question only if the store is free at that moment."""
    with Helix.open(filled, scope=SCOPE, background=False) as memory:
        if memory.context.embedder() is None:
            pytest.skip("no model is installed here")
        memory.upkeep.enrich()
        memory.capture("the release train leaves at noon")
        holder = begin("tests.faults.holding", filled)
        assert hear(holder) == "held"
        started = time.monotonic()
        assert isinstance(memory.recall("when does the release train leave?"), Recollected)
        assert time.monotonic() - started < STORE_PATIENCE / 2
        say(holder)
        end(holder)
        assert memory.upkeep.lag().memories == 1
        memory.recall("when does the release train leave?")
        assert memory.upkeep.lag().memories == 0


def test_a_locked_store_can_be_opened(filled: Path) -> None:
    """Opening takes no lock that a writer could keep from us."""
    holder = begin("tests.faults.holding", filled)
    assert hear(holder) == "held"
    with Helix.open(filled, scope=SCOPE) as memory:
        assert len(memory.list(limit=100)) == 31
    say(holder)
    end(holder)


def test_a_dead_holder_is_not_waited_for(filled: Path, hurried: Helix) -> None:
    """A process that dies with the lock in its hands leaves the store free and whole."""
    holder = begin("tests.faults.holding", filled)
    assert hear(holder) == "held"
    holder.kill()
    holder.communicate()
    hurried.capture("the lock died with its holder")
    assert_whole(hurried)
