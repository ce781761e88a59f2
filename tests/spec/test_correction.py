"""Correcting: the new takes over, the old stays readable for its time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from tests.spec.reading import DAY, HOUR, current, head, kept, said, sound, status_of

from helix.app.facade import Helix
from helix.model.edge import SUPERSEDES
from helix.model.errors import BadInput, Conflict, NotFound
from helix.model.memory import EventTime, Status
from helix.model.question import View
from helix.testing.clock import SettableClock

AWS = "we deploy to AWS"
HETZNER = "we deploy to Hetzner"
AZURE = "we deploy to Azure"


@pytest.fixture
def aws(memory: Helix) -> str:
    return kept(memory.remember(AWS, type="decision")).id


def test_a_corrected_memory_gives_way(memory: Helix, aws: str) -> None:
    """After a correction only the new memory is current, and it is of the same type."""
    new = memory.correct(aws, HETZNER).memory
    assert current(memory) == {HETZNER}
    assert said(memory.recall("where do we deploy?")) == {HETZNER}
    assert new.type == "decision"
    sound(memory)


def test_a_corrected_fact_keeps_its_old_validity(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """Asked for a day before the correction, the old memory answers, and only it."""
    clock.move(10 * DAY)
    memory.correct(aws, HETZNER)
    clock.move(DAY)
    question = "where do we deploy?"
    assert said(memory.recall(question, true_on=clock.now() - 5 * DAY)) == {AWS}
    assert said(memory.recall(question, true_on=clock.now())) == {HETZNER}


def test_the_old_one_ends_exactly_where_the_new_one_begins(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """At the moment of change the new one holds; one microsecond before, the old one."""
    since = clock.move(3 * DAY)
    memory.correct(aws, HETZNER, since=since)
    question = "deploy"
    assert said(memory.recall(question, true_on=since)) == {HETZNER}
    assert said(memory.recall(question, true_on=since - timedelta(microseconds=1))) == {AWS}
    old = memory.why(aws).memory.belief
    assert (old.status, old.valid_to) == (Status.SUPERSEDED, since)


def test_history_shows_both(memory: Helix, aws: str) -> None:
    """The history view adds what was superseded."""
    memory.correct(aws, HETZNER)
    assert said(memory.recall("deploy", view=View.HISTORY)) == {AWS, HETZNER}


def test_what_was_believed_then_is_still_known(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """Asked what was believed before the correction, the old memory answers as it stood."""
    clock.move(HOUR)
    before = clock.now()
    clock.move(HOUR)
    memory.correct(aws, HETZNER, always=True)
    answer = memory.recall("deploy", believed_on=before)
    assert said(answer) == {AWS}
    assert answer.remembered[0].memory.status is Status.ACTIVE
    assert answer.remembered[0].memory.belief.valid_to is None


def test_a_future_correction_leaves_the_old_one_true_until_then(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """A correction dated ahead takes over on its day and not before."""
    memory.correct(aws, HETZNER, since=clock.now() + 30 * DAY)
    assert current(memory) == {AWS}
    clock.move(30 * DAY)
    assert current(memory) == {HETZNER}


def test_a_past_correction_counts_from_its_day(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """A correction dated back takes over from that day, but was not believed then."""
    clock.move(10 * DAY)
    since = clock.now() - 4 * DAY
    memory.correct(aws, HETZNER, since=since)
    assert said(memory.recall("deploy", true_on=since + DAY)) == {HETZNER}
    assert said(memory.recall("deploy", true_on=since - DAY)) == {AWS}
    assert said(memory.recall("deploy", believed_on=since + DAY)) == {AWS}


def test_always_empties_the_span_of_the_old_one(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """What was never right holds on no day; the new one holds over its whole span."""
    began = clock.now()
    clock.move(10 * DAY)
    memory.correct(aws, HETZNER, always=True)
    old = memory.why(aws).memory.belief
    assert old.valid_to == old.valid_from
    for days in (0, 5, 10):
        assert said(memory.recall("deploy", true_on=began + days * DAY)) == {HETZNER}


def test_a_correction_from_before_the_beginning_empties_the_span_too(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """A correction that holds from before the old one began leaves it no day."""
    began = clock.now()
    memory.correct(aws, HETZNER, since=began - 9 * DAY)
    assert said(memory.recall("deploy", true_on=began)) == {HETZNER}
    old = memory.why(aws).memory.belief
    assert old.valid_to == old.valid_from


def test_a_superseded_memory_cannot_be_corrected_again(memory: Helix, aws: str) -> None:
    """The remedy names the successor, on which one has to work instead."""
    new = memory.correct(aws, HETZNER).memory
    before = head(memory)
    with pytest.raises(Conflict) as refused:
        memory.correct(aws, AZURE)
    assert new.id in refused.value.remedy
    assert head(memory) == before
    memory.correct(new.id, AZURE)
    assert current(memory) == {AZURE}


@pytest.mark.parametrize("act", ["confirm", "forget", "restore"])
def test_a_superseded_memory_takes_no_other_step(memory: Helix, aws: str, act: str) -> None:
    """What was replaced can be neither confirmed, forgotten nor restored."""
    memory.correct(aws, HETZNER)
    with pytest.raises(Conflict):
        getattr(memory, act)(aws)
    assert status_of(memory, aws) is Status.SUPERSEDED


def test_a_forgotten_memory_cannot_be_corrected(memory: Helix, aws: str) -> None:
    """The remedy is to bring it back first."""
    memory.forget(aws)
    with pytest.raises(Conflict) as refused:
        memory.correct(aws, HETZNER)
    assert "restore" in refused.value.remedy


def test_an_episode_cannot_be_corrected(memory: Helix) -> None:
    """What happened is evidence, and evidence is not edited."""
    episode = kept(memory.capture("deployed to AWS"))
    with pytest.raises(BadInput) as refused:
        memory.correct(episode.id, "deployed to Hetzner")
    assert refused.value.code == "episode_not_corrected"


def test_correcting_what_is_not_there(memory: Helix) -> None:
    """An unknown id is not found, and nothing is written."""
    with pytest.raises(NotFound):
        memory.correct("mem_unknown", HETZNER)
    assert head(memory) == 0


@pytest.mark.parametrize("again", [AWS, "  We  deploy to aws "])
def test_correcting_into_the_same_words_is_refused(memory: Helix, aws: str, again: str) -> None:
    """Saying the same again corrects nothing."""
    with pytest.raises(Conflict) as refused:
        memory.correct(aws, again)
    assert refused.value.code == "already_held"
    assert current(memory) == {AWS}


def test_correcting_into_what_another_says_is_refused(memory: Helix, aws: str) -> None:
    """A correction must not make two memories say the same."""
    other = kept(memory.remember(HETZNER, type="decision"))
    with pytest.raises(Conflict) as refused:
        memory.correct(aws, HETZNER)
    assert other.id in refused.value.remedy


def test_an_edge_leads_from_the_new_to_the_old(memory: Helix, aws: str) -> None:
    """The successor supersedes its predecessor, and the predecessor names its successor."""
    new = memory.correct(aws, HETZNER).memory
    (edge,) = memory.why(aws).edges
    assert (edge.from_id, edge.relation, edge.to_id) == (new.id, SUPERSEDES, aws)
    assert memory.why(aws).memory.belief.superseded_by == new.id


def test_what_a_correction_leaves_open_is_taken_over(memory: Helix, clock: SettableClock) -> None:
    """End, expiry, event time and attributes go over to the new memory unless it has its own."""
    end, expiry = clock.now() + 90 * DAY, clock.now() + 80 * DAY
    happening = EventTime(start=clock.now() + 50 * DAY, text="early July")
    old = kept(
        memory.remember(
            "the launch is on Monday",
            valid_to=end, expires_at=expiry, event_time=happening, attributes={"who": ["ann"]},
        )
    )  # fmt: skip
    new = memory.correct(old.id, "the launch is on Tuesday").memory
    assert new.belief.valid_to == end
    assert new.expires_at == expiry
    assert new.event_time == happening
    assert new.attributes == {"who": ["ann"]}
    newer = memory.correct(new.id, "the launch is on Friday", attributes={"who": ["bob"]}).memory
    assert newer.attributes == {"who": ["bob"]}


def test_a_correction_that_would_end_before_it_begins_is_refused(
    memory: Helix, clock: SettableClock
) -> None:
    """A correction cannot hold from after the end of what it corrects."""
    old = kept(memory.remember(AWS, valid_to=clock.now() + DAY))
    with pytest.raises(BadInput) as refused:
        memory.correct(old.id, HETZNER, since=clock.now() + 2 * DAY)
    assert refused.value.code == "empty_validity"
    assert current(memory) == {AWS}


def test_corrections_form_a_chain(memory: Helix, aws: str, clock: SettableClock) -> None:
    """Each link of a chain of corrections holds over its own span."""
    began = clock.now()
    clock.move(DAY)
    second = memory.correct(aws, HETZNER).memory
    clock.move(DAY)
    memory.correct(second.id, AZURE)
    clock.move(DAY)
    answers = [said(memory.recall("deploy", true_on=began + days * DAY)) for days in (0, 1, 2)]
    assert answers == [{AWS}, {HETZNER}, {AZURE}]
    sound(memory)


def test_why_tells_the_whole_story(memory: Helix, aws: str, clock: SettableClock) -> None:
    """Every belief about a memory is listed, oldest first, beside the act that brought it about."""
    clock.move(HOUR)
    memory.confirm(aws)
    clock.move(HOUR)
    memory.correct(aws, HETZNER)
    account = memory.why(aws)
    kinds = [entry.kind for _, entry in account.beliefs if entry]
    assert kinds == ["asserted", "confirmed", "corrected"]
    assert [belief.status for belief, _ in account.beliefs] == ["active", "active", "superseded"]
    assert [entry.kind for entry in account.witnesses] == ["asserted", "confirmed"]


def test_a_correction_dated_back_ends_the_whole_line_behind_it(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """What the corrected one had replaced ends where the newest begins, too."""
    began = clock.now()
    clock.move(10 * DAY)
    second = memory.correct(aws, HETZNER).memory
    clock.move(10 * DAY)
    memory.correct(second.id, AZURE, since=began + 5 * DAY)
    answers = [said(memory.recall("deploy", true_on=began + days * DAY)) for days in (4, 6, 15)]
    assert answers == [{AWS}, {AZURE}, {AZURE}]
    sound(memory)


def test_a_long_line_of_plans_gives_way_at_once(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """However many corrections were dated ahead, one that holds now leaves none in force."""
    planned = memory.correct(aws, HETZNER, since=clock.now() + 30 * DAY).memory
    later = memory.correct(planned.id, "we deploy to Fly", since=clock.now() + 60 * DAY).memory
    clock.move(DAY)
    memory.correct(later.id, AZURE)
    for days in (0, 40, 70):
        assert said(memory.recall("deploy", true_on=clock.now() + days * DAY)) == {AZURE}
    sound(memory)


def test_undoing_such_a_correction_gives_the_line_its_time_back(
    memory: Helix, aws: str, clock: SettableClock
) -> None:
    """Rolled back, the plan stands as before, and what it replaces holds until then."""
    start = clock.now() + 30 * DAY
    planned = memory.correct(aws, HETZNER, since=start).memory
    clock.move(DAY)
    forward = memory.correct(planned.id, AZURE)
    memory.history.rollback(forward.position)
    assert current(memory) == {AWS}
    assert said(memory.recall("deploy", true_on=start)) == {HETZNER}
    sound(memory)


@pytest.mark.parametrize("bound", ["valid_to", "expires_at"])
def test_an_end_that_is_over_is_not_taken_over(
    memory: Helix, clock: SettableClock, bound: str
) -> None:
    """Correcting what has ended or expired gives something that holds and answers."""
    old = kept(memory.remember("the freeze is on", **{bound: clock.now() + DAY}))
    clock.move(2 * DAY)
    new = memory.correct(old.id, "the freeze is over").memory
    assert (new.belief.valid_from, new.belief.valid_to, new.expires_at) == (
        clock.now(), None, None,
    )  # fmt: skip
    assert current(memory) == {"the freeze is over"}
    assert memory.why(old.id).memory.belief.valid_to in (clock.now(), clock.now() - DAY)
    sound(memory)


def test_what_has_ended_can_be_corrected_from_a_later_day(
    memory: Helix, clock: SettableClock
) -> None:
    """The correction begins after the end of the old one; between them nothing holds."""
    began = clock.now()
    old = kept(memory.remember("flag x is on", valid_to=began + DAY))
    clock.move(9 * DAY)
    memory.correct(old.id, "flag x is off", since=began + 4 * DAY)
    answers = [said(memory.recall("flag x", true_on=began + days * DAY)) for days in (0, 2, 5)]
    assert answers == [{"flag x is on"}, set(), {"flag x is off"}]


def test_what_has_ended_can_be_corrected_for_its_time(memory: Helix, clock: SettableClock) -> None:
    """Who says that it never was right speaks of the days on which it was held true."""
    began = clock.now()
    old = kept(memory.remember("flag x is on", valid_to=began + DAY))
    clock.move(9 * DAY)
    new = memory.correct(old.id, "flag x is off", always=True).memory
    assert (new.belief.valid_from, new.belief.valid_to) == (began, began + DAY)


def test_a_correction_may_have_an_end_of_its_own(memory: Helix, clock: SettableClock) -> None:
    """An end or an expiry that is given goes before that of the old one."""
    soon, later = clock.now() + DAY, clock.now() + 9 * DAY
    old = kept(memory.remember(AWS, valid_to=soon, expires_at=soon))
    new = memory.correct(old.id, HETZNER, valid_to=later, expires_at=later).memory
    assert (new.belief.valid_to, new.expires_at) == (later, later)
    with pytest.raises(BadInput) as refused:
        memory.correct(new.id, AZURE, valid_to=clock.now() - DAY)
    assert refused.value.code == "empty_validity"
    assert current(memory) == {HETZNER}
