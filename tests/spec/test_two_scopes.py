"""What is decided between two scopes is told, and taken back, only where both are seen."""

from __future__ import annotations

import pytest
from tests.spec.conftest import Opener
from tests.spec.reading import DAY, HOUR, head, kept, status_of

from helix import Helix
from helix.adapters.sqlite.store import SqliteStore
from helix.app.elsewhere import UNSEEN
from helix.model.act import Resolved, Used
from helix.model.errors import Conflict, NotFound
from helix.model.memory import Memory, Status
from helix.model.recollection import Reason
from helix.model.scope import EVERYONE, GLOBAL, Realm
from helix.testing import invariants
from helix.testing.builders import AGENT, HERE, USER, Scribe
from helix.testing.clock import SettableClock

EVERYWHERE = HERE.in_scope(GLOBAL)
THERE = HERE.in_scope("project:there")
SECRET = "zebra"


@pytest.fixture
def there(seen_from: Opener) -> Helix:
    return seen_from(THERE)


@pytest.fixture
def narrow(memory: Helix) -> Memory:
    """Return what only this project holds."""
    return kept(memory.remember(f"The {SECRET} plan deploys to Heroku"))


@pytest.fixture
def wide(memory: Helix) -> Memory:
    """Return what holds everywhere."""
    return kept(memory.remember("Deploys go to Fly", everywhere=True))


def told(memory: Helix, memory_id: str) -> str:
    """Return all that log, list, recall and account tell of a memory that is visible."""
    account = memory.why(memory_id)
    answers = [memory.recall("deploys", view=view, explain=True) for view in ("deep", "history")]
    return repr((account, memory.history.log(50), memory.every(statuses=list(Status)), answers))


def test_an_approval_against_a_narrower_memory_stays_in_its_project(
    memory: Helix, there: Helix, narrow: Memory, wide: Memory
) -> None:
    """Another project neither reads of the decision nor can take it back."""
    memory.relate(wide.id, "contradicts", narrow.id)
    memory.reviewing.approve(wide.id)
    decided = memory.history.log(1)[0]
    assert (decided.kind, decided.scope) == ("resolved", HERE.scope)
    assert status_of(memory, narrow.id) is Status.SUPERSEDED
    assert SECRET not in told(there, wide.id)
    with pytest.raises(NotFound):
        there.history.rollback(decided.position)
    memory.history.rollback(decided.position)
    assert status_of(memory, narrow.id) is Status.ACTIVE
    invariants.all_hold(memory.context.store)


def test_so_does_the_answer_to_a_contradiction(
    memory: Helix, there: Helix, seen_from: Opener, *, narrow: Memory, wide: Memory
) -> None:
    """Whichever of the two stands second."""
    seen_from(HERE, AGENT).correct(wide.id, "Deploys go to Render")
    memory.relate(wide.id, "contradicts", narrow.id)
    (item,) = [each for each in memory.review.items() if narrow.id in {m.id for m in each.memories}]
    assert [each.id for each in item.memories] == [narrow.id, wide.id]
    memory.review.resolve(item.id, "second")
    assert memory.history.log(1)[0].scope == HERE.scope
    assert SECRET not in told(there, wide.id)


def test_a_wide_memory_does_not_name_what_only_one_project_put_in_its_place(
    memory: Helix, there: Helix, *, narrow: Memory, wide: Memory, clock: SettableClock
) -> None:
    """Elsewhere it is closed by something unseen, by an act that is not told and no conclusion."""
    clock.move(HOUR)
    memory.relate(narrow.id, "contradicts", wide.id)
    memory.reviewing.approve(narrow.id)
    assert memory.why(wide.id).memory.belief.superseded_by == narrow.id
    assert SECRET not in told(there, wide.id)
    account = there.why(wide.id)
    assert (account.memory.status, account.memory.belief.superseded_by) == (Status.SUPERSEDED, "")
    closing = account.beliefs[-1][1]
    assert closing is not None
    assert (closing.says, closing.scope, closing.origin) == (UNSEEN, GLOBAL, "")
    there.remember("Deploys take a minute")
    answer = there.recall("deploys", explain=True)
    assert [(each.reason, each.because_of) for each in answer.left_out] == [(Reason.SUPERSEDED, "")]
    with pytest.raises(Conflict) as refused:
        there.correct(wide.id, "Deploys go to Render")
    assert SECRET not in f"{refused.value} {refused.value.remedy}"
    assert refused.value.remedy


@pytest.fixture
def older(store: SqliteStore, clock: SettableClock, narrow: Memory, wide: Memory) -> int:
    """Return the position of a decision as older versions wrote it: in the wider realm."""
    act = Resolved(narrow.id, wide.id, "second", USER)
    return Scribe(store, clock).write(act, EVERYWHERE).record.position


def test_a_decision_that_an_older_version_wrote_is_told_without_what_is_unseen(
    memory: Helix, there: Helix, *, narrow: Memory, wide: Memory, older: int
) -> None:
    """Where both are seen, it reads as ever."""
    assert SECRET not in told(there, wide.id)
    (line,) = [each for each in there.history.log(50) if each.position == older]
    assert (line.memory_ids, wide.id in line.says) == ((wide.id,), True)
    (line,) = [each for each in memory.history.log(50) if each.position == older]
    assert (set(line.memory_ids), narrow.id in line.says) == ({narrow.id, wide.id}, True)


def test_and_is_taken_back_only_where_all_it_changed_is_seen(
    memory: Helix, seen_from: Opener, *, narrow: Memory, older: int
) -> None:
    """By its position or with everything after one; the refusal gives nothing away."""
    before = head(memory)
    for realm, undo in (
        (THERE, {"position": older}),
        (EVERYWHERE, {"position": older}),
        (EVERYWHERE, {"to": older - 1}),
    ):
        with pytest.raises(Conflict) as refused:
            seen_from(realm).history.rollback(**undo)
        assert refused.value.code == "changes_unseen"
        assert SECRET not in f"{refused.value} {refused.value.remedy}"
    assert head(memory) == before
    memory.history.rollback(older)
    assert status_of(memory, narrow.id) is Status.ACTIVE


def test_a_correction_elsewhere_does_not_name_what_it_cuts_short_here(
    memory: Helix, there: Helix, *, narrow: Memory, wide: Memory, clock: SettableClock
) -> None:
    """What the corrected one had replaced in one project is no business of another's log."""
    memory.relate(wide.id, "contradicts", narrow.id)
    clock.move(DAY)
    Scribe(memory.context.store, clock).write(Resolved(narrow.id, wide.id, "both", USER), HERE)
    clock.move(DAY)
    until = memory.why(narrow.id).memory.belief.valid_to
    done = there.correct(wide.id, "Deploys go to Render", since=wide.belief.valid_from)
    assert memory.why(narrow.id).memory.belief.valid_to != until
    assert narrow.id in memory.history.log(1)[0].memory_ids
    assert SECRET not in repr(there.history.log(50))
    with pytest.raises(Conflict):
        there.history.rollback(done.position)
    assert narrow.id in {each.id for each in memory.history.rollback(done.position).memories}


def test_what_cites_a_wider_memory_is_not_named_with_it(
    memory: Helix, there: Helix, wide: Memory
) -> None:
    """The use counts; who reads the cited memory need not be able to read what cites it."""
    kept(memory.remember(f"The {SECRET} acquisition closes in June", cites=[wide.id]))
    assert len(there.life.standing(wide.id).life.uses) == 1
    assert SECRET not in told(there, wide.id)
    assert SECRET not in repr(memory.history.log(1))


@pytest.mark.parametrize(
    ("cited", "citing", "named"),
    [
        (HERE, HERE, True),
        (HERE, EVERYWHERE, True),
        (EVERYWHERE, HERE, False),
        (Realm(HERE.tenant, EVERYONE, HERE.scope), HERE, False),
    ],
    ids=["same", "narrower", "wider", "shared"],
)
def test_it_is_named_where_both_are_seen(
    memory: Helix, seen_from: Opener, *, cited: Realm, citing: Realm, named: bool
) -> None:
    """Whoever reads the cited one may read the other."""
    ground = kept(seen_from(cited).remember("Deploys go to Fly"))
    built = kept(
        memory.remember("Fly needs a token", everywhere=citing == EVERYWHERE, cites=[ground.id])
    )
    assert (built.id in memory.history.log(1)[0].says) is named


def test_a_use_that_an_older_version_wrote_is_told_without_what_is_unseen(
    memory: Helix, there: Helix, store: SqliteStore, *, narrow: Memory, wide: Memory
) -> None:
    """Neither the log nor an account names it elsewhere."""
    clock = memory.context.clock
    assert isinstance(clock, SettableClock)
    memory.life.demote(wide.id)
    Scribe(store, clock).write(Used(wide.id, 4, USER, narrow.id), EVERYWHERE)
    assert narrow.id in memory.history.log(1)[0].says
    assert there.history.log(1)[0].says.endswith("was used, quality 4")
    assert SECRET not in told(there, wide.id)
