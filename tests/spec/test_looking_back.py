"""What has faded, in answers: pointers into the archive, and texts in brief."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.spec.reading import kept, said

from helix.adapters.sqlite.store import SqliteStore
from helix.app.facade import Helix
from helix.model.changes import PutEdge, PutMemory
from helix.model.memory import Status
from helix.model.question import View
from helix.model.recollection import Abstained, Recollected, Recollection
from helix.recall.fading import BRIEF, asks_for_the_latest, brief
from helix.rules.policy import HELIX
from helix.testing.builders import AGENT, Scribe, a_memory, an_edge
from helix.testing.clock import SettableClock

DAY = timedelta(days=1)
LONG = "\n".join([
    "rewrote the retry loop of the uploader",
    "it gave up after three tries and told nobody about what was left in the queue",
    "M src/uploader/retry.py",
    "M src/uploader/queue.py",
    "the tests for it run for a minute because they wait for real timeouts to pass",
])  # fmt: skip


@pytest.fixture
def agent(seen_from) -> Helix:
    """What an agent sees and writes: nobody vouches for it."""
    return seen_from(source=AGENT)


def pointed_to(answer: Recollection) -> list[str]:
    return [each.memory.content for each in answer.archived]


def archived(agent: Helix, clock: SettableClock, *contents: str) -> list[str]:
    """Write episodes, let them fade and step back."""
    ids = [kept(agent.capture(each)).id for each in contents]
    clock.move(40 * DAY)
    agent.life.sweep(["archive"])
    assert {agent.why(each).memory.status for each in ids} == {Status.ARCHIVED}
    return ids


def test_where_only_the_archive_knows_it_is_pointed_to(
    agent: Helix, clock: SettableClock
) -> None:  # fmt: skip
    """Nothing archived is given as an answer, but nobody has to guess that it is there."""
    archived(agent, clock, "the canary cluster runs in Lisbon")
    answer = agent.recall("where does the canary cluster run?")
    assert isinstance(answer, Abstained)
    assert said(answer) == set()
    assert pointed_to(answer) == ["the canary cluster runs in Lisbon"]
    (hint,) = answer.archived
    agent.life.used(hint.memory.id)
    answer = agent.recall("where does the canary cluster run?")
    assert said(answer) == {"the canary cluster runs in Lisbon"}
    assert pointed_to(answer) == []


def test_what_fits_better_is_pointed_to_beside_what_is_current(
    agent: Helix, clock: SettableClock
) -> None:
    """The current goes on answering; the pointer says that the archive may know better."""
    archived(agent, clock, "the canary cluster of billing runs in Lisbon")
    kept(agent.capture("billing was deployed again"))
    kept(agent.capture("the search cluster was upgraded"))
    answer = agent.recall("canary cluster of billing")
    assert isinstance(answer, Recollected)
    assert "billing was deployed again" in said(answer)
    assert pointed_to(answer) == ["the canary cluster of billing runs in Lisbon"]
    assert answer.archived[0].fit == 1.0


def test_whoever_asks_for_the_latest_gets_the_current_first(
    agent: Helix, clock: SettableClock
) -> None:
    """An archived memory must then fit far better to take a current one's place."""
    archived(agent, clock, "the canary cluster runs in Lisbon")
    for where in ("in Porto since June", "on other machines in Faro", "down: a cluster is busy"):
        kept(agent.capture(f"the canary cluster runs {where}"))
    kept(agent.capture("a cluster of failures"))
    answer = agent.recall("where does the canary cluster run?", limit=2)
    assert pointed_to(answer) == ["the canary cluster runs in Lisbon"]
    answer = agent.recall("where does the canary cluster run now?", limit=2)
    assert (len(said(answer)), pointed_to(answer)) == (2, [])


def test_nobody_is_sent_to_the_archive_for_little(agent: Helix, clock: SettableClock) -> None:
    """Not for what hardly fits beside what is current."""
    archived(agent, clock, "a cluster was mentioned in passing, among many other things")
    kept(agent.capture("the canary cluster of billing runs in Porto now"))
    answer = agent.recall("canary cluster billing Porto")
    assert said(answer) == {"the canary cluster of billing runs in Porto now"}
    assert pointed_to(answer) == []


def test_no_more_is_named_than_was_asked_for(agent: Helix, clock: SettableClock) -> None:
    """Pointers take the place of what fits less, and never every place."""
    towns = "Faro was moved", "Porto failed twice", "Braga has disks", "Evora needs keys"
    for town in towns:
        kept(agent.capture(f"canary cluster of billing: {town}, said the team that looks after it"))
    archived(agent, clock, "something else")
    kept(agent.capture("the cluster was upgraded"))
    answer = agent.recall("canary cluster of billing", limit=3)
    assert isinstance(answer, Recollected)
    assert (len(answer.remembered), len(answer.archived)) == (1, 2)
    answer = agent.recall("canary cluster of billing", limit=3, budget=150)
    assert isinstance(answer, Recollected)
    assert len(answer.remembered) + len(answer.archived) <= 3


def test_a_summary_leads_to_what_it_stands_for(
    agent: Helix, clock: SettableClock, store: SqliteStore
) -> None:
    """Asked in the summary's words, the answer also points to the episodes behind it."""
    ids = archived(agent, clock, "moved the nightly job to two", "gave the dump more disk")
    summary = replace(a_memory("mem_sum", "backup week: schedule, space"), recorded_at=clock.now())
    edges = [
        an_edge("mem_sum", each, edge_id=f"e{each}", relation="summarises", at=clock.now())
        for each in ids
    ]
    Scribe(store, clock).conclude([PutMemory(summary), *map(PutEdge, edges)])
    answer = agent.recall("what was the backup week about?")
    assert said(answer) == {"backup week: schedule, space"}
    assert set(pointed_to(answer)) == {"moved the nightly job to two", "gave the dump more disk"}


def test_only_the_archived_is_pointed_to(agent: Helix, clock: SettableClock) -> None:
    """Not what was forgotten, nor what was only to be held for a while."""
    forgotten = kept(agent.capture("the canary cluster runs in Lisbon")).id
    agent.forget(forgotten)
    agent.remember("the canary cluster sleeps in Faro", expires_at=clock.now() + DAY)
    clock.move(40 * DAY)
    agent.life.sweep()
    archived(agent, clock, "something else")
    answer = agent.recall("where is the canary cluster?")
    assert (said(answer), pointed_to(answer)) == (set(), [])


def test_pointing_can_be_switched_off(agent: Helix, clock: SettableClock) -> None:
    """`looks_back = false` leaves the archive to deep recall."""
    archived(agent, clock, "the canary cluster runs in Lisbon")
    alone = Helix(replace(agent.context, policy=replace(HELIX, looks_back=False)))
    answer = alone.recall("where does the canary cluster run?")
    assert (said(answer), pointed_to(answer)) == (set(), [])
    assert said(alone.recall("canary cluster", view=View.DEEP))


def test_the_faded_is_shown_in_brief_unless_it_is_the_best(
    agent: Helix, clock: SettableClock
) -> None:
    """All of it after a day, its telling lines after a fortnight; its id leads to the rest."""
    faded = kept(agent.capture(LONG)).id
    kept(agent.capture("uploader retry: the retry loop of src/uploader/retry.py is tested"))
    for days, shown in ((1, LONG), (14, None)):
        clock.move(days * DAY)
        fresh = kept(agent.capture(f"uploader retry loop src/uploader/retry.py read, {days}")).id
        answer = agent.recall("uploader retry loop src/uploader/retry.py")
        assert isinstance(answer, Recollected)
        texts = {each.memory.id: each for each in answer.remembered}
        assert answer.remembered[0].memory.id == fresh
        assert texts[faded].text == (shown or texts[faded].shortened)
    assert len(texts[faded].text) < BRIEF + 20
    assert texts[faded].text.startswith("rewrote the retry loop of the uploader")
    assert "src/uploader/retry.py" in texts[faded].text
    assert texts[faded].memory.content == LONG
    best = agent.recall("real timeouts minute")
    assert isinstance(best, Recollected)
    assert best.remembered[0].text == LONG


def test_the_pinned_the_used_and_the_deep_are_shown_whole(
    agent: Helix, clock: SettableClock
) -> None:
    """What is held on purpose, what is needed, and whatever was asked for explicitly."""
    pinned = kept(agent.capture(LONG)).id
    agent.pin(pinned)
    used = kept(agent.capture(LONG.replace("uploader", "downloader"))).id
    clock.move(14 * DAY)
    agent.life.used(used, 5)
    kept(agent.capture("retry loop queue tries: all four words at once"))
    answer = agent.recall("retry loop queue tries")
    assert isinstance(answer, Recollected)
    assert {each.memory.id for each in answer.remembered} >= {pinned, used}
    assert [each.shortened for each in answer.remembered] == ["", "", ""]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("short", ["short"], ""),
        ("a" * 1000, [], "a" * BRIEF + " …"),
        ("head\n" + "x " * 200 + "\nthe needle lies here", ["needle"],
         "head … the needle lies here …"),
        ("needle first\n" + "x " * 200 + "\nthe needle again", ["needle"], "needle first …"),
        ("", [], ""),
        ("\n\n" + "word " * 100, ["absent"], "word " * 31 + "word …"),
    ],
)  # fmt: skip
def test_in_brief(text: str, words: list[str], expected: str) -> None:
    """The headline, and the line that speaks of what was asked."""
    assert brief(text, words) == expected


@pytest.mark.parametrize(
    ("question", "latest"),
    [
        ("what last changed setup.py?", True),
        ("where do we deploy now?", True),
        ("which is the current region?", True),
        ("do we still use npm", True),
        ("what did we decide last week?", False),
        ("who broke the build last Monday", False),
        ("why did we drop redis", False),
        ("the known lasting issue", False),
    ],
)
def test_whether_the_latest_is_asked_for(question: str, *, latest: bool) -> None:
    """Not by a time that is over, such as last week."""
    assert asks_for_the_latest(question) is latest
