"""An agent that corrects the user is told that its word was noted, and not that it was done."""

from __future__ import annotations

import pytest

from helix.doors.mcp import calls
from helix.doors.rest.operations import OPERATIONS
from helix.model.errors import Conflict
from helix.model.provenance import Origin, Source
from helix.testing.builders import HERE, USER, open_memory
from helix.testing.reference_store import ReferenceStore

AGENT = Source("claude", Origin.AGENT_INGESTED)
OTHERWISE = "The region is us-east-1"
CORRECT = next(each.does for each in OPERATIONS if each.name == "correct")
"""As it is asked for over HTTP."""


def test_a_disagreement_with_the_user_is_told_as_one():
    """Once it is noted beside the user's word; again, nothing changes."""
    store = ReferenceStore()
    user, agent = open_memory(store, HERE, source=USER), open_memory(store, HERE, source=AGENT)
    mine = user.remember("The region is eu-west-1").memory.id
    told = calls.correct(agent, {"id": mine, "content": OTHERWISE})
    assert told.startswith(f"Not corrected: {mine} is the user's word")
    assert "noted beside it: mem_region_east_1" in told
    again = calls.correct(agent, {"id": mine, "content": OTHERWISE})
    assert again == f"Already noted beside {mine}: mem_region_east_1."


def test_an_agent_may_correct_an_agent():
    """What no user vouches for is replaced, and told as replaced."""
    agent = open_memory(ReferenceStore(), HERE, source=AGENT)
    old = agent.remember("The region is eu-west-1").memory.id
    told = calls.correct(agent, {"id": old, "content": OTHERWISE})
    assert told.startswith(f"Corrected {old}, now mem_region_east_1")


def test_a_disagreement_repeated_over_http_changes_nothing():
    """It is noted beside the user's word once, and told as that when it comes again."""
    store = ReferenceStore()
    user, agent = open_memory(store, HERE, source=USER), open_memory(store, HERE, source=AGENT)
    given = {"id": user.remember("The region is eu-west-1").memory.id, "content": OTHERWISE}
    first, again = CORRECT(agent, given), CORRECT(agent, given)
    assert (first["outcome"], again["outcome"]) == ("kept", "joined")
    assert again["memory"]["id"] == first["memory"]["id"]
    with pytest.raises(Conflict):
        CORRECT(user, given)  # it is held already, though never said in its place by the user


@pytest.mark.parametrize("whose", [USER, AGENT], ids=["the user's word", "an agent's word"])
def test_a_repeat_is_known_by_the_words_that_were_kept(whose):
    """A gate takes a secret out; the correction that held it is repeated all the same."""
    store = ReferenceStore()
    agent = open_memory(store, HERE, source=AGENT)
    old = open_memory(store, HERE, source=whose).remember("grafana is at g.example").memory.id
    given = {"id": old, "content": "grafana login with password=hunter2hunter2"}
    first, again = CORRECT(agent, given), CORRECT(agent, given)
    assert (first["outcome"], again["outcome"]) == ("kept", "joined")
    assert "hunter2" not in str(again)
    assert calls.correct(agent, given).startswith("Already")


def test_other_words_for_what_was_replaced_are_no_repeat():
    """Neither over HTTP nor over MCP."""
    agent = open_memory(ReferenceStore(), HERE, source=AGENT)
    old = agent.remember("The region is eu-west-1").memory.id
    agent.correct(old, OTHERWISE)
    for correct in (CORRECT, calls.correct):
        with pytest.raises(Conflict):
            correct(agent, {"id": old, "content": "The region is ap-south-1"})
