"""Insights cite their evidence; old beliefs and claims about files are doubted, never deleted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.spec.conftest import clock, memory, seen_from, store  # noqa: F401
from tests.spec.reading import DAY, HOUR, kept, sound

from helix.app.working_tree import WorkingTree
from helix.model.memory import Status
from helix.sleep.queue import Slept, sleep_now
from helix.sleep.workflow import Sleeper
from helix.testing.builders import AGENT, HERE


def slept(memory, exists=None):  # noqa: F811
    context = memory.context
    sleeper = Sleeper(context.store, context.clock, tree=lambda _: exists)
    done = sleep_now(sleeper, context.realm, "manual", "w1")
    assert isinstance(done, Slept), done
    return done.run


def concluded_by(memory, name):  # noqa: F811
    return [
        each
        for each in memory.list(limit=1000, statuses=list(Status))
        if each.belief.provenance[0].source.extractor == f"sleep:{name}"
    ]


def test_a_command_that_keeps_failing_becomes_an_insight(memory, clock):  # noqa: F811
    """What fails in several sessions is told, with its complaint, citing each failure."""
    for session in ("s1", "s2", "s3"):
        for status in (1, 1, 0):
            clock.move(HOUR)
            memory.capture(
                "npm run build\nTypeError: x is undefined" if status else "npm run build\nok",
                session=session, tool="bash", exit_status=status,
            )  # fmt: skip
    slept(memory)
    (insight,) = concluded_by(memory, "reflect")
    assert insight.content == (
        "`npm run build` failed in more than half of its runs, mostly with TypeError."
    )
    assert len(insight.belief.provenance) == 6
    assert slept(memory).applied == 0
    sound(memory)


def test_files_that_change_together_are_told(memory, clock):  # noqa: F811
    """Two files that are hardly ever changed apart belong together."""
    for number in range(6):
        clock.move(HOUR)
        memory.capture(f"edit {number}", files=["src/api.py", "tests/test_api.py"])
    memory.capture("other", files=["src/api.py"])
    slept(memory)
    (insight,) = concluded_by(memory, "reflect")
    assert insight.content == (
        "src/api.py and tests/test_api.py change together: most of the time."
    )


def test_a_decision_that_does_not_last_is_told_and_rests_on_the_earlier_ones(memory, clock):  # noqa: F811
    """What was replaced again and again is a memory of its own, above those it cites."""
    for version in (12, 13, 14, 15, 16):
        clock.move(DAY)
        text = f"We use postgres {version} now"
        memory.capture(text, attributes={"role": "user"})
        slept(memory)
    (insight,) = [each for each in concluded_by(memory, "reflect") if each.status is Status.ACTIVE]
    assert insight.content == "Replaced several times before: We use postgres 16."
    edges = memory.why(insight.id).edges
    assert sum(each.relation == "derived_from" for each in edges) >= 4
    sound(memory)


def test_a_card_is_kept_for_whoever_is_spoken_of_often(memory, clock):  # noqa: F811
    """Its id and words never change; what is known hangs on it."""
    for text in ("Priya owns billing", "ask Priya about invoices", "Priya reviews migrations"):
        memory.remember(text)
    clock.move(HOUR)
    slept(memory)
    (card,) = concluded_by(memory, "cards")
    assert (card.type, card.content) == ("entity", "priya: a person")
    memory.remember("Priya is on call in May")
    clock.move(HOUR)
    slept(memory)
    (again,) = concluded_by(memory, "cards")
    assert again.id == card.id
    assert len(memory.why(card.id).edges) >= 4
    sound(memory)


def test_a_stale_session_is_summed_up_before_it_fades(memory, clock):  # noqa: F811
    """After a week a session has a summary that cites every episode; the episodes stay."""
    with memory.session("s1") as session:
        for number in range(7):
            session.capture(f"Looked into the parser, step {number}", files=["src/parser.py"])
    slept(memory)
    assert concluded_by(memory, "summarise") == []
    clock.move(8 * DAY)
    slept(memory)
    (summary,) = concluded_by(memory, "summarise")
    assert summary.content.startswith("On 2026-05-14, 7 episodes: ")
    assert "src/parser.py" in summary.content
    assert len(summary.belief.provenance) == 7
    assert slept(memory).applied == 0
    sound(memory)


def test_an_old_belief_of_an_agent_is_probed_once(memory, clock, seen_from):  # noqa: F811
    """Half a year without support lowers confidence and asks; a person's word is left alone."""
    mine = kept(memory.remember("the gateway speaks grpc"))
    theirs = kept(seen_from(source=AGENT).remember("the cache lives in redis"))
    clock.move(timedelta(days=200))
    slept(memory)
    assert memory.why(mine.id).memory.belief.doubts == ()
    now = memory.why(theirs.id).memory.belief
    assert now.confidence == pytest.approx(theirs.belief.confidence * 0.9)
    assert [each.kind for each in memory.review.items()] == ["doubt"]
    assert slept(memory).applied == 0


def test_a_belief_that_recent_work_bears_out_is_not_probed(memory, clock, seen_from):  # noqa: F811
    """An episode that speaks of it is support enough."""
    theirs = kept(seen_from(source=AGENT).remember("the cache lives in redis"))
    clock.move(timedelta(days=200))
    memory.capture("Restarted redis, where the cache lives")
    slept(memory)
    assert memory.why(theirs.id).memory.belief.doubts == ()


def test_a_claim_about_a_file_that_is_gone_is_flagged_until_it_is_back(memory, clock, tmp_path):  # noqa: F811
    """Drift sets a doubt with the reason, keeps the memory, and lifts the doubt again."""
    tree = tmp_path / "project"
    (tree / "src").mkdir(parents=True)
    file = tree / "src" / "billing.py"
    file.write_text("def charge(): ...\n")
    (tree / "Makefile").write_text("test:\n\ttrue\n")
    claims = [
        kept(memory.remember(text))
        for text in (
            "billing lives in src/billing.py",
            "`make test` runs the tests",
            "`charge_customer()` bills a customer",
            "secrets are read from ~/.netrc",
        )
    ]

    def doubts():
        return [memory.why(each.id).memory.belief.doubts for each in claims]

    clock.move(HOUR)
    slept(memory, WorkingTree(tree))
    assert [bool(each) for each in doubts()] == [False, False, True, False]
    assert "charge_customer()" in doubts()[2][0]
    file.rename(tree / "src" / "invoicing.py")
    clock.move(HOUR)
    slept(memory, WorkingTree(tree))
    assert "src/billing.py" in doubts()[0][0]
    (tree / "src" / "invoicing.py").rename(file)
    clock.move(HOUR)
    slept(memory, WorkingTree(tree))
    assert doubts()[0] == ()
    assert memory.why(claims[0].id).memory.status is Status.ACTIVE
    sound(memory)


def test_a_working_tree_is_never_left(tmp_path):
    """Paths that lead out of the project are not looked at."""
    tree = WorkingTree(tmp_path)
    assert tree("file", "../../etc/passwd") is None
    assert tree("file", "/etc/passwd") is None
    assert tree("url", "https://example.com") is None
    assert HERE
