"""A bridge between parts of a project is put to a model, where there is one, before it is held."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.sleep.chat_server import DROP, ChatServer
from tests.spec.conftest import clock, memory, seen_from, store  # noqa: F401
from tests.spec.reading import HOUR, sound

from helix.adapters.models.chat import ChatServer as Address
from helix.adapters.models.chat import OpenAIChat
from helix.app.facade import Helix
from helix.app.language import Language
from helix.model.memory import Status
from helix.reflection.bridges import REJECTED, UNCONFIRMED
from helix.sleep.queue import Slept

BRIDGE = "ECONNRESET connects src/billing and src/reports: it came up in work on each."


@pytest.fixture
def server():
    chat = ChatServer()
    yield chat
    chat.close()


def with_model(opened: Helix, server: ChatServer) -> Helix:
    model = OpenAIChat(Address(server.url, "some-model", timeout=0.5), {}, nap=lambda _: None)
    return Helix(replace(opened.context, language=lambda: Language(model, 100_000)))


def worked(opened: Helix, clock):  # noqa: F811
    for number in range(8):
        clock.move(HOUR)
        part = ("src/billing", "src/reports")[number % 2]
        opened.capture(
            f"ECONNRESET while saving, attempt {number}",
            session=f"s{number}", files=[f"{part}/store{number}.py"],
        )  # fmt: skip


def saying(decision, cite=lambda ids: ids, **more):
    """Answer questions about bridges so, and others with nothing."""

    def answer(material):
        if "thing" not in material:
            return []
        ids = [each["id"] for each in material["episodes"]]
        said = {"decision": decision, "cites": cite(ids), "why": "the pool is shared"}
        return json.dumps(said | more)

    return answer


def asked_about(server):
    material = [json.loads(each["messages"][-1]["content"]) for each in server.requests]
    return [each for each in material if "thing" in each]


def slept(opened: Helix):
    done = opened.sleeping.sleep()
    assert isinstance(done, Slept), done
    return next(each for each in done.run.passes if each.name == "bridge")


def held(opened: Helix):
    return [
        each for each in opened.list(limit=1000, statuses=list(Status)) if each.content == BRIDGE
    ]


def test_what_a_model_accepts_is_held_without_a_doubt(memory, clock, server):  # noqa: F811
    """It is shown the episodes of each part as data, asked once, and words nothing itself."""
    opened = with_model(memory, server)
    worked(opened, clock)
    server.answer = saying("accept")
    assert slept(opened).applied == 1
    (bridge,) = held(opened)
    assert (bridge.belief.doubts, len(bridge.belief.provenance)) == ((), 8)
    assert bridge.belief.confidence > 0.9
    (shown,) = asked_about(server)
    assert (shown["thing"], shown["parts"]) == ("econnreset", ["src/billing", "src/reports"])
    schema = server.requests[-1]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["decision"]["enum"] == ["accept", "reject"]
    clock.move(HOUR)
    opened.capture("ECONNRESET once more", session="s9", files=["src/billing/a.py"])
    slept(opened)
    assert len(asked_about(server)) == 1, "more of the same is no new question"
    sound(opened)


def test_what_a_model_rejects_is_not_held(memory, clock, server):  # noqa: F811
    """The report says so, and a later night does not ask again."""
    opened = with_model(memory, server)
    worked(opened, clock)
    server.answer = saying("reject", cite=lambda _: [])
    report = slept(opened)
    assert held(opened) == []
    assert any("a model rejects it" in each.why for each in report.passed)
    clock.move(HOUR)
    slept(opened)
    assert len(asked_about(server)) == 1
    sound(opened)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (saying("accept", cite=lambda ids: ["ep_invented", *ids]), "was not shown"),
        (saying("accept", cite=lambda _: []), "one part only"),
        (saying("accept", cite=lambda ids: ids[:1]), "one part only"),
        (saying("accept", cite=lambda _: [["x"]]), "was not shown"),
    ],
)
def test_an_acceptance_without_grounds_is_none(memory, clock, server, answer, why):  # noqa: F811
    """It must cite what it was shown, from at least two parts."""
    opened = with_model(memory, server)
    worked(opened, clock)
    server.answer = answer
    report = slept(opened)
    assert held(opened) == []
    assert any(why in each.why for each in report.passed), report.passed


@pytest.mark.parametrize(
    "answer",
    [
        saying("delete"),
        saying("accept", deleted=["mem_x"]),
        lambda m: "accept" if "thing" in m else [],
        lambda m: 500 if "thing" in m else [],
        lambda m: DROP if "thing" in m else [],
        lambda m: 1.0 if "thing" in m else [],
    ],
)
def test_a_failure_is_owed_again_and_nothing_is_held_meanwhile(memory, clock, server, answer):  # noqa: F811
    """What cannot be read is neither a yes nor a no."""
    opened = with_model(memory, server)
    worked(opened, clock)
    server.answer = answer
    assert slept(opened).failed
    assert held(opened) == []
    assert opened.sleeping.owed().waiting[0].last_error
    server.answer = saying("accept")
    clock.move(timedelta(minutes=10))
    slept(opened)
    assert len(held(opened)) == 1
    sound(opened)


@pytest.mark.parametrize(("decision", "doubts"), [("accept", ()), ("reject", (REJECTED,))])
def test_what_was_held_without_a_model_is_put_to_it_later(
    memory, clock, server, decision, doubts,  # noqa: F811
):  # fmt: skip
    """Confirmed it is believed like any insight; rejected it is doubted more, and not deleted."""
    worked(memory, clock)
    slept(memory)
    (before,) = held(memory)
    assert before.belief.doubts == (UNCONFIRMED,)
    opened = with_model(memory, server)
    server.answer = saying(decision)
    clock.move(HOUR)
    report = slept(opened)
    (after,) = held(opened)
    assert (after.status, after.belief.doubts) == (Status.ACTIVE, doubts)
    surer = after.belief.confidence > before.belief.confidence
    assert surer == (decision == "accept")
    clock.move(HOUR)
    assert slept(opened).applied == 0
    assert report.applied == 1
    sound(opened)


def test_a_persons_word_ends_the_question(memory, clock, server):  # noqa: F811
    """Who confirms a bridge settles its doubt; a model that rejects it changes nothing."""
    worked(memory, clock)
    slept(memory)
    (bridge,) = held(memory)
    memory.confirm(bridge.id)
    opened = with_model(memory, server)
    server.answer = saying("reject", cite=lambda _: [])
    clock.move(HOUR)
    slept(opened)
    (after,) = held(opened)
    assert REJECTED not in after.belief.doubts
    assert memory.review.items() == []
