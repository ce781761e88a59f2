"""An agent that corrects the user is told that its word was noted, and not that it was done."""

from __future__ import annotations

from helix.doors.mcp import calls
from helix.model.provenance import Origin, Source
from helix.testing.builders import HERE, USER, open_memory
from helix.testing.reference_store import ReferenceStore

AGENT = Source("claude", Origin.AGENT_INGESTED)
OTHERWISE = "The region is us-east-1"


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
