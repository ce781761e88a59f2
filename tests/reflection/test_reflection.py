"""Insights cite their evidence; old beliefs and claims about files are doubted, never deleted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.spec.conftest import clock, memory, seen_from, store  # noqa: F401
from tests.spec.reading import DAY, HOUR, kept, sound

from helix.app.working_tree import WorkingTree
from helix.model.memory import Status
from helix.reflection.bridges import UNCONFIRMED
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


def test_what_helps_together_is_tied_by_a_shortcut(memory, clock):  # noqa: F811
    """Used on three occasions together: one edge, drawn once, that recall can follow."""
    one = kept(memory.remember("the gateway times out after 30 s"))
    other = kept(memory.remember("nginx buffers large uploads"))
    apart = kept(memory.remember("the logo is green"))
    for occasion in range(3):
        clock.move(DAY)
        for each in (one, other):
            clock.move(timedelta(minutes=5))
            memory.life.used(each.id, 4)
        if occasion < 2:
            memory.life.used(apart.id, 4)
        clock.move(2 * HOUR)
        memory.life.used(apart.id, 4)
    slept(memory)
    edges = [each for each in memory.why(one.id).edges if each.relation == "used_with"]
    assert [{each.from_id, each.to_id} for each in edges] == [{one.id, other.id}]
    assert edges[0].weight == pytest.approx(0.3)
    assert not [each for each in memory.why(apart.id).edges if each.relation == "used_with"]
    assert slept(memory).applied == 0
    sound(memory)


def test_what_did_not_help_ties_nothing(memory, clock):  # noqa: F811
    """Shown or misleading together is no reason to be found together."""
    one, other = (kept(memory.remember(text)) for text in ("the gateway is slow", "nginx is old"))
    for _ in range(4):
        clock.move(DAY)
        memory.life.used(one.id, 4)
        memory.life.used(other.id, 1)
    slept(memory)
    assert not [each for each in memory.why(one.id).edges if each.relation == "used_with"]


def test_an_agents_month_is_summed_up_from_its_sessions(memory, clock):  # noqa: F811
    """Once the month is over; it rests on the summaries of the sessions, and they on episodes."""
    for number in range(3):
        clock.move(DAY)
        with memory.session(f"s{number}") as session:
            for step in range(7):
                session.capture(f"Looked into part {number} of the parser, step {step}")
    clock.move(timedelta(days=9))
    slept(memory)
    assert {each.attributes["level"] for each in concluded_by(memory, "summarise")} == {"session"}
    clock.move(timedelta(days=30))
    slept(memory)
    (month,) = [e for e in concluded_by(memory, "summarise") if e.attributes["level"] == "agent"]
    assert month.content.startswith("In 2026-05, me worked 3 sessions of 21 episodes here. ")
    told = [each for each in memory.why(month.id).edges if each.relation == "summarises"]
    assert len(told) == 3
    assert len(month.belief.provenance) == 21, "every chain ends in episodes"
    assert slept(memory).applied == 0
    sound(memory)


def test_what_connects_two_parts_of_a_project_is_told(memory, clock):  # noqa: F811
    """A thing that comes up in work on parts seldom touched together is a bridge between them."""
    for number in range(8):
        clock.move(HOUR)
        part = ("src/billing", "src/reports")[number % 2]
        memory.capture(
            f"ECONNRESET while saving, attempt {number}",
            session=f"s{number}", files=[f"{part}/store{number}.py"],
        )  # fmt: skip
        memory.capture(f"renamed a helper, {number}", files=[f"src/web/view{number}.py"])
    slept(memory)
    (insight,) = concluded_by(memory, "bridge")
    assert insight.content == (
        "ECONNRESET connects src/billing and src/reports: it came up in work on each."
    )
    assert len(insight.belief.provenance) == 8
    assert insight.belief.doubts == (UNCONFIRMED,)
    assert insight.belief.confidence == pytest.approx(0.45), "half of what one source is believed"
    assert [each.kind for each in memory.review.items()] == ["doubt"]
    assert slept(memory).applied == 0
    sound(memory)


def test_parts_that_are_worked_on_together_need_no_bridge(memory, clock):  # noqa: F811
    """What connects them is no news."""
    for number in range(8):
        clock.move(HOUR)
        memory.capture(
            f"ECONNRESET while saving, attempt {number}",
            session=f"s{number}", files=[f"src/a/x{number}.py", f"src/b/y{number}.py"],
        )  # fmt: skip
    slept(memory)
    assert [each for each in concluded_by(memory, "bridge") if "connects" in each.content] == []


LOG = """The import of invoices stopped at the second file.
Nothing was written to the table, and the queue behind it grew all night.
Every invoice of the second file has a date without a year.
The supplier changed its template in spring, and nobody here was told.
Two colleagues had seen odd totals before and thought of rounding.
A ticket from last month names the same supplier and was closed too early.
Its attachments are screenshots, so the search had not found them.
For a while the suspicion was a wrong time zone on the worker.
Setting it by hand changed the hour and left the failure where it was.
Then a copy of the file was opened in an editor, line by line.
The header is as always, the body shorter by one column.
Going back to the old template is not possible, says their support.
They answer within a day, and only in the mornings.
The parser of invoices now takes the year from the name of the file.
Where the name holds none, the file is put aside and somebody is told.
All files of the week went through in the afternoon.
The queue was empty before dinner, and the alarm was taken off.
What remains is a note for the handbook about templates of suppliers.
It should say whom to ask, and that screenshots are not found by words.
"""


def levels(memory):  # noqa: F811
    return {each.attributes["level"] for each in concluded_by(memory, "summarise")}


def test_an_agents_own_session_is_summed_up_too(memory, clock, seen_from):  # noqa: F811
    """It says what happened, in the agent's words, and is believed no more than one of them."""
    agent = seen_from(source=AGENT)
    for number in range(7):
        agent.capture(f"Looked into the parser, step {number}", session="s1")
    clock.move(8 * DAY)
    slept(memory)
    (summary,) = concluded_by(memory, "summarise")
    (one, *_) = [each for each in memory.list(limit=100) if each.type == "episode"]
    assert summary.belief.confidence == one.belief.confidence
    assert {each.source.agent for each in summary.belief.provenance} == {AGENT.agent}
    assert slept(memory).applied == 0
    sound(memory)


def test_a_long_episode_is_summed_up_by_its_own_sentences(memory, clock, seen_from):  # noqa: F811
    """The first and the most telling, once it has gone stale; its session's rests on that."""
    agent = seen_from(source=AGENT)
    long = kept(agent.capture(LOG, session="s1"))
    for number in range(6):
        agent.capture(f"Looked into the parser, step {number}", session="s1")
    slept(memory)
    assert concluded_by(memory, "summarise") == []
    clock.move(8 * DAY)
    slept(memory)
    assert levels(memory) == {"episode", "session"}
    brief, session = sorted(
        concluded_by(memory, "summarise"), key=lambda each: str(each.attributes["level"])
    )
    assert brief.content.startswith("On 2026-05-14, in brief: The import of invoices stopped")
    assert len(brief.content) < len(LOG) / 2
    said = brief.content.partition("in brief: ")[2]
    assert all(f"{each}." in LOG for each in said.rstrip(".").split(". ")), "its own words"
    edges = memory.why(brief.id).edges
    assert {each.to_id for each in edges if each.from_id == brief.id} == {long.id}
    rests_on = {each.to_id for each in memory.why(session.id).edges}
    assert brief.id in rests_on
    assert slept(memory).applied == 0
    sound(memory)


def test_what_an_assistant_said_is_not_summed_up(memory, clock, seen_from):  # noqa: F811
    """A summary must not carry on what Helix itself would not have kept as news."""
    agent = seen_from(source=AGENT)
    agent.capture(LOG, session="s1", attributes={"role": "assistant"})
    clock.move(8 * DAY)
    slept(memory)
    assert concluded_by(memory, "summarise") == []


def test_summaries_are_compared_with_nothing_and_probed_by_nobody(memory, clock, seen_from):  # noqa: F811
    """Two days of the same work contradict nothing, and what happened stays so."""
    agent = seen_from(source=AGENT)
    for day, steps in (("s1", 7), ("s2", 9)):
        clock.move(DAY)
        for number in range(steps):
            agent.capture(f"Looked into the parser, step {number}", session=day, files=["gone.py"])
    clock.move(8 * DAY)
    slept(memory, lambda kind, name: False)
    clock.move(timedelta(days=300))
    slept(memory, lambda kind, name: False)
    found = [e for e in concluded_by(memory, "summarise") if e.attributes["level"] == "session"]
    assert len(found) == 2
    assert all(each.belief.doubts == () for each in found)
    assert memory.review.items() == []


def test_a_report_of_a_failure_is_not_taken_for_the_command(memory, clock):  # noqa: F811
    """As the tutorial captures it: what keeps failing is `make check`, and with what."""
    for number in range(6):
        clock.move(HOUR)
        memory.capture(
            "make check failed: TIDEPOOL_TZ is not set",
            session=f"s{number}", tool="bash", exit_status=2,
        )  # fmt: skip
        memory.capture("make check", session=f"s{number}", tool="bash", exit_status=0)
    slept(memory)
    (insight,) = concluded_by(memory, "reflect")
    assert insight.content == (
        "`make check` failed in more than half of its runs, mostly with TIDEPOOL_TZ is not set."
    )
    sound(memory)


def ran(memory, clock, name, statuses):  # noqa: F811
    for number, status in enumerate(statuses):
        clock.move(HOUR)
        memory.capture("make e2e", session=f"{name}{number}", tool="bash", exit_status=status)


def test_what_no_longer_fails_is_closed_and_comes_back_if_it_fails_again(memory, clock):  # noqa: F811
    """With its reason, without being lost, and a run that closed it can be taken back."""
    ran(memory, clock, "a", [1] * 8)
    slept(memory)
    (insight,) = concluded_by(memory, "reflect")
    ran(memory, clock, "b", [0] * 12)
    slept(memory)
    earlier = memory.why(insight.id).memory.status
    assert earlier is Status.SUPERSEDED, "8 of 20 is another answer to the same question"
    ran(memory, clock, "c", [0] * 20)
    run = slept(memory)
    assert {each.status for each in concluded_by(memory, "reflect")} == {
        Status.SUPERSEDED,
        Status.ARCHIVED,
    }
    (closed,) = [e for e in concluded_by(memory, "reflect") if e.status is Status.ARCHIVED]
    assert closed.belief.valid_to is not None
    assert closed.belief.doubts == ("withdrawn: it failed in 8 of 40 runs only",)
    assert memory.review.items() == []
    assert slept(memory).applied == 0
    clock.move(HOUR)
    memory.sleeping.revert(run.number)
    assert memory.why(closed.id).memory.status is Status.ACTIVE
    slept(memory)
    ran(memory, clock, "d", [1] * 10)
    slept(memory)
    (again,) = [e for e in concluded_by(memory, "reflect") if e.status is Status.ACTIVE]
    assert (again.id, again.belief.valid_to, again.belief.doubts) == (closed.id, None, ())
    ran(memory, clock, "e", [1] * 300)
    slept(memory)
    (first,) = [e for e in concluded_by(memory, "reflect") if e.status is Status.ACTIVE]
    assert (first.id, first.belief.superseded_by) == (insight.id, "")
    assert slept(memory).applied == 0
    sound(memory)


def test_files_that_changed_together_once_are_let_go(memory, clock):  # noqa: F811
    """Once they are mostly changed apart, they no longer belong together."""
    for number in range(6):
        clock.move(HOUR)
        memory.capture(f"edit {number}", files=["src/api.py", "tests/test api.py"])
    slept(memory)
    (insight,) = concluded_by(memory, "reflect")
    for number in range(6):
        clock.move(HOUR)
        memory.capture(f"other {number}", files=["src/api.py"])
    slept(memory)
    (closed,) = concluded_by(memory, "reflect")
    assert (closed.id, closed.status) == (insight.id, Status.ARCHIVED)
    assert closed.belief.doubts == ("withdrawn: they changed together in 6 of 12 changes only",)


def test_what_was_not_looked_at_is_left_as_it_is(memory, clock):  # noqa: F811
    """A few runs that went well, with the failures put away, are no evidence against it."""
    ran(memory, clock, "a", [1] * 8)
    slept(memory)
    (insight,) = concluded_by(memory, "reflect")
    for each in memory.list(limit=100):
        if each.type == "episode":
            clock.move(HOUR)
            memory.life.demote(each.id)
    ran(memory, clock, "b", [0, 0, 0])
    slept(memory)
    assert memory.why(insight.id).memory.status is Status.ACTIVE


@pytest.mark.parametrize(
    "claim",
    [
        "src/old.py was removed in favour of src/app.py",
        "Never create src/legacy.py",
        "We do not use `make lint` any more",
        "Do not import `legacy_helper()` in new code",
        "We deleted src/old.py last week",
        "`make lint` was replaced by `make check`",
        "src/old.py no longer exists; see src/app.py",
        "There is no src/legacy.py in this project",
        "Moved src/old.py to src/app.py",
        "Use `make check` instead of `make lint`",
        "Avoid src/legacy.py",
        "We used to run `make lint`",
        "Instead of src/old.py use src/app.py",
        "src/old.py is gone",
        "The old `make lint` target is deprecated",
    ],
)
def test_a_name_that_a_sentence_calls_gone_is_not_missed(memory, clock, claim):  # noqa: F811
    """That it is not there is what the sentence says."""
    held = kept(memory.remember(claim))
    clock.move(HOUR)
    there = {"src/app.py", "make check"}
    slept(memory, lambda _, name: name.strip("`") in there)
    assert memory.why(held.id).memory.belief.doubts == ()


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ("The entry point is src/main.py", "src/main.py"),
        ("Never edit src/app.py without running `make lint`", "make lint"),
        ("src/old.py was removed; the entry point is src/main.py", "src/main.py"),
        ("src/old.py was removed in favour of src/main.py", "src/main.py"),
        ("Use `make lint` instead of `make check`", "make lint"),
        ("Do not push before `make lint` passes", "make lint"),
        ("Moved src/old.py to src/main.py", "src/main.py"),
        ("The parser in src/main.py does not handle dates", "src/main.py"),
        ("src/main.py is not covered by tests", "src/main.py"),
        ("src/main.py must not be edited by hand", "src/main.py"),
        ("Don't forget `make lint`", "make lint"),
    ],
)
def test_a_name_that_a_sentence_relies_on_is_missed(memory, clock, claim, missing):  # noqa: F811
    """A denial of something else in the same sentence is no excuse."""
    held = kept(memory.remember(claim))
    clock.move(HOUR)
    there = {"src/app.py", "make check"}
    slept(memory, lambda _, name: name.strip("`") in there)
    (doubt,) = memory.why(held.id).memory.belief.doubts
    assert doubt == f"stale suspected: {missing} not in the working tree"


def test_what_two_passes_of_a_run_doubted_returns_with_it(memory, clock):  # noqa: F811
    """That the later pass's memory is held anew is the reverting's doing, and nobody's since."""
    told = ("The client is src/api/v1.py", "The client is src/api/v2.py")
    before = [kept(memory.remember(each)) for each in told]
    clock.move(HOUR)
    run = slept(memory, exists=lambda *_: False)
    touched = [each.name for each in run.passes if each.entries]
    assert touched == ["relate", "drift"]
    assert len(memory.why(before[0].id).memory.belief.doubts) == len(touched)
    clock.move(HOUR)
    assert memory.sleeping.revert(run.number).left == ()
    for each in before:
        now = memory.why(each.id).memory.belief
        assert (now.confidence, now.doubts) == (each.belief.confidence, ())
    assert list(memory.review.items()) == []
    sound(memory)
