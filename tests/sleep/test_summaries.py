"""A model may word summaries, as far as the episodes bear it out; one stands in any case."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.sleep.chat_server import DROP, ChatServer
from tests.spec.conftest import clock, memory, seen_from, store  # noqa: F401
from tests.spec.reading import DAY, HOUR, sound

from helix.adapters.models.chat import ChatServer as Address
from helix.adapters.models.chat import OpenAIChat
from helix.app.facade import Helix
from helix.app.language import Language
from helix.model.memory import Status
from helix.sleep.queue import Slept
from helix.testing.builders import AGENT

HAPPENED = (
    "The nightly export of invoices stopped at 02:30",
    "The disk of the export worker was full",
    "Old exports are never removed from the disk",
    "Removed exports older than thirty days by hand",
    "The nightly export went through",
    "A timer now removes old exports from the disk",
)
GIST = (
    "The nightly export stopped because the disk of the worker was full of old exports."
    " A timer now removes old exports."
)


@pytest.fixture
def server():
    chat = ChatServer()
    yield chat
    chat.close()


@pytest.fixture
def worked(memory, clock, seen_from, server):  # noqa: F811
    """A session of an agent that is over for a week, and a model that may be asked."""
    agent = seen_from(source=AGENT)
    for text in HAPPENED:
        agent.capture(text, session="s1")
    agent.capture("Everything is fine now.", session="s1", attributes={"role": "assistant"})
    clock.move(8 * DAY)
    model = OpenAIChat(Address(server.url, "some-model", timeout=0.5), {}, nap=lambda _: None)
    return Helix(replace(memory.context, language=lambda: Language(model, 100_000)))


def saying(text, cite=lambda ids: ids, **more):
    """Answer questions about what happened so, and others with nothing."""

    def answer(material):
        if set(material) != {"episodes"}:
            return []
        ids = [each["id"] for each in material["episodes"]]
        return json.dumps({"summary": text, "cites": cite(ids)} | more)

    return answer


def asked(server):
    material = [json.loads(each["messages"][-1]["content"]) for each in server.requests]
    return [each for each in material if set(each) == {"episodes"}]


def slept(opened: Helix):
    done = opened.sleeping.sleep()
    assert isinstance(done, Slept), done
    return next(each for each in done.run.passes if each.name == "summarise")


def summaries(opened: Helix):
    held = opened.list(limit=1000, statuses=list(Status))
    return [each for each in held if each.attributes.get("level") == "session"]


def test_a_models_words_are_taken_where_the_episodes_bear_them_out(worked, clock, server):  # noqa: F811
    """It is asked once, is shown nothing an assistant said, and a rebuild does not need it."""
    server.answer = saying(GIST)
    assert slept(worked).applied == 1
    (summary,) = summaries(worked)
    assert summary.content == f"On 2026-05-14, 7 episodes: {GIST}"
    assert len(summary.belief.provenance) == 7
    (shown,) = asked(server)
    assert [each["text"] for each in shown["episodes"]] == list(HAPPENED)
    clock.move(HOUR)
    assert slept(worked).applied == 0
    assert len(asked(server)) == 1
    server.answer = lambda _: 500
    worked.sleeping.rederive()
    assert [each.id for each in summaries(worked)] == [summary.id]
    sound(worked)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (saying("The export stopped at 04:45 because the disk was full."), "no ground"),
        (saying("Everybody loves functional purity and long walks."), "no ground"),
        (saying(GIST, cite=lambda _: ["ep_invented"]), "was not shown"),
        (saying(GIST, cite=lambda _: []), "cites nothing"),
        (saying("The disk was full. " * 5), "three sentences"),
        (saying(""), "empty"),
    ],
)
def test_words_without_grounds_are_not_taken(worked, server, answer, why):
    """The summary stands all the same, in the words of the episodes."""
    server.answer = answer
    report = slept(worked)
    (summary,) = summaries(worked)
    assert summary.content.startswith("On 2026-05-14, 7 episodes: The ")
    assert all(each in " ".join(HAPPENED) for each in summary.content[28:].rstrip(".").split(". "))
    assert any(why in each.why for each in report.passed), report.passed
    sound(worked)


@pytest.mark.parametrize(
    "answer",
    [
        lambda m: 500 if set(m) == {"episodes"} else [],
        lambda m: DROP if set(m) == {"episodes"} else [],
        lambda m: 1.0 if set(m) == {"episodes"} else [],
        lambda m: "no" if set(m) == {"episodes"} else [],
        saying(GIST, delete=["mem_x"]),
    ],
)
def test_a_model_that_fails_keeps_nobody_waiting(worked, clock, server, answer):  # noqa: F811
    """It is told as failed and the work is owed; the summary stands meanwhile."""
    server.answer = answer
    assert slept(worked).failed
    (summary,) = summaries(worked)
    assert summary.content.startswith("On 2026-05-14, 7 episodes: The ")
    clock.move(timedelta(minutes=10))
    server.answer = saying(GIST)
    assert slept(worked).applied == 0, "what stands is not told twice"
    sound(worked)
