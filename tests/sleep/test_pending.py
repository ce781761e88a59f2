"""What an agent may be asked is found without reading all there is, and is what sleep asks."""

from __future__ import annotations

import json

import pytest
from tests.consolidation.nights import night_of
from tests.spec.conftest import clock, memory, seen_from, store  # noqa: F401

from helix.consolidation.thinking import POSITIONS_PER_PIECE, TURNS_PER_QUESTION, questions
from helix.sleep import pending as module
from helix.sleep.pending import waiting


@pytest.fixture
def talked(memory, monkeypatch):  # noqa: F811
    """Sessions that take turns, of which every page holds a few whole pieces."""
    monkeypatch.setattr(module, "AT_ONCE", 100)
    memory.remember("The nightly job runs at 03:15")
    for number in range(430):
        if number % 7 == 3:
            memory.capture("$ make test\nok", session="s1", tool="bash", exit_status=0)
        else:
            session = "" if number % 5 == 0 else f"s{number % 3}"
            memory.capture(f"the nightly job, look {number}", session=session)
    return memory


def keys(memory):  # noqa: F811
    context = memory.context
    return [each.key for _, each in waiting(context.store, context.clock, context.realm)]


def test_they_are_the_questions_that_sleep_asks(talked):
    """Every one of them once, whatever page it was read from; so a reply is found again."""
    of_sleep = {each.key for each in questions(night_of(talked))}
    found = keys(talked)
    assert len(found) == len(set(found)) > 430 // POSITIONS_PER_PIECE
    assert set(found) == of_sleep


def test_no_piece_is_too_long_and_the_newest_come_first(talked):
    """A model can read each; whoever asks for one gets a recent one."""
    for each in talked.sleeping.pending(1000):
        assert 1 <= len(json.loads(each.asked.material)["episodes"]) <= TURNS_PER_QUESTION
    (first,) = talked.sleeping.pending(1)
    newest = talked.list(limit=100)
    assert json.loads(first.asked.material)["episodes"][0]["id"] in {each.id for each in newest}


def test_what_is_captured_later_leaves_earlier_questions_alone(talked):
    """A piece that is whole is the same for ever, and so is its answer."""
    before = keys(talked)
    for number in range(POSITIONS_PER_PIECE):
        talked.capture(f"something else, {number}", session="s9")
    talked.sleeping.sleep()
    after = set(keys(talked))
    # The last piece of each session was not yet full.
    assert sum(each not in after for each in before) <= 4


def test_no_more_is_read_than_it_takes(talked, monkeypatch):
    """One page for the first question, and an end to looking, however much there is."""
    pages = []
    real = type(talked.context.store).reading

    def reading(self):
        pages.append(1)
        return real(self)

    monkeypatch.setattr(type(talked.context.store), "reading", reading)
    assert talked.sleeping.pending(1)
    assert len(pages) <= 3, "what is held, a page of episodes, and whether it was answered"
    monkeypatch.setattr(module, "MOST_READ", 200)
    assert len(keys(talked)) < len({each.key for each in questions(night_of(talked))})
